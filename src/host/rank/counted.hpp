// What programs that were built to count have done.
#pragma once

#include <cstdint>

extern "C" {
/// Grows by what code does that was compiled to count; programs find it here before they find their
/// own.
extern std::uint64_t heddle_counted;
}
