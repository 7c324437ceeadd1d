#include "replay/engine/wires/link_wire.hpp"

#include "core/error.hpp"
#include "network/queue/link_steps.hpp"

namespace heddle::replay {

MessageId LinkWire::launch(Message message, RankId /*receiver*/) {
  message.departing = true;
  const MessageId number = deliveries_.add_fresh(message);
  events_.push(message.since, message.sequence, EntryKind::message, message.source, number);
  return number;
}

void LinkWire::depart(MessageId number) {
  Message& message = deliveries_[number];
  message.departing = false;
  const LinkMessageId taken{on_links_.take()};
  LinkMessage& on_links = on_links_[raw(taken)];
  on_links.message = number;
  network::QueueTravel& travel = on_links.travel;
  travel = {};
  travel.size = message.size;
  travel.walk = fabric_.links.platform().routes().walk(
      {fabric_.nodes[index(message.source)], platform::Port::memory},
      {fabric_.nodes[index(receiver_of(message))], platform::Port::memory}, 0);
  travel.tail = events_.now();
  cross_next(taken);
}

void LinkWire::hop(LinkMessageId number) {
  ++hops_;
  cross_next(number);
}

void LinkWire::cross_next(LinkMessageId number) {
  network::QueueTravel& travel = on_links_[raw(number)].travel;
  if (travel.at_end) return arrive(number);
  go_on(number, next_step(fabric_.links, travel, events_.now(), crossings_));
}

/// Something happens to it at `when`: here, or in another part.
void LinkWire::go_on(LinkMessageId number, Time when) {
  if (when == Time::never()) throw RunError("simulated time goes beyond 106 days");
  const network::QueueTravel& travel = on_links_[raw(number)].travel;
  const bool ends = travel.at_end || travel.next == kNoLink;
  const std::uint32_t part =
      ends ? fabric_.cut.part_of(travel.walk.destination.node) : fabric_.cut.part_of(travel.next);
  if (part != part_.me()) return hand_over(number, when, part);
  events_.push(when, events_.next_sequence() & ~Sequences::kBehind, EntryKind::hop, part_.first(),
               number);
}

void LinkWire::hand_over(LinkMessageId number, Time when, std::uint32_t part) {
  const LinkMessage& on_links = on_links_[raw(number)];
  const Message& message = deliveries_[on_links.message];
  part_.link_messages().put(
      part, {when, events_.next_sequence() & ~Sequences::kBehind, message.sequence, message.op,
             message.source, message.units, on_links.travel});
  deliveries_.forget(on_links.message);
  on_links_.give_back(raw(number));
}

void LinkWire::arrive(LinkMessageId number) {
  const MessageId arrived = on_links_[raw(number)].message;
  on_links_.give_back(raw(number));
  Message& message = deliveries_[arrived];
  message.since = events_.now();
  events_.push(message.since, message.sequence, EntryKind::message, receiver_of(message), arrived);
}

void LinkWire::take(const WindowedPart& other) {
  for (const RemoteLinkMessage& remote : other.link_messages().to(part_.me())) {
    const auto tag = Tag{schedule_.rank(raw(remote.source)).packed(raw(remote.op)).tag};
    const LinkMessageId taken{on_links_.take()};
    on_links_[raw(taken)].travel = remote.travel;
    on_links_[raw(taken)].message =
        deliveries_.add({remote.of_launch, remote.travel.size, remote.time, remote.op,
                         remote.source, tag, remote.units});
    events_.push(remote.time, remote.sequence, EntryKind::hop, part_.first(), taken);
  }
}

}  // namespace heddle::replay
