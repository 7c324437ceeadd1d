// Sizes and displacements that programs give: arithmetic that does not overflow in silence.
#pragma once

#include <cstdint>

#include "coll/error.hpp"

namespace heddle::coll {

class Datatype;

/// No size, extent or displacement in bytes is larger, so that the difference of any two is a
/// number of 64 bits.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 62) - 1;

using Wide = __int128;  ///< Holds the product of any two numbers of 64 bits.

constexpr bool fits(Wide bytes) {
  return bytes >= -Wide{kLargestSize} && bytes <= Wide{kLargestSize};
}
/// The number; throws Error of the class for one that does not fit.
std::int64_t checked_size(Wide bytes, int error_class);
/// Throws MPI_ERR_COUNT unless so many elements, one after another, fit.
void check_elements(std::int64_t count, const Datatype& type, const char* argument);

}  // namespace heddle::coll
