// What carries the messages of a replay from the moment they are sent until they arrive.
//
// The engine is compiled for each kind of wire. A message arrives when the wire has put an entry
// EntryKind::message with its receiver into the queue.
#pragma once

#include <cstdint>
#include <string>

#include "replay/engine/deliveries.hpp"
#include "replay/engine/engine_input.hpp"
#include "replay/engine/event_queue.hpp"
#include "replay/engine/windowed_part.hpp"

namespace heddle::replay {

/// What a wire works with.
struct WireBed {
  const EngineInput& input;
  EventQueue& events;
  Deliveries& deliveries;
  WindowedPart& part;
};

/// The answers of a wire that has nothing to do with what is asked; every kind is derived from it,
/// and has launch(message, receiver) besides.
class Wire {
 public:
  explicit Wire(const WireBed& bed)
      : schedule_(bed.input.schedule),
        events_(bed.events),
        deliveries_(bed.deliveries),
        part_(bed.part) {}

  /// Whether a message that is sent enters a network first: depart() is called when its entry is
  /// served.
  static constexpr bool kEntersNetwork = false;
  void depart(MessageId /*message*/) {}
  /// A message is at its next link, or its last byte at its end.
  void hop(LinkMessageId /*link_message*/) {}
  void prefetch_hop(LinkMessageId /*link_message*/) const {}

  /// Takes the next entry; false when nothing is left. `report()` is called now and then.
  template <class Report>
  bool next(BucketQueue::Entry& entry, Report /*report*/) {
    return events_.entries().pop(entry);
  }
  /// The next entry of the window, or nullptr.
  const BucketQueue::Entry* next_in_window() { return events_.entries().first_of_window(); }
  /// A window is over: when next the network does something.
  Time settle(Numbers& /*numbers*/) { return Time::never(); }
  /// What another part has for this one, besides messages that arrive.
  void take(const WindowedPart& /*other*/) {}

  /// What happened on links, and a hash of it that is the sum of the parts'.
  std::uint64_t hops() const { return 0; }
  std::uint64_t fingerprint() const { return 0; }
  /// What the network waits for; empty if it does not.
  std::string stuck() const { return ""; }

 protected:
  const goal::PackedOp& sent(const Message& message) const {
    return schedule_.rank(raw(message.source)).packed(raw(message.op));
  }
  RankId receiver_of(const Message& message) const { return RankId{sent(message).peer}; }

  const goal::Schedule& schedule_;
  EventQueue& events_;
  Deliveries& deliveries_;
  WindowedPart& part_;
};

}  // namespace heddle::replay
