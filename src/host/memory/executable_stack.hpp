// Stacks that programs put code on.
#pragma once

#include <cstddef>
#include <span>

namespace heddle::host {

/// Lets code run on a stack, as compilers want it for pointers to nested functions (those of
/// Fortran's internal procedures, above all), which are a few instructions in a frame. The lowest
/// part of a large stack, which may be a guard, stays as it is; so does all if the system forbids
/// it.
void make_executable(std::span<std::byte> stack);

}  // namespace heddle::host
