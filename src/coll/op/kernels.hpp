// The loops of predefined operations.
#pragma once

#include <cstdint>

#include "coll/op/op.hpp"

namespace heddle::coll {

/// inout[i] = in[i] op inout[i] on `count` elements.
using Kernel = void(const void* in, void* inout, std::int64_t count);

/// The loop for an operation on a predefined datatype, or null if it is not defined.
Kernel* find_kernel(Operation operation, const Datatype& type);

}  // namespace heddle::coll
