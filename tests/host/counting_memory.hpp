// The test's own memory, which counts what it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/memory/guarded_memory.hpp"

namespace heddle::host {

/// Of no more than `reach` bytes at a time it says where they are.
class CountingMemory final : public AddressSpace {
 public:
  explicit CountingMemory(std::size_t reach = SIZE_MAX) : reach_(reach) {}
  /// So often.
  std::size_t asked() const { return asked_; }

  bool read(void* to, const void* address, std::size_t size) const override {
    ++asked_;
    return guarded_copy(to, address, size);
  }
  const std::byte* direct(const void* address, std::size_t size) const override {
    ++asked_;
    return size > reach_ ? nullptr : static_cast<const std::byte*>(address);
  }

 private:
  bool store(void* address, const void* from, std::size_t size) override {
    return guarded_copy(address, from, size);
  }

  std::size_t reach_;
  mutable std::size_t asked_ = 0;
};

}  // namespace heddle::host
