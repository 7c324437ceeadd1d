#include "replay/engine/wires/link_wire.hpp"

#include "core/error.hpp"

namespace heddle::replay {

std::uint32_t LinkWire::launch(Message message, std::uint32_t /*receiver*/) {
  message.departing = true;
  const std::uint32_t number = deliveries_.add_fresh(message);
  events_.push(message.since, message.sequence, EntryKind::message, message.source, number);
  return number;
}

void LinkWire::depart(std::uint32_t number) {
  Message& message = deliveries_[number];
  message.departing = false;
  const std::uint32_t taken = on_links_.take();
  LinkMessage& on_links = on_links_[taken];
  on_links.message = number;
  network::QueueTravel& travel = on_links.travel;
  travel = {};
  travel.size = Bytes(static_cast<std::int64_t>(message.size));
  travel.walk = fabric_.links.platform().routes().walk(
      {fabric_.nodes[message.source], platform::Port::memory},
      {fabric_.nodes[receiver_of(message)], platform::Port::memory}, 0);
  travel.tail = Time::ps(events_.now());
  cross_next(taken);
}

void LinkWire::hop(std::uint32_t number) {
  ++hops_;
  cross_next(number);
}

void LinkWire::cross_next(std::uint32_t number) {
  network::QueueTravel& travel = on_links_[number].travel;
  if (travel.at_end) return arrive(number);
  network::QueueLinks& links = fabric_.links;
  const LinkId link = travel.first_link
                          ? links.platform().routes().next(travel.walk, platform::NoLoads{})
                          : travel.next;
  if (link != kNoLink) {
    return go_on(number, links.cross(travel, link, Time::ps(events_.now()), crossings_).next);
  }
  travel.first_link = false;
  travel.at_end = true;
  go_on(number, travel.tail);
}

/// Something happens to it at `when`: here, or in another part.
void LinkWire::go_on(std::uint32_t number, Time when) {
  if (when == Time::never()) throw RunError("simulated time goes beyond 106 days");
  const network::QueueTravel& travel = on_links_[number].travel;
  const bool ends = travel.at_end || travel.next == kNoLink;
  const std::uint32_t part =
      ends ? fabric_.cut.part_of(travel.walk.destination.node) : fabric_.cut.part_of(travel.next);
  if (part != part_.me()) return hand_over(number, when.ps(), part);
  events_.push(when.ps(), events_.next_sequence() & ~Sequences::kBehind, EntryKind::hop,
               part_.first(), number);
}

void LinkWire::hand_over(std::uint32_t number, std::int64_t when, std::uint32_t part) {
  const LinkMessage& on_links = on_links_[number];
  const Message& message = deliveries_[on_links.message];
  part_.link_messages().put(
      part, {when, events_.next_sequence() & ~Sequences::kBehind, message.sequence, message.op,
             message.source, message.units, on_links.travel});
  deliveries_.forget(on_links.message);
  on_links_.give_back(number);
}

void LinkWire::arrive(std::uint32_t number) {
  const std::uint32_t arrived = on_links_[number].message;
  on_links_.give_back(number);
  Message& message = deliveries_[arrived];
  message.since = events_.now();
  events_.push(message.since, message.sequence, EntryKind::message, receiver_of(message), arrived);
}

void LinkWire::take(const WindowedPart& other) {
  for (const RemoteLinkMessage& remote : other.link_messages().to(part_.me())) {
    const auto tag = schedule_.rank(remote.source).packed(remote.op).tag;
    const std::uint32_t taken = on_links_.take();
    on_links_[taken].travel = remote.travel;
    on_links_[taken].message =
        deliveries_.add({remote.of_launch, static_cast<std::uint64_t>(remote.travel.size.count()),
                         remote.time, remote.op, remote.source, tag, remote.units});
    events_.push(remote.time, remote.sequence, EntryKind::hop, part_.first(), taken);
  }
}

}  // namespace heddle::replay
