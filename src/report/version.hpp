// The version of the program.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

/// "0.1.0".
std::string_view version();
/// What it was built from: "0123456789ab", with " with changes" where there are some.
std::string_view commit();
/// "heddle 0.1.0 (commit 0123456789ab, GCC 12.2.0, Release)": what a paper would quote.
std::string long_version();

}  // namespace heddle::report
