// Parameters of a machine, from what was measured on it.
#pragma once

#include "calibrate/calibration.hpp"

namespace heddle::calibrate {

/// Finds the parameters. Throws InputError.
Calibration fit(const FitInput& input);

}  // namespace heddle::calibrate
