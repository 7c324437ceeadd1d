// Topologies whose switches stand in groups.
#pragma once

#include <cstdint>

#include "core/ids.hpp"

namespace heddle::platform {

/// What a topology is as well whose groups of switches are joined by cables of their own.
class Grouped {
 public:
  virtual std::uint32_t groups() const = 0;
  /// That of a switch, or of a node's switch.
  virtual std::uint32_t group(VertexId v) const = 0;
  /// Switches of a group that messages may be led by way of,
  virtual std::uint32_t way_points() const = 0;
  /// and one of them: number `draw` modulo those.
  virtual VertexId switch_in(std::uint32_t group, std::uint64_t draw) const = 0;

 protected:
  ~Grouped() = default;
};

}  // namespace heddle::platform
