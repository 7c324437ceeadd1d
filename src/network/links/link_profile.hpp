// What flows of which sizes cross a link when: by that links are alike or not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::network {

/// Sums of bytes by size of flow and by time, and what the link itself is.
class LinkProfile {
 public:
  LinkProfile(double rate, std::uint32_t inputs) : rate_(rate), inputs_(inputs) {}

  /// A flow that begins at a part of all the time in which flows do, from 0 to 1.
  void add(std::int64_t size, double when);
  double bytes() const { return bytes_; }
  /// By what part, of 0 to 1, two links differ, in sizes or in times; 1 if they are of different
  /// kinds.
  double difference(const LinkProfile& other) const;

 private:
  static constexpr std::size_t kSizes = 64;  ///< From one power of two to the next.
  static constexpr std::size_t kSlots = 8;   ///< Of time.

  double rate_;
  std::uint32_t inputs_;
  double bytes_ = 0;
  std::array<double, kSizes> by_size_{};
  std::array<double, kSlots> by_time_{};
};

/// For each profile the number of the one that stands for it, perhaps itself: of those before it
/// that stand for themselves and come near to it in bytes the one that differs least, if by no more
/// than `alike`.
std::vector<std::uint32_t> representatives(std::span<const LinkProfile> profiles, double alike);

}  // namespace heddle::network
