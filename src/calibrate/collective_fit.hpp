// What collectives of a few nodes tell of the rest.
#pragma once

#include "calibrate/draft.hpp"

namespace heddle::calibrate {

/// Changes what was guessed until the collectives that are to be fitted come out as measured, as
/// far as they can.
void fit_collectives(Draft& draft);

}  // namespace heddle::calibrate
