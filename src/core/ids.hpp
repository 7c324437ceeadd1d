// Strong integer identifiers: an enum class per kind of thing, and its value as an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle {

enum class NodeId : std::uint32_t {};  ///< A compute node, numbered from 0.
enum class RankId : std::uint32_t {};  ///< A rank among those of its job or of its schedule.
enum class VertexId : std::uint32_t {
};  ///< A node or a switch of the fabric's graph; nodes come first.
enum class LinkId : std::uint32_t {};  ///< One direction of a cable; links 2c and 2c+1 are cable c.

inline constexpr VertexId kNoVertex{UINT32_MAX};
inline constexpr LinkId kNoLink{UINT32_MAX};

template <class Id>
requires std::is_enum_v<Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

/// As those have it who know no such types.
template <class Id>
requires std::is_enum_v<Id>
constexpr auto raw(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// The other direction of the same cable.
constexpr LinkId reverse(LinkId link) {
  return LinkId{static_cast<std::uint32_t>(link) ^ 1U};
}

}  // namespace heddle
