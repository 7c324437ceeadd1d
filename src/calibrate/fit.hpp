// Parameters of a machine, from what was measured on it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/measurement.hpp"
#include "core/params.hpp"
#include "platform/machine.hpp"

namespace heddle::calibrate {

/// A parameter that was found, and where it comes from, in lines.
struct FittedValue {
  std::string parameter;
  std::string value;
  std::vector<std::string> remarks;
};

/// What the user has besides files.
struct FitInput {
  Readings readings;
  Settings settings;  ///< Of the machine, if there is one, else none.
  platform::MachineDescription description;
  bool machine_given = false;  ///< Then only `mpi` is fitted.
  std::optional<Bytes> eager_limit;
  std::optional<std::uint32_t> nodes;  ///< Of the machine that is made.
};

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

struct Calibration {
  Settings settings;  ///< With what was found.
  platform::MachineDescription description;
  std::unique_ptr<platform::Platform> platform;
  std::vector<FittedValue> values;
  std::vector<std::string> findings;        ///< What was concluded, and why.
  std::vector<std::string> contradictions;  ///< Between files.
  std::vector<std::string> guesses;         ///< What no file says.
};

/// Finds the parameters. Throws InputError.
Calibration fit(const FitInput& input);

/// Runs all tests on the machine that was found.
std::vector<Comparison> compare(const Calibration& found, const Readings& readings);

/// The same input with every other size of the tests that are fitted left out; the first and the
/// last stay.
FitInput without_half(const FitInput& input);
/// Whether without_half() leaves the point of this number out.
bool left_out(const Measurement& measurement, std::size_t point);

}  // namespace heddle::calibrate
