#include "traffic/parts/packet_traffic_part.hpp"

#include <algorithm>

namespace heddle::traffic {

PacketTrafficPart::PacketTrafficPart(PartBed bed, network::DividedPackets& packets,
                                     const Others& others)
    : bed_(std::move(bed)),
      packets_(packets),
      others_(others),
      simulation_(packets.simulation(bed_.me)),
      network_(packets.network(bed_.me)),
      injector_(simulation_, bed_.platform, network_, bed_.workload, *this, bed_.from, this),
      news_(bed_.parts) {}

void PacketTrafficPart::begin() {
  for (const NodeId node : bed_.senders) injector_.add_sender(node);
  log_.close();
}

void PacketTrafficPart::advance(Time start, Time limit) {
  packets_.take(bed_.me);
  take_news();
  arrived_.clear();
  begin_tape();
  const Time end = std::min(start + bed_.window, limit);
  while (simulation_.next_time() < end) {
    simulation_.step();
    note_on_tape();
  }
}

Time PacketTrafficPart::settle(Numbers& /*numbers*/) {
  Time next = packets_.settle(bed_.me);
  news_.settle([&](const News& news) {
    next = std::min(next, news.finished + bed_.platform.nic(news.source).send_overhead);
  });
  return next;
}

/// Simultaneous arrivals are events of the hosts, in the order of these.
void PacketTrafficPart::message_finished(const MessageRecord& record) {
  arrived_.push_back({{simulation_.now(), index(record.destination)},
                      record,
                      bed_.idle != nullptr ? bed_.idle->of(record) : Time::zero()});
}

network::TransferClient& PacketTrafficPart::client_at(NodeId destination) {
  return others_[bed_.cut.part_of(destination)]->injector_.client();
}

/// It cannot send again before the window is over: until then news from all parts, this one too,
/// can wait to be heard in their order.
void PacketTrafficPart::tell(NodeId source, Time finished) {
  if (!bed_.closed) return;
  news_.put(bed_.cut.part_of(source), {arrived_.back().place, source, finished});
}

/// In the order in which one thread would have heard of them.
void PacketTrafficPart::take_news() {
  heard_.clear();
  for (const PacketTrafficPart* const other : others_) {
    const std::span<const News> news = other->news_.to(bed_.me);
    heard_.insert(heard_.end(), news.begin(), news.end());
  }
  std::ranges::stable_sort(heard_, {}, &News::place);
  for (const News& news : heard_) injector_.heard(news.source, news.finished);
}

}  // namespace heddle::traffic
