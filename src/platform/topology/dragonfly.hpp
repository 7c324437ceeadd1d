// Dragonfly: groups of switches all joined inside, and all joined to each other.
#pragma once

#include <vector>

#include "platform/grouped.hpp"
#include "platform/topology/cut_proposal.hpp"
#include "platform/topology/direct.hpp"
#include "platform/topology/group_cables.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {

struct DragonflyShape {
  std::int64_t groups;
  std::int64_t switches_per_group;
  std::int64_t nodes_per_switch;
  std::int64_t global_per_switch;
  std::vector<GroupCable> map = {};  ///< Of its global cables; empty: they are circulant.
};

/// A dragonfly with circulant global cables or those of a map. Routes are minimal in the sense of
/// the dragonfly: at most one local, one global, one local cable, fewest of those; equal ones are
/// shared out by destination.
class Dragonfly final : public Direct, public CutProposal, public Grouped {
 public:
  /// Throws ParamError if circulant cables cannot join every two groups; a map does.
  explicit Dragonfly(const DragonflyShape& shape);

  bool concurrent() const override { return true; }
  std::string describe() const override;
  bool can_wait_in_circles(RouteChoice) const override { return true; }
  std::vector<std::uint32_t> cut_order() const override;
  std::uint32_t groups() const override { return global_.groups(); }
  std::uint32_t group(VertexId v) const override { return group_of(switch_of(v)); }
  std::uint32_t way_points() const override { return in_group_; }
  VertexId switch_in(std::uint32_t group, std::uint64_t draw) const override {
    return VertexId{nodes_ + group * in_group_ + static_cast<std::uint32_t>(draw % in_group_)};
  }
  /// "g2.s1" for the switch number 1 of group 2.
  std::string name(VertexId v) const override;

 protected:
  Pair joined_by(std::uint32_t cable) const override;
  LinkId towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const override;
  void all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const override;
  std::string switch_cable_group(std::uint32_t cable) const override;
  std::uint32_t switch_cable_twin(std::uint32_t cable) const override;
  std::vector<CableRun> switch_cable_runs() const override;
  SwitchDistances switch_distances() const override;
  Point switch_place(std::uint32_t s) const override;
  Point node_place(std::uint32_t s, std::uint32_t port) const override;

 private:
  /// A switch: its group, and its number in that.
  struct Place {
    std::uint32_t group;
    std::uint32_t number;
  };

  std::uint32_t group_of(std::uint32_t s) const { return s / in_group_; }
  Place place(std::uint32_t s) const {
    const std::uint32_t group = group_of(s);
    return {group, s - group * in_group_};
  }
  std::vector<std::vector<std::uint32_t>> cables_of_first_group() const;
  LinkId global(const GroupCables::Seen& cable) const {
    return link(local_cables_ + cable.cable, cable.back);
  }
  LinkId local(std::uint32_t group, std::uint32_t from, std::uint32_t to) const {
    const auto [number, back, chord] = local_.number(from, to);
    return link(group * local_each_ + number, back);
  }
  /// The first link of the way by that cable.
  LinkId first_by(const GroupCables::Seen& cable, const Place& at) const {
    return cable.near == at.number ? global(cable) : local(at.group, at.number, cable.near);
  }
  /// Calls `use` with the first link of each shortest route between switches of two groups.
  template <class Use>
  void for_shortest(const Place& at, const Place& to, Use use) const;

  std::uint32_t in_group_;    ///< Switches per group.
  std::uint32_t per_switch_;  ///< Global ports per switch.
  RingPairs local_;
  std::uint32_t local_each_;    ///< Cables inside each group.
  std::uint32_t local_cables_;  ///< Inside all.
  GroupCables global_;
};

}  // namespace heddle::platform
