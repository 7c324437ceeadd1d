// Numbers that are worked out when somebody first asks for them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/containers/sparse_vector.hpp"

namespace heddle::platform {

/// A place for each of many numbers, which takes memory when one is kept there. Several threads may
/// ask and keep at the same time, as all would keep the same.
class KnownNumbers {
 public:
  explicit KnownNumbers(std::size_t size) : numbers_(size) {}

  /// 0: it is not known.
  [[gnu::always_inline]] std::uint32_t operator[](std::size_t i) const {
    return __atomic_load_n(&numbers_[i], __ATOMIC_RELAXED);
  }
  void keep(std::size_t i, std::uint32_t number) {
    __atomic_store_n(&numbers_[i], number, __ATOMIC_RELAXED);
  }
  /// Not while others ask.
  void forget(std::size_t i) {
    if (numbers_[i] != 0) numbers_[i] = 0;
  }

 private:
  SparseVector<std::uint32_t> numbers_;
};

}  // namespace heddle::platform
