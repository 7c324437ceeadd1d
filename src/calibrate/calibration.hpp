// What is known before and after parameters are fitted.
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

struct Calibration {
  Settings settings;  ///< With what was found.
  platform::MachineDescription description;
  std::unique_ptr<platform::Platform> platform;
  std::vector<FittedValue> values;
  std::vector<std::string> findings;        ///< What was concluded, and why.
  std::vector<std::string> contradictions;  ///< Between files.
  std::vector<std::string> guesses;         ///< What no file says.
};

}  // namespace heddle::calibrate
