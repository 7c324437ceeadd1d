// How far apart the switches of a dragonfly are.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/topology/direct.hpp"
#include "platform/topology/group_cables.hpp"

namespace heddle::platform {

/// Where all groups are alike, what holds for the switches of group 0 holds for all.
class DragonflyDistances {
 public:
  /// `in_group` switches per group, all joined to each other.
  DragonflyDistances(const GroupCables& global, std::uint32_t in_group)
      : global_(global), in_group_(in_group), looked_at_(global.alike() ? 1 : global.groups()) {}

  SwitchDistances all() const;

 private:
  /// A switch: the group it is in, and its number there.
  struct Place {
    std::uint32_t group;
    std::uint32_t number;
    auto operator<=>(const Place&) const = default;
  };
  /// The switches at the other ends of the global cables of each switch of the groups looked at,
  /// each once.
  using Neighbours = std::vector<std::vector<Place>>;
  /// Where the cables from a group to another begin and end.
  struct Landing {
    std::uint32_t near = 0;   ///< Different switches of the one that have one.
    std::uint32_t far = 0;    ///< Different switches of the other that have one.
    std::uint32_t pairs = 0;  ///< Different pairs of such.
  };

  Landing landing(std::uint32_t from, std::uint32_t to) const;
  void add(std::uint32_t from, std::uint32_t to, SwitchDistances& sum) const;
  Neighbours global_neighbours() const;
  /// Whether some two switches are three links apart, given that some routes are three links long.
  bool some_are_three_apart() const;
  bool has_three_apart(const Place& first, const Neighbours& neighbours,
                       std::vector<bool>& reached) const;
  /// Calls `use` with those of any switch.
  template <class Use>
  void for_neighbours(const Place& of, const Neighbours& neighbours, Use use) const;

  const GroupCables& global_;
  std::uint32_t in_group_;
  std::uint32_t looked_at_;  ///< Groups.
};

}  // namespace heddle::platform
