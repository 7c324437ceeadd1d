// The memory of a rank that is a process of its own.
#pragma once

#include <cstdint>

#include "core/address_space.hpp"
#include "processes/channel.hpp"

namespace heddle::processes {

/// Memory of another process. What goes from one such process to another is moved by one of them,
/// once, if it is much and either waits for an answer; little costs less by way of the simulator.
class RemoteMemory final : public AddressSpace {
 public:
  /// From so many bytes on an errand is worth its while: it takes two switches between processes.
  static constexpr std::size_t kWorthAnErrand = 16 * 1024;

  explicit RemoteMemory(Channel& channel) : channel_(channel) {}
  bool read(void* to, const void* address, std::size_t size) const override;
  const std::byte* direct(const void*, std::size_t) const override { return nullptr; }
  bool fetch(void* to, const AddressSpace& from_space, const void* from, std::size_t size) override;

 private:
  bool store(void* address, const void* from, std::size_t size) override;
  /// Has a thread of the process that waits for an answer do this; false if there is none, or it
  /// cannot.
  bool send(const Errand& errand) const;

  Channel& channel_;
};

}  // namespace heddle::processes
