// Parameters by size that take up what all others leave of tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibrate/draft.hpp"

namespace heddle::calibrate {

struct RestCurve {
  const Measurement* test;
  std::string parameter;
  std::string what;
  std::int64_t limit;           ///< Another line begins at this size, if it is not 0.
  std::vector<double> seconds;  ///< By point, to begin with; empty: nothing.
};

/// First what is given, then more by what is missing, again and again: what tests take is what the
/// simulator makes of them.
class RestCurves {
 public:
  explicit RestCurves(Draft& draft) : draft_(draft) {}
  void add(RestCurve curve) { curves_.push_back(std::move(curve)); }
  void fit();

 private:
  void correct(RestCurve& curve);
  void write(const RestCurve& curve);

  Draft& draft_;
  std::vector<RestCurve> curves_;
};

}  // namespace heddle::calibrate
