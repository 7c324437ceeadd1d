// An instruction carried out elsewhere than it stands.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::host::x86 {

/// Writes to `copy`, where there are 32 bytes, what does the same as the instruction at `place`,
/// of which so many bytes can be read, and goes on where that would. False if that cannot be: it is
/// not known, or it calls what it reads.
bool copy_instruction(std::uintptr_t place, std::size_t readable, std::uintptr_t copy);

}  // namespace heddle::host::x86
