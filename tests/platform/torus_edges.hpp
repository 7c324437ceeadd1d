// Tori and meshes by short names.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/topology/torus.hpp"

namespace heddle::platform {

using List = std::vector<std::int64_t>;
inline constexpr auto kWrapped = Torus::Edges::wrapped;
inline constexpr auto kOpen = Torus::Edges::open;

}  // namespace heddle::platform
