// Numbers of normal distribution, the same bits on every machine.
#pragma once

#include "core/random.hpp"

namespace heddle {

/// Of mean 0 and variance 1, by Marsaglia's polar method.
double standard_normal(RandomStream& random);

}  // namespace heddle
