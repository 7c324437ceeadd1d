// Drawings in other formats than SVG.
#pragma once

#include <string>

namespace heddle::report {

/// The drawing as "png" or "pdf", made by rsvg-convert, which must be installed. Throws RunError,
/// saying what to install, if it is not, or if it fails.
std::string converted(const std::string& svg, const std::string& format);

}  // namespace heddle::report
