// How many messages a second a node sends at most.
#pragma once

#include "calibrate/draft.hpp"

namespace heddle::calibrate {

/// `nic.gap`, from streams of several pairs.
class MessageRate {
 public:
  /// `latency` between two nodes may be null; `alone` is the time between short messages of one
  /// rank in seconds, or 0.
  MessageRate(Draft& draft, const Measurement* latency, double alone)
      : draft_(draft), latency_(latency), alone_(alone) {}

  void find();
  /// Windows of several pairs fill each other's gaps: how well, the simulator knows.
  void correct();

 private:
  double gap_of_node(const Measurement& test, const Point& point) const;
  void take(const Measurement& test);
  void guess();

  Draft& draft_;
  const Measurement* latency_;
  double alone_;
  bool measured_ = false;
  Measurement limited_;  ///< The point at which a node's message rate ends, if any.
};

}  // namespace heddle::calibrate
