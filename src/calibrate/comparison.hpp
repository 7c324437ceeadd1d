// What was measured beside what the machine that was found does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibrate/calibration.hpp"

namespace heddle::calibrate {

/// A test beside its simulation.
struct Comparison {
  Measurement measurement;
  std::vector<double> simulated;  ///< By point; empty if it is not.
  std::string reason;             ///< Why it is not.

  /// simulated / measured - 1, of the time.
  double error(std::size_t point) const;
  /// The absolute errors, sorted.
  std::vector<double> sorted_errors() const;
};

/// The value of which a share of the sorted ones is at most as large; 0 of none.
double quantile(const std::vector<double>& sorted, double share);

/// Runs all tests on the machine that was found.
std::vector<Comparison> compare(const Calibration& found, const Readings& readings);

/// The same input with every other size of the tests that are fitted left out; the first and the
/// last stay.
FitInput without_half(const FitInput& input);
/// Whether without_half() leaves the point of this number out.
bool left_out(const Measurement& measurement, std::size_t point);

}  // namespace heddle::calibrate
