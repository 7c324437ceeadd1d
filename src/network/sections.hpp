// The parameters of a simulated fabric.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/params.hpp"

namespace heddle::network {

/// The parameter sections of machines and of all network models, then `more`.
std::vector<const ParamSection*> fabric_sections(
    std::initializer_list<const ParamSection*> more = {});

}  // namespace heddle::network
