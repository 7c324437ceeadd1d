// The data representation external32: big-endian, with sizes that all machines agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

/// Bytes of one datatype's data, without gaps.
std::int64_t external_size(const Datatype& type);

/// From the packed bytes of `count` elements to external32.
void encode_external(const Datatype& type, std::int64_t count, const std::byte* packed,
                     std::byte* external);
/// Back.
void decode_external(const Datatype& type, std::int64_t count, const std::byte* external,
                     std::byte* packed);

}  // namespace heddle::coll
