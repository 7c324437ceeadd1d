// A fabric without its failed cables, and the routes round them.
#pragma once

#include <memory>
#include <vector>

#include "platform/failures/live_distances.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

class FatTree;

/// The same vertices and names; cables that are down are gone and those behind them have moved up.
/// A message takes the link that the whole fabric would, as long as it still begins a shortest
/// path; otherwise another one that does, spread by destination. In a fat tree it climbs and
/// descends by D-mod-K over what is left: of the parents that lie on a shortest way up and down
/// number floor(destination / (up_1 .. up_l)) modulo their number, likewise the cable to it; with
/// nothing failed that is D-mod-K. Routes that a graph gives are kept where they are whole. Not for
/// use by two threads at the same time.
class DegradedFabric final : public Topology, public SourceDependent {
 public:
  /// `down` by cable of the whole.
  DegradedFabric(std::unique_ptr<const Topology> whole, const std::vector<bool>& down);
  /// Of a whole that lives longer.
  DegradedFabric(const Topology& whole, const std::vector<bool>& down);
  ~DegradedFabric() override;

  const Topology& whole() const { return *whole_; }
  /// The number that a cable has in the whole fabric.
  std::uint32_t whole_cable(std::uint32_t cable) const { return cables_of_[cable]; }
  /// The link here that the whole knows as `whole`, or kNoLink if it failed.
  LinkId link_of(LinkId whole) const;
  /// Ordered pairs of different nodes without a way, and one of them.
  struct CutOff {
    std::uint64_t pairs = 0;
    VertexId from = kNoVertex;
    VertexId to = kNoVertex;
  };
  CutOff cut_off() const;

  bool concurrent() const override { return false; }
  std::string describe() const override;
  LinkEnds ends(LinkId link) const override { return whole_->ends(whole_link(link)); }
  /// Throws InputError if there is no way.
  LinkId output(const Hop& hop) const override;
  bool has_route(VertexId from, VertexId to) const override;
  void minimal_outputs(const Hop& hop, LinkSet& out) const override;
  bool can_wait_in_circles(RouteChoice choice) const override;
  bool routes_to_switches() const override { return whole_->routes_to_switches(); }
  /// A switch that others reach.
  VertexId detour(std::uint64_t draw) const override;
  std::optional<std::uint32_t> route_class(VertexId from) const override;
  bool lists_routes() const override { return lists_routes_; }

  std::string name(VertexId v) const override { return whole_->name(v); }
  std::optional<VertexId> find(std::string_view name) const override { return whole_->find(name); }
  std::string link_name(LinkId link) const override { return whole_->link_name(whole_link(link)); }
  std::uint32_t twin(std::uint32_t cable) const override {
    return whole_->twin(whole_cable(cable));
  }
  std::string cable_group(std::uint32_t cable) const override {
    return whole_->cable_group(whole_cable(cable));
  }
  std::vector<std::uint32_t> node_grid() const override { return whole_->node_grid(); }
  std::optional<Point> position(VertexId v) const override { return whole_->position(v); }

 private:
  LinkId whole_link(LinkId link) const {
    return LinkId{2 * cables_of_[index(link) / 2] + static_cast<std::uint32_t>(index(link) % 2)};
  }
  /// Whether a route given for the pair of a hop is whole.
  bool keeps_given(const Hop& hop) const;
  LinkId tree_output(const Hop& hop) const;

  std::unique_ptr<const Topology> owned_;
  const Topology* whole_;
  bool lists_routes_;
  const FatTree* tree_;                   ///< The whole, if it is one.
  std::vector<std::uint32_t> cables_of_;  ///< Numbers in the whole, by cable.
  std::vector<std::uint32_t> numbers_;    ///< By cable of the whole; kGone if it failed.
  std::vector<std::uint32_t> levels_;     ///< By vertex of a tree.
  std::vector<std::uint32_t> pieces_;     ///< By vertex: its connected piece.
  std::uint32_t largest_piece_ = 0;
  std::unique_ptr<LiveDistances> distances_;
  mutable LinkSet candidates_;  ///< Of the last call: kept for its memory.
};

}  // namespace heddle::platform
