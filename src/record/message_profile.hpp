// What the ranks of a job sent to whom.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::record {

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

}  // namespace heddle::record
