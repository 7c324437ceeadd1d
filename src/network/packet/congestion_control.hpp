// What keeps sources from sending more than a network takes: packets are marked at a congestion
// point, the notification point at their destination tells their source, and there the reaction
// point of their flow slows it down.
#pragma once

#include <cstdint>
#include <memory>

#include "core/ids.hpp"
#include "core/time.hpp"

namespace heddle::network {

/// An output of a switch.
class CongestionPoint {
 public:
  virtual ~CongestionPoint() = default;
  /// Whether a packet that passes is marked. With it, `waiting` flits have waited for its lane; it
  /// may have waited for credits, `lacked_credits`, as a victim of congestion elsewhere.
  virtual bool marks(std::int64_t waiting, bool lacked_credits) = 0;
};

/// A receiving host.
class NotificationPoint {
 public:
  virtual ~NotificationPoint() = default;
  /// Whether the source of a marked packet that has come in at `now` is told of it.
  virtual bool notifies(NodeId source, Time now) = 0;
};

/// A flow at its source: what that sends to one destination.
class ReactionPoint {
 public:
  virtual ~ReactionPoint() = default;
  /// From when its next packet may begin to leave.
  virtual Time allowed() const = 0;
  /// A packet that was due to leave at `due`, and keeps the wire for `length`, has begun at `now`.
  virtual void sent(Time now, Time due, Time length) = 0;
  virtual void notified(Time now) = 0;
};

/// What a congestion point needs to know of its output.
struct CongestedOutput {
  std::int64_t buffer_flits;  ///< Of the buffer at the far end, per lane.
  bool to_host;
};

/// Makes the points of a network; outlives them. Several threads may use it.
class CongestionControl {
 public:
  virtual ~CongestionControl() = default;
  virtual std::unique_ptr<CongestionPoint> new_point(const CongestedOutput& output) const = 0;
  virtual std::unique_ptr<NotificationPoint> new_notification_point() const = 0;
  virtual std::unique_ptr<ReactionPoint> new_flow() const = 0;
};

}  // namespace heddle::network
