// A machine that was calibrated, as a file.
#pragma once

#include <string>

#include "calibrate/calibration.hpp"

namespace heddle::calibrate {

/// YAML whose remarks say which file and line each value comes from. Of a machine that was given
/// it has all parameters, else those that were found. `origin` are lines for the top.
std::string machine_text(const Calibration& found, bool machine_given,
                         const std::vector<std::string>& origin);

}  // namespace heddle::calibrate
