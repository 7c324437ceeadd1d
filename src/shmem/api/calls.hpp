// The functions behind the extern "C" ones, as the table of calls has them.
#pragma once

#include "shmem/call.hpp"
#include "shmem/type.hpp"

// Elements of so many bytes, whatever they are.
template <int Size>
struct HeddleShmemElement {
  char bytes[Size];
};
using heddle_shmem_8_t = HeddleShmemElement<1>;
using heddle_shmem_16_t = HeddleShmemElement<2>;
using heddle_shmem_32_t = HeddleShmemElement<4>;
using heddle_shmem_64_t = HeddleShmemElement<8>;
using heddle_shmem_128_t = HeddleShmemElement<16>;

namespace heddle::shmem::api {

#include <shmem/declarations.hpp>

}  // namespace heddle::shmem::api
