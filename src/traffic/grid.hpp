// Nodes arranged in a grid whose edges are joined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traffic {

/// Node numbers as coordinates; the first coordinate varies fastest.
class Grid {
 public:
  /// `shape` is "1d", "2d", "3d" (the extents are as equal as the factors of `nodes` allow) or
  /// extents such as "8x4x2", whose product must be `nodes`. Throws InputError otherwise.
  Grid(std::string_view shape, std::uint32_t nodes);

  const std::vector<std::uint32_t>& extents() const { return extents_; }
  /// The node `distance` steps (at most the extent) further along `dimension`, around the edge.
  std::uint32_t moved(std::uint32_t node, std::size_t dimension, std::uint32_t distance) const;

 private:
  std::vector<std::uint32_t> extents_;
};

}  // namespace heddle::traffic
