// The engine as one part of a replay over a fabric: the hops of messages over its links.
//
// Each does what QueueNetwork does with a message of which only the last byte's arrival is wanted;
// in the same order, for hops come before what ranks do in the same instant, and among themselves
// in the order in which they were caused.
#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {

void ReplayEngine::take_off(std::uint32_t number) {
  const Message& message = messages_[number];
  const std::uint32_t taken = flights_.take();
  Flight& flight = flights_[taken];
  flight.message = number;
  network::QueueTravel& travel = flight.travel;
  travel = {};
  travel.size = Bytes(static_cast<std::int64_t>(message.size));
  travel.walk = fabric_->links.platform().walk(
      {fabric_->nodes[message.source], platform::Port::memory},
      {fabric_->nodes[receiver_of(message)], platform::Port::memory}, 0);
  travel.tail = Time::ps(now_);
  advance(taken);
}

void ReplayEngine::advance(std::uint32_t number) {
  network::QueueTravel& travel = flights_[number].travel;
  if (travel.at_end) return land(number);
  network::QueueLinks& links = fabric_->links;
  const LinkId link =
      travel.first_link ? links.platform().next(travel.walk, platform::NoLoads{}) : travel.next;
  if (link != kNoLink)
    return go_on(number, links.cross(travel, link, Time::ps(now_), crossings_).next);
  travel.first_link = false;
  travel.at_end = true;
  go_on(number, travel.tail);
}

/// Something happens to it at `when`: here, or in another part.
void ReplayEngine::go_on(std::uint32_t number, Time when) {
  if (when == Time::never()) throw RunError("simulated time goes beyond 106 days");
  const network::QueueTravel& travel = flights_[number].travel;
  const bool ends = travel.at_end || travel.next == kNoLink;
  const std::uint32_t part =
      ends ? fabric_->cut.part_of(travel.walk.destination.node) : fabric_->cut.part_of(travel.next);
  if (part != me_) return hand_over(number, when.ps(), part);
  push(when.ps(), sequence_++ & ~Sequences::kBehind, EntryKind::hop, first_, number);
}

void ReplayEngine::hand_over(std::uint32_t number, std::int64_t when, std::uint32_t part) {
  const Flight& flight = flights_[number];
  const Message& message = messages_[flight.message];
  outgoing_flights_[parity_ ^ 1][part].push_back({when, sequence_++ & ~Sequences::kBehind,
                                                  message.sequence, message.op, message.source,
                                                  message.units, flight.travel});
  messages_.give_back(flight.message);
  flights_.give_back(number);
}

void ReplayEngine::land(std::uint32_t number) {
  const std::uint32_t landed = flights_[number].message;
  flights_.give_back(number);
  Message& message = messages_[landed];
  message.since = now_;
  push(now_, message.sequence, EntryKind::message, receiver_of(message), landed);
}

/// Gives what is handed over its numbers; when next something is.
std::int64_t ReplayEngine::settle_flights(Numbers& numbers) {
  std::int64_t next = kNever;
  for (auto& flights : outgoing_flights_[parity_]) {
    for (RemoteFlight& flight : flights) {
      flight.sequence = numbers.resolve(flight.sequence) & ~Sequences::kBehind;
      flight.of_launch = numbers.resolve(flight.of_launch);
      next = std::min(next, flight.time);
    }
  }
  for (auto& flights : outgoing_flights_[parity_ ^ 1]) flights.clear();
  return next;
}

void ReplayEngine::take(std::span<const RemoteFlight> flights) {
  for (const RemoteFlight& remote : flights) {
    const std::uint32_t number = messages_.take();
    const auto tag = schedule_.rank(remote.source).packed(remote.op).tag;
    messages_[number] = {remote.of_launch,
                         static_cast<std::uint64_t>(remote.travel.size.count()),
                         remote.time,
                         remote.op,
                         remote.source,
                         tag,
                         remote.units,
                         kNone,
                         kNone,
                         false};
    const std::uint32_t taken = flights_.take();
    flights_[taken].travel = remote.travel;
    flights_[taken].message = number;
    push(remote.time, remote.sequence, EntryKind::hop, first_, taken);
  }
}

}  // namespace heddle::replay
