#include "traffic/parts/queue_traffic_part.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/prefetch.hpp"
#include "network/queue/link_steps.hpp"

namespace heddle::traffic {

using Kind = PartQueue::Kind;

QueueTrafficPart::QueueTrafficPart(PartBed bed, network::QueueLinks& links, const Others& others)
    : bed_(std::move(bed)),
      links_(links),
      others_(others),
      window_(bed_.window, 0),
      queue_(window_),
      routes_(bed_.platform),
      leaving_(bed_.parts),
      news_(bed_.parts) {
  for (const NodeId node : bed_.senders) senders_.push_back({node, {}});
  if (senders_.empty()) return;
  first_node_ = static_cast<std::uint32_t>(senders_.front().node);
  sender_of_.resize(index(senders_.back().node) - first_node_ + 1);
  for (std::uint32_t s = 0; s < senders_.size(); ++s) {
    sender_of_[index(senders_[s].node) - first_node_] = s;
  }
}

void QueueTrafficPart::begin() {
  window_.open_first(queue_);
  for (std::uint32_t s = 0; s < senders_.size(); ++s) {
    arm(s);
    window_.note(Time::zero(), bed_.senders_before + s, queue_);
  }
  window_.close();
}

void QueueTrafficPart::advance(Time start, Time limit) {
  take();
  arrived_.clear();
  begin_tape();
  window_.open(start, queue_, limit);
  while (const BucketQueue::Entry* const next = queue_.entries().first_of_window()) {
    const PartQueue::Entry entry = PartQueue::unpack(*next);
    queue_.entries().pop_first();
    look_ahead();
    now_ = entry.time;
    sequence_ = entry.sequence;
    execute(entry);
    window_.note(entry.time, entry.sequence, queue_);
    note_on_tape();
  }
  window_.close();
}

/// First a message, then the link that it comes to.
[[gnu::always_inline]] inline void QueueTrafficPart::look_ahead() const {
  constexpr std::size_t kTravel = 5;
  constexpr std::size_t kLink = 2;
  const auto hop = [this](std::size_t ahead) -> const Travel* {
    const BucketQueue::Entry* const packed = queue_.entries().ahead(ahead);
    if (packed == nullptr) return nullptr;
    const PartQueue::Entry entry = PartQueue::unpack(*packed);
    return entry.kind == Kind::hop ? &travels_[entry.what] : nullptr;
  };
  if (const Travel* const travel = hop(kTravel)) prefetch_lines(travel, 2);
  const Travel* const travel = hop(kLink);
  if (travel == nullptr || travel->on_links.next == kNoLink) return;
  links_.prefetch(travel->on_links.next);
  if (travel->on_links.route != nullptr) prefetch(travel->on_links.route);
}

void QueueTrafficPart::execute(const PartQueue::Entry& entry) {
  if (entry.kind == Kind::heard) {
    const News news = heard_[entry.what];
    free_news_.push_back(entry.what);
    return heard(news.source, news.finished);
  }
  ++events_;
  if (entry.kind == Kind::send) return send(entry.what);
  if (travels_[entry.what].on_links.at_end) return arrive(entry.what);
  step(entry.what);
}

// --- Senders.

void QueueTrafficPart::arm(std::uint32_t number) {
  Sender& sender = senders_[number];
  if (!bed_.workload.next(sender.node, sender.clock.request)) return;
  const Time when = sender.clock.next_start(bed_.platform.nic(sender.node));
  sender.armed = true;
  queue_.push(when, queue_.next_sequence(now_, when, Kind::send), Kind::send, number);
}

void QueueTrafficPart::send(std::uint32_t number) {
  Sender& sender = senders_[number];
  sender.armed = false;
  depart(sender.clock.record(sender.node, 0));
  if (!sender.armed) arm(number);
}

void QueueTrafficPart::heard(NodeId source, Time finished) {
  const std::uint32_t number = sender_of(source);
  if (bed_.workload.finished(source, finished) && !senders_[number].armed) arm(number);
}

// --- Messages.

void QueueTrafficPart::depart(const MessageRecord& record) {
  const std::uint32_t number = take_travel();
  Travel& travel = travels_[number];
  travel.record = record;
  travel.here = true;
  const platform::Port port = port_of(bed_.from);
  const platform::Endpoint source{record.source, port};
  const platform::Endpoint destination{record.destination, port};
  network::QueueTravel& on_links = travel.on_links;
  on_links = {};
  on_links.size = record.size;
  on_links.rate_cap = record.rate_cap;
  on_links.route = routes_.find(source, destination);
  if (on_links.route == nullptr) {
    on_links.walk = links_.platform().routes().walk(source, destination, 0);
  }
  on_links.tail = now_;
  step(number);
}

[[gnu::always_inline]] inline void QueueTrafficPart::step(std::uint32_t number) {
  go_on(number, network::next_step(links_, travels_[number].on_links, now_, crossings_));
}

/// Something happens to it at `when`: here, or in another part.
[[gnu::always_inline]] inline void QueueTrafficPart::go_on(std::uint32_t number, Time when) {
  if (when == Time::never()) [[unlikely]] {
    throw RunError("simulated time goes beyond 106 days, where it ends (2^63 ps)");
  }
  Travel& travel = travels_[number];
  const bool ends = travel.on_links.at_end || travel.on_links.next == kNoLink;
  const std::uint32_t part =
      ends ? bed_.cut.part_of(travel.record.destination) : bed_.cut.part_of(travel.on_links.next);
  const EventPlace place{when, queue_.next_sequence(now_, when, Kind::hop)};
  if (bed_.closed && travel.on_links.at_end) tell(travel, place);
  if (part == bed_.me) return queue_.push(when, place.sequence, Kind::hop, number);
  leaving_.put(part, {place, travel.on_links, travel.record});
  travel.here = false;
  travels_.give_back(number);
}

/// It is going to arrive: its source hears of it in that instant, wherever it is.
void QueueTrafficPart::tell(const Travel& travel, const EventPlace& place) {
  const std::uint32_t part = bed_.cut.part_of(travel.record.source);
  if (part == bed_.cut.part_of(travel.record.destination)) return;
  news_.put(part, {place, travel.record.source, finished(travel.record, place.time)});
}

Time QueueTrafficPart::finished(const MessageRecord& record, Time arrival) const {
  return arrival + bed_.platform.nic(record.destination).receive_overhead;
}

void QueueTrafficPart::arrive(std::uint32_t number) {
  Travel& travel = travels_[number];
  MessageRecord& record = travel.record;
  record.finished = finished(record, now_);
  delivered_ += record.size;
  arrived_.push_back(
      {{now_, sequence_}, record, bed_.idle != nullptr ? bed_.idle->of(record) : Time::zero()});
  const NodeId source = record.source;
  travel.here = false;
  travels_.give_back(number);
  if (bed_.closed && bed_.cut.part_of(source) == bed_.me) {
    heard(source, arrived_.back().record.finished);
  }
}

std::vector<Time> QueueTrafficPart::take_unfinished(Time until) {
  std::vector<Time> created;
  const auto add = [&](Time when) {
    if (when < until) created.push_back(when);
  };
  for (std::uint32_t number = 0; number < made_; ++number) {
    if (travels_[number].here) add(travels_[number].record.created);
  }
  for (std::size_t part = 0; part < bed_.parts; ++part) {
    for (const Leaving& message : leaving_.to(part)) add(message.record.created);
  }
  for (Sender& sender : senders_) {
    if (!sender.armed) continue;
    Request& request = sender.clock.request;
    do {
      if (request.created >= until) break;
      created.push_back(request.created);
    } while (bed_.workload.next(sender.node, request));
  }
  return created;
}

// --- Windows.

void QueueTrafficPart::take() {
  for (std::size_t part = 0; part < bed_.parts; ++part) {
    for (const Leaving& message : others_[part]->leaving_.to(bed_.me)) {
      const std::uint32_t number = take_travel();
      travels_[number] = {message.on_links, message.record, true};
      queue_.push(message.place.time, message.place.sequence, Kind::hop, number);
    }
    for (const News& news : others_[part]->news_.to(bed_.me)) {
      if (free_news_.empty()) {
        free_news_.push_back(static_cast<std::uint32_t>(heard_.size()));
        heard_.emplace_back();
      }
      const std::uint32_t number = free_news_.back();
      free_news_.pop_back();
      heard_[number] = news;
      queue_.push(news.place.time, news.place.sequence, Kind::heard, number);
    }
  }
}

Time QueueTrafficPart::settle(Numbers& numbers) {
  Time next = queue_.settle(numbers);
  const auto resolve = [&](EventPlace& place) {
    place.sequence = PartQueue::resolve(numbers, place.sequence);
  };
  const auto settle_box = [&](auto& message) {
    resolve(message.place);
    next = std::min(next, message.place.time);
  };
  leaving_.settle(settle_box);
  news_.settle(settle_box);
  for (Arrived& arrived : arrived_) resolve(arrived.place);
  return next;
}

}  // namespace heddle::traffic
