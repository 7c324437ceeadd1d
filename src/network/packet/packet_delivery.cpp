// How packets end at their destination.
#include "network/packet/packet_parts.hpp"

namespace heddle::network {

void PacketNetwork::enter_sink(Host& host, Packet& packet) {
  report_head(*packet.message);
  const Time now = simulation_.now();
  Port& last = port(packet.in);
  if (config_.sink.attoseconds() == 0) {  // Flits are taken as they come.
    const Time tail = now + packet.spacing * (packet.flits - 1) +
                      last.bandwidth.time_for(Bytes(packet.last_bytes));
    packet.at_end = true;
    free_buffer(packet, tail);
    return simulation_.schedule(packet, tail, source_);
  }
  last.end_host = &host;
  drain(host, now);
  host.sink.add({now, packet.spacing, packet.flits,
                 static_cast<std::uint32_t>(config_.flit.count()), packet.last_bytes,
                 packet.in_lane, &packet});
  simulation_.cancel(host);
  simulation_.schedule(host, host.sink.front_drained(), source_);
  if (last.lanes[packet.in_lane].stalled_since != Time::never()) look_for_credits(last, now);
}

void PacketNetwork::report_head(Message& message) {
  if (message.head_reported) return;
  message.head_reported = true;
  if (message.transfer.wants_instant(Instant::head))
    message.transfer.client->transfer_reached(Instant::head, message.transfer.cookie);
}

/// Takes the flits due by `until`, and finishes the packets that end with them.
void PacketNetwork::drain(Host& host, Time until) {
  bool any = false;
  while (!host.sink.empty()) {
    auto* packet = static_cast<Packet*>(host.sink.front().packet);
    if (!host.sink.advance(until)) break;
    any = true;
    finish(*packet);
  }
  if (!any) return;
  simulation_.cancel(host);
  if (!host.sink.empty()) simulation_.schedule(host, host.sink.front_drained(), source_);
}

void PacketNetwork::finish(Packet& packet) {
  Message& message = *packet.message;
  if (packet.marked) notify_source(packet);
  packets_.give_back(packet);
  if (--message.packets_left > 0) return;
  const Transfer transfer = message.transfer;
  if (message.notification) {
    host(transfer.destination.node)
        .throttles[static_cast<std::uint32_t>(transfer.source.node)]
        .notified(simulation_.now(), config_);
  }
  messages_.give_back(message);
  if (transfer.wants_instant(Instant::tail)) {
    transfer.client->transfer_reached(Instant::tail, transfer.cookie);
  }
}

}  // namespace heddle::network
