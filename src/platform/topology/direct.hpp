// What direct networks (torus, HyperX, dragonfly) share: every switch carries nodes of its own.
#pragma once

#include "platform/topology.hpp"
#include "platform/topology/cut_bounds.hpp"

namespace heddle::platform {

/// Of the switches from each other.
struct SwitchDistances {
  unsigned __int128 sum = 0;   ///< Links of the routes of all ordered pairs.
  std::uint32_t most = 0;      ///< Links of the longest route.
  std::uint32_t diameter = 0;  ///< Links of the longest shortest path; less if routes detour.
  std::uint32_t ports = 0;     ///< Most cables from one to others.
};

/// A fabric of switches with equally many nodes each, in the order of their numbers: node n hangs
/// on switch n / nodes_per_switch by cable n. The cables between switches follow. Here a switch is
/// given by its number from 0 and a cable between switches by its number among those.
class Direct : public Topology {
 public:
  LinkEnds ends(LinkId link) const final;
  LinkId output(const Hop& hop) const final;
  void minimal_outputs(const Hop& hop, LinkSet& out) const final;
  bool routes_to_switches() const final { return true; }
  std::string cable_group(std::uint32_t cable) const final;
  std::uint32_t twin(std::uint32_t cable) const final;
  std::vector<CableRun> cable_runs() const final;
  std::optional<Distances> distances() const final;
  std::optional<Point> position(VertexId v) const final;

 protected:
  /// A cable between switches; its even link goes from `a` to `b`.
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
  };

  /// Fixes the numbers. Throws ParamError if there are none or too many of anything.
  void set_size(std::uint64_t switches, std::uint64_t nodes_per_switch, std::uint64_t cables);
  std::uint32_t nodes_per_switch() const { return nodes_per_switch_; }
  /// The two directions of a cable between switches: out of its `a`, or back.
  LinkId link(std::uint32_t cable, bool back) const {
    return LinkId{2 * (nodes_ + cable) + (back ? 1U : 0U)};
  }
  /// The cut that leaves all switches on one side.
  CutBound access_cut() const { return {{0, nodes_ / 2}, nodes_ % 2 == 0 || switches_ == 1}; }
  std::string nodes_each() const;
  std::uint32_t switch_of(VertexId v) const {
    const auto number = static_cast<std::uint32_t>(v);
    return number < nodes_ ? number / nodes_per_switch_ : number - nodes_;
  }

  virtual Pair joined_by(std::uint32_t cable) const = 0;
  /// The link of the deterministic route from switch `at` to another switch `to`; `hop` has the
  /// first and the final vertex, to spread routes over equal ways.
  virtual LinkId towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const = 0;
  virtual void all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const = 0;
  virtual std::string switch_cable_group(std::uint32_t cable) const = 0;
  /// The cables between switches in runs, by their numbers among those; none is empty.
  virtual std::vector<CableRun> switch_cable_runs() const = 0;
  virtual SwitchDistances switch_distances() const = 0;
  virtual std::uint32_t switch_cable_twin(std::uint32_t) const { return 0; }
  /// Where switch and nodes are drawn; the nodes stand in a row below unless overridden.
  virtual Point switch_place(std::uint32_t s) const = 0;
  virtual Point node_place(std::uint32_t s, std::uint32_t port) const;

 private:
  /// The only way there is, from a node or at the switch of the destination; else kNoLink.
  LinkId only_way(const Hop& hop) const;

  std::uint32_t nodes_per_switch_ = 1;
};

}  // namespace heddle::platform
