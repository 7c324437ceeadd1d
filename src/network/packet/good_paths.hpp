// Ways that were good, to be taken again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace heddle::network {

/// The last few ways that were good. Each is fresh until it is taken.
class GoodPaths {
 public:
  void add(std::uint32_t path) {
    paths_[added_++ % kRoom] = path;
    if (fresh_ < kRoom) ++fresh_;
  }
  bool has_fresh() const { return fresh_ > 0; }
  /// The fresh one that has waited longest.
  std::optional<std::uint32_t> take() {
    if (fresh_ == 0) return std::nullopt;
    return paths_[(added_ - fresh_--) % kRoom];
  }
  /// By turns, whether they are fresh or not; nothing if there never was one.
  std::optional<std::uint32_t> again() {
    const std::uint64_t known = added_ < kRoom ? added_ : kRoom;
    if (known == 0) return std::nullopt;
    return paths_[again_++ % known];
  }
  void forget() { added_ = fresh_ = again_ = 0; }

 private:
  static constexpr std::uint64_t kRoom = 8;
  std::array<std::uint32_t, kRoom> paths_{};
  std::uint64_t added_ = 0;
  std::uint64_t fresh_ = 0;
  std::uint64_t again_ = 0;
};

}  // namespace heddle::network
