// Where the time of ranks went in calls of MPI.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mpi/part.hpp"
#include "record/call_profile.hpp"

namespace heddle::mpi {

class Process;
using record::CallProfile;

/// Part of a process: its calls, in the order in which it first made them.
class Profile final : public Part {
 public:
  explicit Profile(Process&) {}

  CallProfile& of(const char* name) {
    const std::uint8_t place = recent_[slot_of(name)];
    if (!calls_.empty() && calls_[place].name == name) return calls_[place];
    return search(name);
  }
  const std::vector<CallProfile>& calls() const { return calls_; }

 private:
  static constexpr unsigned kSlotBits = 5;
  static constexpr std::size_t kSlots = 1U << kSlotBits;
  /// Names are literals: the same call has the same address.
  static std::size_t slot_of(const char* name) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(name);
    return (address * 0x9e3779b97f4a7c15ULL) >> (64 - kSlotBits);
  }
  [[gnu::noinline]] CallProfile& search(const char* name);

  std::vector<CallProfile> calls_;
  std::array<std::uint8_t, kSlots> recent_{};  ///< Places of those asked for lately.
};

}  // namespace heddle::mpi
