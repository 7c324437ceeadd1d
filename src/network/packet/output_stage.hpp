// The way out of an output: its side of the crossbar, its buffer and its wire.
#pragma once

#include <algorithm>
#include <cstdint>

#include "network/packet/credit_clock.hpp"
#include "network/packet/failing_wire.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/port_kind.hpp"

namespace heddle::network {

/// When a packet passes.
struct Passage {
  Time last_passed;  ///< Its last flit, through the crossbar.
  Time begin;        ///< Its first flit, on the wire ...
  Time end;          ///< ... and the end of its last.
  Time lost;         ///< Never, unless the link fails.
  Time spacing;      ///< Of its flits from there on.
};

/// Knows until when crossbar and wire are kept. Of a half-duplex cable both directions have one
/// wire.
class OutputStage {
 public:
  OutputStage() = default;
  OutputStage(const OutputStage&) = delete;
  OutputStage& operator=(const OutputStage&) = delete;

  void share_wire(OutputStage& other) { wire_free_ = other.wire_free_; }
  Time wire_free() const { return *wire_free_; }
  Time crossbar_free() const { return crossbar_free_; }

  /// From when the output buffer has room for all of the packet and one flit.
  Time room_at(const PortKind& kind, const Packet& packet) const {
    return wire_free() - kind.flit_time * (kind.output_flits - packet.flits - 1);
  }
  /// What has been let through at `now` and is not yet on the wire.
  Bytes queued(const PortKind& kind, Time now) const {
    const Time time = std::max(Time::zero(), wire_free() - now - kind.to_wire);
    return Bytes(
        static_cast<std::int64_t>(static_cast<double>(time.ps()) * kind.bandwidth.bytes_per_ps()));
  }
  /// The packet passes from `now` on, the flow-control packets of `carried` between. `plain`: the
  /// kind is known to be.
  Passage take(const PortKind& kind, LinkId link, const Packet& packet, Time now,
               CreditClock& carried, bool plain = false);

 private:
  Time crossbar_free_;
  Time* wire_free_ = &own_wire_free_;
  Time own_wire_free_;  ///< Unused if it is the other direction's that is shared.
};

/// Flits follow one another at the speed of the slowest of the links so far, the crossbar and this
/// wire, which is kept until the last has passed. Every hop is one.
[[gnu::always_inline]] inline Passage OutputStage::take(const PortKind& kind, LinkId link,
                                                        const Packet& packet, Time now,
                                                        CreditClock& carried, bool plain) {
  const PacketPlan& plan = kind.context.plan;
  const std::int64_t behind = packet.flits - 1;
  const Bytes last(packet.last_bytes);
  const Time last_passed =
      std::max(now + kind.crossbar_flit * behind, packet.head + packet.spacing * behind);
  const Time wanted = now + kind.to_wire;
  Time begin =
      plan.credit_packets ? carried.begin_data(wanted, wire_free()) : std::max(wanted, wire_free());
  Time last_begin = std::max(begin + kind.flit_time * behind, last_passed + kind.to_wire);
  const Time last_time = last == plan.config.flit ? kind.flit_time : kind.bandwidth.time_for(last);
  Time end = last_begin + last_time;
  Time lost = Time::never();
  if (!plain && plan.links_fail) [[unlikely]] {
    const WirePassage passage = passage_on(plan.platform, link, {begin, end}, kind.wire);
    begin = passage.begin;
    end = passage.end;
    lost = passage.lost;
    last_begin = std::max(begin, end - last_time);
  }
  *wire_free_ = end;
  if (plan.credit_packets) carried.carried(begin, end);
  crossbar_free_ = last_passed + kind.crossbar.time_for(last);
  const Time spacing =
      behind == 0 ? std::max(packet.spacing, kind.flit_time) : (last_begin - begin) / behind;
  return {last_passed, begin, end, lost, spacing};
}

}  // namespace heddle::network
