// How far apart the switches of a dragonfly are.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/topology/direct.hpp"
#include "platform/topology/group_cables.hpp"

namespace heddle::platform {

/// Turning the ring of groups by one leaves the fabric as it is, so what holds for the switches of
/// group 0 holds for all.
class DragonflyDistances {
 public:
  /// `in_group` switches per group, all joined to each other, with `per_switch` global ports each.
  DragonflyDistances(const GroupCables& global, std::uint32_t in_group, std::uint32_t per_switch)
      : global_(global), in_group_(in_group), per_switch_(per_switch) {}

  SwitchDistances all() const;

 private:
  /// A switch as seen from group 0: the group it is in, and its number there.
  struct FarSwitch {
    std::uint32_t group;
    std::uint32_t number;
    auto operator<=>(const FarSwitch&) const = default;
  };
  /// The switches at the other ends of the global cables of each switch of group 0, each once.
  using Neighbours = std::vector<std::vector<FarSwitch>>;
  /// Where the cables from group 0 to another group begin and end.
  struct Landing {
    std::uint32_t near = 0;   ///< Different switches of group 0 that have one.
    std::uint32_t far = 0;    ///< Different switches of the other group that have one.
    std::uint32_t pairs = 0;  ///< Different pairs of such.
  };

  Landing landing(std::uint32_t group) const;
  Neighbours global_neighbours() const;
  /// Whether some two switches are three links apart, given that some routes are three links long.
  bool some_are_three_apart() const;
  bool has_three_apart(std::uint32_t number, const Neighbours& neighbours,
                       std::vector<bool>& reached) const;

  const GroupCables& global_;
  std::uint32_t in_group_;
  std::uint32_t per_switch_;
};

}  // namespace heddle::platform
