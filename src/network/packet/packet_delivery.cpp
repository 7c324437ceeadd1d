// How packets end at their destination.
#include <algorithm>

#include "network/packet/packet_parts.hpp"

namespace heddle::network {

void PacketNetwork::enter_sink(Host& host, Packet& packet) {
  report_head(*packet.message);
  const Time now = simulation_.now();
  Port& last = *packet.before;
  if (config_.sink.attoseconds() == 0) {  // Flits are taken as they come.
    const Time tail = now + packet.spacing * (packet.flits - 1) + last_flit_time(last, packet);
    packet.at_end = true;
    free_buffer(packet, tail);
    return simulation_.schedule(packet, tail, host.source);
  }
  Lane& lane = lane_of(last, packet.in_lane);
  if (lane.end_host == nullptr) enter_host(last, host);
  drain(host, now);
  host.sink.add({now, packet.spacing, packet.flits,
                 static_cast<std::uint32_t>(config_.flit.count()), packet.last_bytes,
                 lane.sink_account, &packet});
  simulation_.cancel(host);
  simulation_.schedule(host, host.sink.front_drained(), host.source);
  if (lane.lacking > 0) look_for_credits(last, packet.in_lane);
}

/// In which the last flit comes in: at the pace of the slowest link on the way.
Time PacketNetwork::last_flit_time(const Port& last, const Packet& packet) const {
  if (packet.last_bytes == config_.flit.count())
    return std::max(last.kind->flit_time, packet.spacing);
  // Part by part: spacing times bytes may be too large.
  const std::int64_t flit = config_.flit.count();
  const std::int64_t whole = packet.spacing.ps() / flit;
  const std::int64_t rest = packet.spacing.ps() - whole * flit;
  const Time paced = Time::ps(whole * packet.last_bytes + rest * packet.last_bytes / flit);
  return std::max(last.kind->bandwidth.time_for(Bytes(packet.last_bytes)), paced);
}

void PacketNetwork::report_head(Message& message) {
  if (message.head_reported) return;
  message.head_reported = true;
  message.transfer.report(Instant::head);
}

/// `port` leads to `host`: the sink's drains give it credits from now on.
void PacketNetwork::enter_host(Port& port, Host& host) {
  const std::span<Lane> lanes = port.lanes();
  const std::size_t first = host.entrances.size() * lanes.size();
  host.entrances.insert(host.entrances.size(), &port);
  host.sink.count_accounts(first + lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i].end_host = &host;
    lanes[i].sink_account = static_cast<std::uint32_t>(first + i);
  }
}

/// Takes the flits due by `until`. A flow-control packet tells of those that were taken before it
/// left, so the drains up to the last one are credited apart from those after it.
void PacketNetwork::drain(Host& host, Time until) {
  bool ended = false;
  for (const Port* entrance : host.entrances) {
    const Time told = credits_of(*entrance).last_departure(until);
    if (told < until) ended |= drain_and_credit(host, told);
  }
  ended |= drain_and_credit(host, until);
  if (!ended) return;
  simulation_.cancel(host);
  if (!host.sink.empty()) simulation_.schedule(host, host.sink.front_drained(), host.source);
}

/// Takes the flits due by `until` and gives their senders the credits; true if packets ended.
bool PacketNetwork::drain_and_credit(Host& host, Time until) {
  bool ended = false;
  while (!host.sink.empty()) {
    auto* packet = static_cast<Packet*>(host.sink.front().packet);
    if (!host.sink.advance(until)) break;
    ended = true;
    finish(*packet);
  }
  for (Port* entrance : host.entrances) {
    for (Lane& lane : entrance->lanes()) {
      const std::int64_t drained = host.sink.drained(lane.sink_account);
      if (drained != lane.sink_freed) lane.credits.free_at(until, drained - lane.sink_freed);
      lane.sink_freed = drained;
    }
  }
  return ended;
}

/// What the packet carries of its message.
Bytes PacketNetwork::payload(const Packet& packet) const {
  const Bytes carried = config_.flit * (packet.flits - 1) + Bytes(packet.last_bytes);
  return std::min(carried - config_.header, packet.message->transfer.size);
}

void PacketNetwork::finish(Packet& packet) {
  Message& message = *packet.message;
  if (packet.marked) notify_source(packet);
  if (!message.notification) delivered_ += payload(packet);
  in_order_ ? ordered_packets_.give_back(static_cast<OrderedPacket&>(packet))
            : packets_.give_back(static_cast<PlainPacket&>(packet));
  if (--message.packets_left > 0) return;
  report_head(message);  // Of a message that crossed no link.
  const Transfer transfer = message.transfer;
  if (message.notification) {
    host(transfer.destination.node)
        .throttles[static_cast<std::uint32_t>(transfer.source.node)]
        .notified(simulation_.now(), config_);
  }
  messages_.give_back(message);
  transfer.report(Instant::tail);
}

}  // namespace heddle::network
