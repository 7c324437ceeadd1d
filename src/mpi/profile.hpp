// Where the time of ranks went in calls of MPI, and what they sent to whom.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/time.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// What a rank did in calls of one name.
struct CallProfile {
  const char* name = "";
  std::uint64_t calls = 0;
  std::int64_t bytes = 0;  ///< Of the messages that were started in them.
  Time time = {};
  Time waiting = {};  ///< Of that, for others.
};

/// Part of a process: its calls, in the order in which it first made them.
class Profile final : public Part {
 public:
  static constexpr PartId kId = PartId::profile;
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

/// Messages and their bytes.
struct Volume {
  std::uint64_t messages = 0;
  std::int64_t bytes = 0;
};

/// The messages of a job.
class MessageProfile {
 public:
  static constexpr std::size_t kClasses = 64;
  void note(std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
    Volume& sizes = by_size_[class_of(bytes)];
    ++sizes.messages;
    sizes.bytes += bytes;
    if (!wants_pairs_) return;
    Volume& pair = by_pair_[(std::uint64_t{from} << 32) | to];
    ++pair.messages;
    pair.bytes += bytes;
  }
  /// Class 0: no bytes; class k: 2^(k-1) to 2^k - 1.
  const std::array<Volume, kClasses>& by_size() const { return by_size_; }
  void want_pairs() { wants_pairs_ = true; }
  /// By sender and receiver, in their order; empty unless they were wanted.
  std::vector<std::pair<std::uint64_t, Volume>> by_pair() const;

 private:
  static std::size_t class_of(std::int64_t bytes) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes)));
  }
  std::array<Volume, kClasses> by_size_{};
  std::unordered_map<std::uint64_t, Volume> by_pair_;
  bool wants_pairs_ = false;
};

}  // namespace heddle::mpi
