// Dragonfly+ (Megafly): groups of leaves and spines, joined by cables between their spines.
#pragma once

#include <vector>

#include "platform/grouped.hpp"
#include "platform/topology.hpp"
#include "platform/topology/group_cables.hpp"

namespace heddle::platform {

struct DragonflyPlusShape {
  std::int64_t groups;
  std::int64_t leaves_per_group;
  std::int64_t spines_per_group;
  std::int64_t nodes_per_leaf;
  std::int64_t global_per_spine;
  std::vector<GroupCable> map = {};  ///< Of its global cables; empty: they are circulant.
};

/// Every leaf of a group is joined to every spine of it; nodes are on leaves, global cables at
/// spines, circulant or those of a map. Routes are minimal in the sense of the dragonfly, with at
/// most one global cable: up, across, down. Equal ones are shared out by destination. Leaves are
/// numbered before spines, both by group.
class DragonflyPlus final : public Topology, public Grouped {
 public:
  /// Throws ParamError if circulant cables cannot join every two groups; a map does.
  explicit DragonflyPlus(const DragonflyPlusShape& shape);

  std::string describe() const override;
  LinkEnds ends(LinkId link) const override;
  LinkId output(const Hop& hop) const override;
  void minimal_outputs(const Hop& hop, LinkSet& out) const override;
  bool concurrent() const override { return true; }
  bool routes_to_switches() const override { return true; }
  /// Routes between nodes go up, across and down; those that turn elsewhere may meet themselves.
  bool can_wait_in_circles(RouteChoice choice) const override {
    return choice == RouteChoice::detour;
  }
  std::uint32_t groups() const override { return groups_.groups(); }
  std::uint32_t group(VertexId v) const override { return places_.of(v).group; }
  /// The leaves.
  std::uint32_t way_points() const override { return places_.leaves; }
  VertexId switch_in(std::uint32_t group, std::uint64_t draw) const override {
    return places_.vertex({group, static_cast<std::uint32_t>(draw % places_.leaves), false});
  }
  /// "g2.l1" for the leaf number 1 of group 2, "g2.s1" for a spine.
  std::string name(VertexId v) const override;
  std::uint32_t twin(std::uint32_t cable) const override;
  std::string cable_group(std::uint32_t cable) const override;
  std::vector<CableRun> cable_runs() const override;
  std::optional<Distances> distances() const override;
  std::optional<Point> position(VertexId v) const override;

 private:
  /// A switch: its group, and its number among the leaves or spines of that.
  struct Place {
    std::uint32_t group;
    std::uint32_t number;
    bool spine;
    bool operator==(const Place&) const = default;
  };
  /// Where vertices are; a node is where its leaf is.
  struct Places {
    std::uint32_t nodes;  ///< In all.
    std::uint32_t groups;
    std::uint32_t leaves;      ///< Per group.
    std::uint32_t spines;      ///< Per group.
    std::uint32_t nodes_each;  ///< Per leaf.
    Place of(VertexId v) const;
    VertexId vertex(const Place& place) const;
  };

  std::uint32_t local_cables() const { return groups_.groups() * places_.leaves * places_.spines; }
  /// From a leaf up to a spine of its group, or back.
  LinkId local(std::uint32_t group, std::uint32_t leaf, std::uint32_t spine, bool down) const;
  LinkId global(const GroupCables::Seen& seen) const {
    return LinkId{2 * (nodes_ + local_cables() + seen.cable) + (seen.back ? 1U : 0U)};
  }
  GroupCables::Seen cable_for(std::uint32_t from_group, VertexId node) const;
  /// Calls `use` with the first link of each minimal route between two different switches, some
  /// more than once.
  template <class Use>
  void for_minimal(const Place& at, const Place& to, Use use) const;
  template <class Use>
  void for_minimal_inside(const Place& at, const Place& to, Use use) const;
  template <class Use>
  void for_minimal_across(const Place& at, const Place& to, Use use) const;
  std::uint32_t switch_diameter() const;

  GroupCables groups_;
  Places places_;
  std::uint32_t per_spine_;  ///< Global ports.
};

}  // namespace heddle::platform
