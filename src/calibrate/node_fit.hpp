// What ranks of one node do with each other, and what data costs their processors.
#pragma once

#include "calibrate/rest_curves.hpp"

namespace heddle::calibrate {

class NodeFit {
 public:
  explicit NodeFit(Draft& draft)
      : draft_(draft),
        latency_(draft.find_test(Loop::ping_pong, true)),
        stream_(draft.find_test(Loop::stream, true)) {}

  /// What follows from the tests alone, or is guessed.
  void begin();
  /// What the simulator has to say more of.
  void add_curves(RestCurves& curves) const;

 private:
  void take_latency();
  void find_eager_limit();
  void find_memory();
  void take_data_costs();
  void guess();

  Draft& draft_;
  const Measurement* latency_;
  const Measurement* stream_;
  std::int64_t limit_ = 0;
};

}  // namespace heddle::calibrate
