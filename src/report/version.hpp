// The version of the program.
#pragma once

#include <string_view>

namespace heddle::report {

/// "0.1.0".
std::string_view version();

}  // namespace heddle::report
