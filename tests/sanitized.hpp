// Whether this is a build for the sanitizers, in which all takes ten times as long: there, tests
// that try many cases of one kind try fewer of them, and those that need the statistics of a long
// run of code that others try as well are left out.
#pragma once

#include "core/sanitizer.hpp"

namespace heddle {

#ifdef HEDDLE_ASAN
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace heddle
