// Dragonfly: groups of switches all joined inside, and all joined to each other.
#pragma once

#include <utility>

#include "platform/topology/cut_proposal.hpp"
#include "platform/topology/direct.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {

struct DragonflyShape {
  std::int64_t groups;
  std::int64_t switches_per_group;
  std::int64_t nodes_per_switch;
  std::int64_t global_per_switch;
};

/// A dragonfly with circulant global cables: the global ports of a group lead in turn to the groups
/// one further and one back, two further and two back, and so on, and start again while ports are
/// left, so that any two groups are joined by as many cables as any others, give or take one. Ports
/// that find no partner stay free. Routes are minimal in the sense of the dragonfly: at most one
/// local, one global, one local cable, fewest of those; equal ones are shared out by destination.
class Dragonfly final : public Direct, public CutProposal {
 public:
  /// Throws ParamError if not every two groups can be joined.
  explicit Dragonfly(const DragonflyShape& shape);

  bool concurrent() const override { return true; }
  std::string describe() const override;
  bool can_wait_in_circles(RouteChoice) const override { return true; }
  std::vector<std::uint32_t> cut_order() const override;
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
  /// A global cable between two groups, as seen from one of them.
  struct Global {
    LinkId link;
    std::uint32_t near;  ///< The switches at its ends.
    std::uint32_t far;
  };

  std::uint32_t group_of(std::uint32_t s) const { return s / in_group_; }
  std::vector<std::vector<std::uint32_t>> cables_of_first_group() const;
  std::vector<std::uint32_t> nodes_of(const std::vector<std::uint32_t>& switches) const;
  std::uint32_t local_cables() const {
    return groups_ * static_cast<std::uint32_t>(local_.count());
  }
  /// Global cables of a whole round, which joins every group to every other once.
  std::uint32_t round_cables() const { return static_cast<std::uint32_t>(global_.count()); }
  std::uint32_t left_cables() const {
    return left_chords_ * groups_ + (left_facing_ ? groups_ / 2 : 0);
  }
  bool is_facing(std::uint32_t chord) const { return 2 * chord == groups_; }
  /// Cables between two groups that stand `chord` apart.
  std::uint32_t rounds_joining(std::uint32_t chord) const;
  /// The switch, within its group, of the cable of `round` to the group `chord` further or back.
  std::uint32_t port_switch(std::uint32_t round, std::uint32_t chord, bool back) const;
  Pair global_ends(std::uint32_t round, const RingPairs::Pair& pair) const;
  /// The round and the groups of a global cable.
  std::pair<std::uint32_t, RingPairs::Pair> global_place(std::uint32_t cable) const;
  Global global(std::uint32_t from_group, std::uint32_t to_group, std::uint32_t round) const;
  LinkId local(std::uint32_t from, std::uint32_t to) const;
  /// Calls `use` with the first link of each shortest route between switches of two groups.
  template <class Use>
  void for_shortest(std::uint32_t at, std::uint32_t to, Use use) const;

  /// A switch as seen from group 0: the group it is in, and its number there.
  struct FarSwitch {
    std::uint32_t group;
    std::uint32_t number;
    auto operator<=>(const FarSwitch&) const = default;
  };
  /// The switches at the other ends of the global cables of each switch of group 0, each once.
  using Neighbours = std::vector<std::vector<FarSwitch>>;
  Neighbours global_neighbours() const;
  /// Where the cables from group 0 to another group begin and end.
  struct Landing {
    std::uint32_t near = 0;   ///< Different switches of group 0 that have one.
    std::uint32_t far = 0;    ///< Different switches of the other group that have one.
    std::uint32_t pairs = 0;  ///< Different pairs of such.
  };
  Landing landing(std::uint32_t group) const;
  /// Whether some two switches are three links apart, given that some routes are three links long.
  bool some_are_three_apart() const;
  bool has_three_apart(std::uint32_t number, const Neighbours& neighbours,
                       std::vector<bool>& reached) const;

  std::uint32_t groups_;
  std::uint32_t in_group_;      ///< Switches per group.
  std::uint32_t per_switch_;    ///< Global ports per switch.
  std::uint32_t whole_rounds_;  ///< Times that every two groups are joined.
  std::uint32_t left_chords_;   ///< Chords of the last, incomplete round.
  bool left_facing_;            ///< Whether that round joins the groups that face each other.
  RingPairs local_;
  RingPairs global_;
};

}  // namespace heddle::platform
