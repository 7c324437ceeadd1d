// Functions of the C library whose instructions need not be understood.
#pragma once

#include <cstdint>

#include "host/rank/code/x86/machine.hpp"

namespace heddle::host::x86 {

/// Does in thought what a function does that has just been called, and returns from it.
using Function = void (*)(Machine&);

/// What the function at `place` does; null: there is none of these. They compare and copy, which
/// the C library does with vectors of any kind that the processor has.
Function function_at(std::uint64_t place);

}  // namespace heddle::host::x86
