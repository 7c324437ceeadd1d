// One part of a replay that is shared, window by window of time.
#pragma once

#include <cstdint>

#include "core/windows/event_window.hpp"
#include "core/windows/numbering.hpp"
#include "core/windows/outbox.hpp"
#include "replay/engine/event_queue.hpp"
#include "replay/engine/message.hpp"
#include "replay/engine/parts.hpp"

namespace heddle::replay {

/// A window of the part's, and what it has for others. An engine that has all ranks is a part whose
/// only window never ends.
class WindowedPart : public EventWindow {
 public:
  /// All ranks; `window` as below.
  WindowedPart(std::uint32_t ranks, Time window);
  /// Part `me`. No window is longer than `window`. `mark` is that of its ranks' sequences: 0 or
  /// Sequences::kBehind.
  WindowedPart(const Parts& parts, std::size_t me, Time window, std::uint64_t mark);

  /// Whether there are others.
  bool shared() const { return shared_; }
  std::size_t me() const { return me_; }
  RankId first() const { return parts_.begin(me_); }
  RankId last() const { return parts_.end(me_); }
  std::uint32_t ranks() const { return raw(last()) - raw(first()); }
  std::size_t part_of(RankId rank) const { return parts_.part_of(rank); }

  /// The queue's for this part: slices end where windows do.
  EventQueue make_queue() const;

  /// Gives what it has for others its numbers; when the first of that is to happen, or
  /// Time::never().
  Time settle(Numbers& numbers);

  Outbox<RemoteMessage>& messages() { return messages_; }
  const Outbox<RemoteMessage>& messages() const { return messages_; }
  Outbox<RemoteLinkMessage>& link_messages() { return link_messages_; }
  const Outbox<RemoteLinkMessage>& link_messages() const { return link_messages_; }

 private:
  const Parts parts_;
  const std::size_t me_;
  const bool shared_;
  Outbox<RemoteMessage> messages_;
  Outbox<RemoteLinkMessage> link_messages_;
};

}  // namespace heddle::replay
