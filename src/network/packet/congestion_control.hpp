// What keeps sources from sending more than a network takes.
//
// Packets are marked at congestion points, the outputs of switches. The notification point at their
// destination tells their source, at once or with the acknowledgements, and may grant it what to
// send. There the reaction point of their flow says from when, and how much, it may send.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "core/ids.hpp"
#include "core/quantity.hpp"
#include "core/time.hpp"

namespace heddle::network {

/// More than anybody has to send.
inline constexpr Bytes kNoLimit{std::numeric_limits<std::int64_t>::max() / 4};

// --- At an output of a switch.

/// The queue of a packet's lane as the packet has its turn.
struct QueueSight {
  std::int64_t waiting;  ///< Flits that have waited for the lane, those of the packet among them.
  std::int64_t passing;  ///< Those of the packet.
  bool lacked_credits;   ///< Meanwhile, or pauses held it up: a victim of congestion elsewhere.
  Bytes in_output;       ///< Of all lanes, let through before and not yet on the wire.
};

class CongestionPoint {
 public:
  virtual ~CongestionPoint() = default;
  /// Whether a packet that passes is marked.
  virtual bool marks(const QueueSight& queue) = 0;
};

/// What a congestion point needs to know of its output.
struct CongestedOutput {
  std::int64_t buffer_flits;  ///< Of the buffer at the far end, per lane.
  bool to_host;
  Bandwidth rate;
  Bytes flit;
  std::uint32_t number;  ///< Of the link: what chance goes by.
  Time longest_rtt;      ///< As FlowPath has it.
};

// --- At a receiving host.

/// So many bytes that a source may send.
struct Grant {
  NodeId source;
  Bytes bytes;
};

/// What a notification point needs to know of its host.
struct ReceivingEnd {
  Bandwidth rate;    ///< Of its link.
  Bytes packet;      ///< A largest one, on the wire.
  Time longest_rtt;  ///< As FlowPath has it.
};

class NotificationPoint {
 public:
  virtual ~NotificationPoint() = default;
  /// Whether the source of a marked packet that has come in at `now` is told of it, by a packet of
  /// its own.
  virtual bool notifies(NodeId /*source*/, Time /*now*/) { return false; }

  // Where sources wait for grants.
  /// At `now` the source has told that it has had `total` bytes to send here, since the beginning.
  virtual void wanted(NodeId /*source*/, Bytes /*total*/, Time /*now*/) {}
  /// When the next grant is due, as far as is known now; Time::never(): none is.
  virtual Time next_grant() const { return Time::never(); }
  /// It is due now.
  virtual Grant grant(Time /*now*/) { return {}; }
};

// --- At a source.

/// An output that an acknowledged packet has left on its way, as it left.
struct HopNews {
  Time at;
  Bytes queued;   ///< That waited there, all lanes, without the packet.
  Bytes carried;  ///< By its wire since the beginning, the packet among them.
  Bandwidth rate;
};

/// A packet has come to its destination, as its source hears at `now`. Packets of a flow are
/// numbered from 0 on.
struct AckNews {
  Time now;
  Time rtt;            ///< Since it began to leave.
  Bytes bytes;         ///< On the wire, of all packets that this one acknowledges.
  bool marked;         ///< Of the packet that has caused it.
  std::uint32_t hops;  ///< Links that it has crossed.
  std::int64_t packet;
  std::int64_t next;                   ///< The number of the first packet not yet sent.
  Bytes unacknowledged;                ///< Under way still.
  std::span<const HopNews> path = {};  ///< In order; if the control measures paths.
};

/// Packets are known to be lost.
struct LossNews {
  Time now;
  Bytes bytes;           ///< On the wire, as they left.
  bool trimmed;          ///< Their headers have arrived.
  bool at_last_hop;      ///< Then: it was at the link to the destination.
  Bytes unacknowledged;  ///< Under way still, without them.
};

/// A packet begins to leave.
struct Departure {
  Time now;
  Time due;     ///< When it would have left if nothing had held it up.
  Time length;  ///< In which it passes the wire.
  Bytes bytes;  ///< On the wire.
};

/// A flow: what a source sends to one destination. What a control does not need it leaves out.
class ReactionPoint {
 public:
  virtual ~ReactionPoint() = default;

  /// From when its next packet may begin to leave.
  virtual Time allowed() const { return Time::zero(); }
  /// How much may be unacknowledged, where acknowledgements come. One packet always may.
  virtual Bytes window() const { return kNoLimit; }
  /// How much it may send by what it has been granted; more than none lets one packet pass.
  virtual Bytes credit() const { return kNoLimit; }

  virtual void sent(const Departure&) {}
  /// A notification of a marked packet has come.
  virtual void notified(Time /*now*/) {}
  virtual void acknowledged(const AckNews&) {}
  virtual void lost(const LossNews&) {}
  /// Nothing has been heard of packets for so long that they are sent again. They are lost, too.
  virtual void timed_out(Time /*now*/) {}
  virtual void granted(Time /*now*/, Bytes) {}
};

/// What the reaction point of a flow needs to know of its way, by the deterministic route.
struct FlowPath {
  Bandwidth rate;       ///< Of the slowest link.
  Time rtt;             ///< Of a largest packet and its acknowledgement, where nobody else is.
  Time longest_rtt;     ///< The longest there is from any source.
  std::uint32_t links;  ///< That it crosses.
  Bytes packet;         ///< A largest one, on the wire ...
  Bytes payload;        ///< ... and what it carries.
};

/// Makes the points of a network; outlives them. Several threads may use it.
class CongestionControl {
 public:
  virtual ~CongestionControl() = default;
  /// Null: nothing is marked.
  virtual std::unique_ptr<CongestionPoint> new_point(const CongestedOutput&) const {
    return nullptr;
  }
  virtual std::unique_ptr<NotificationPoint> new_notification_point(const ReceivingEnd&) const {
    return std::make_unique<NotificationPoint>();
  }
  virtual std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const = 0;

  /// Whether its flows go by acknowledgements.
  virtual bool acknowledges() const { return false; }
  /// Whether these tell of the outputs on the way.
  virtual bool measures_paths() const { return false; }
  /// Whether its flows wait for grants.
  virtual bool grants() const { return false; }
};

}  // namespace heddle::network
