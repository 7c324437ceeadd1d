// The memory of a rank that is a process of its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "host/address_space.hpp"

namespace heddle::processes {

/// Memory of another process.
class RemoteMemory final : public host::AddressSpace {
 public:
  explicit RemoteMemory(const std::atomic<std::uint32_t>& process) : process_(process) {}
  bool read(void* to, const void* address, std::size_t size) const override;
  bool write(void* address, const void* from, std::size_t size) override;
  std::byte* direct(const void*, std::size_t) const override { return nullptr; }

 private:
  const std::atomic<std::uint32_t>& process_;  ///< Its number, which may change.
};

}  // namespace heddle::processes
