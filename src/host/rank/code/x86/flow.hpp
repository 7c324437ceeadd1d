// Where code of x86-64 goes on behind an instruction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/rank/code/flow.hpp"

namespace heddle::host::x86 {

/// Reads what stands at `place`, of which so many bytes are at `bytes`; a length of zero: not
/// known, or not all there. Every instruction that compilers make is known by its length, whatever
/// it computes.
Flow read_flow(const std::uint8_t* bytes, std::size_t size, std::uint64_t place);

}  // namespace heddle::host::x86
