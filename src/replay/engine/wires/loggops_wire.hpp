// Messages that arrive when LogGOPS says.
#pragma once

#include "replay/engine/wires/wire.hpp"

namespace heddle::replay {

class LogGopsWire : public Wire {
 public:
  explicit LogGopsWire(const WireBed& bed)
      : Wire(bed), first_(bed.part.first()), count_(bed.part.ranks()) {}

  /// Sends a message, which arrives at its `since`. Its number, or kNoMessage: it goes to another
  /// part.
  MessageId launch(const Message& message, RankId receiver) {
    if (raw(receiver) - raw(first_) >= count_) {
      part_.messages().put(part_.part_of(receiver),
                           {message.since, message.sequence, message.size, message.op,
                            message.source, message.tag, receiver, message.units});
      return kNoMessage;
    }
    const MessageId number = deliveries_.add(message);
    events_.push(message.since, message.sequence, EntryKind::message, receiver, number);
    return number;
  }

 private:
  const RankId first_;  ///< Of the ranks that are here.
  const std::uint32_t count_;
};

}  // namespace heddle::replay
