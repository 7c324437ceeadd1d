// HyperX: a grid in which the switches of every line are all joined to each other.
#pragma once

#include "platform/topology/grid.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {

/// Routes change one coordinate at a time, in the order of the dimensions. With one dimension it is
/// a full mesh of switches, with equal dimensions of k a flattened butterfly (k-ary n-flat).
/// Between two switches of a line there may be several cables, over which destinations are spread.
class HyperX final : public Grid {
 public:
  /// `multiplicity` has one entry per dimension, or one for all. Throws ParamError.
  HyperX(const std::vector<std::int64_t>& dims, std::int64_t nodes_per_switch,
         const std::vector<std::int64_t>& multiplicity = {1});

  bool concurrent() const override { return true; }
  std::string describe() const override;
  /// Not with the dimensions in order.
  bool can_wait_in_circles(RouteChoice choice) const override { return turns_freely(choice); }

 protected:
  Pair joined_by(std::uint32_t cable) const override;
  LinkId towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const override;
  void all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const override;
  std::uint32_t switch_cable_twin(std::uint32_t cable) const override;
  LineDistances line_distances(std::size_t dimension) const override;
  std::uint64_t plane_cables(std::size_t dimension) const override;

 private:
  /// The first of the equal links that correct dimension `d`.
  LinkId step(std::uint32_t at, std::uint32_t to, std::size_t d) const;

  std::vector<std::uint32_t> multiplicity_;  ///< By dimension.
};

}  // namespace heddle::platform
