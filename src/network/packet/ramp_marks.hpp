// Marking by the length of a queue, as RED has it.
#pragma once

#include "core/random.hpp"
#include "network/packet/congestion_control.hpp"

namespace heddle::network {

/// No packet up to a length, all of them beyond another, and between the two with a chance that
/// rises from none to `chance`.
struct MarkRamp {
  Bytes low;
  Bytes high;
  double chance;
};

/// By all that waits for the output when a packet passes, that packet left out.
class RampMarks final : public CongestionPoint {
 public:
  RampMarks(const MarkRamp& ramp, const CongestedOutput& output)
      : ramp_(ramp), flit_(output.flit), draw_(output.number) {}
  bool marks(const QueueSight& queue) override {
    const Bytes length = queue.in_output + flit_ * (queue.waiting - queue.passing);
    if (length <= ramp_.low) return false;
    if (length > ramp_.high) return true;
    const double above = static_cast<double>((length - ramp_.low).count());
    const double range = static_cast<double>((ramp_.high - ramp_.low).count());
    return draw_.uniform() * range < ramp_.chance * above;
  }

 private:
  MarkRamp ramp_;
  Bytes flit_;
  RandomStream draw_;
};

}  // namespace heddle::network
