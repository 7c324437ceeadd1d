// A drawing of a machine's fabric.
#pragma once

#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::report {

/// The fabric as an SVG document: switches as boxes, nodes as dots under or beside their switch (a
/// count for each switch where there are many), cables coloured by group with a legend. Names stand
/// where they fit, and as tooltips everywhere. The links of `route` are drawn over the rest. Throws
/// InputError if the machine is too large to draw.
std::string topology_svg(const platform::Platform& platform, const std::vector<LinkId>& route = {});

}  // namespace heddle::report
