// Atomic operations on arrays of the Portals datatypes.
#pragma once

#include <portals4.h>

#include <cstddef>

namespace heddle::portals {

inline constexpr std::size_t kLargestElement = 32;

/// Bytes of one element; 0 if there is no such type.
std::size_t element_size(ptl_datatype_t type);

/// Whether PtlAtomic and PtlFetchAtomic take the pair.
bool combines(ptl_op_t op, ptl_datatype_t type);
/// Whether PtlSwap takes the pair.
bool swaps(ptl_op_t op, ptl_datatype_t type);
/// Whether the operation has an operand of its own, and so is for one element only.
bool has_operand(ptl_op_t op);

/// target[i] = target[i] op source[i] for `size` bytes, a whole number of elements; `operand` is
/// read where has_operand(op). The pair must be one that combines or swaps. No alignment is needed.
void apply(ptl_op_t op, ptl_datatype_t type, std::byte* target, const std::byte* source,
           const std::byte* operand, std::size_t size);

}  // namespace heddle::portals
