// Switches on the points of an n-dimensional grid: what torus, mesh and HyperX share.
#pragma once

#include <vector>

#include "platform/topology/direct.hpp"

namespace heddle::platform {

/// Switch s has the coordinates s % k0, s / k0 % k1, ...; names give them as "s1.2.0".
class Grid : public Direct {
 public:
  std::string name(VertexId v) const final;
  std::vector<std::uint32_t> node_grid() const final;
  /// Across the dimension where it is narrowest, if that has an even size, or between all nodes and
  /// their switches.
  std::optional<RunCut> narrowest_cut(const std::vector<Bandwidth>& by_run) const final;

 protected:
  /// One dimension: its cables are numbered from `base`, line by line.
  struct Dimension {
    std::uint32_t size;
    std::uint32_t stride;          ///< From one switch to the next along it.
    std::uint32_t base;            ///< Its first cable.
    std::uint32_t cables_in_line;  ///< Cables among the switches that differ in it only.
  };
  /// A cable of the grid, taken apart.
  struct Place {
    std::uint32_t dimension;
    std::uint32_t origin;  ///< The switch at coordinate 0 of its line.
    std::uint32_t number;  ///< Within the line.
  };

  /// Of the switches of one line from each other.
  struct LineDistances {
    unsigned __int128 sum;  ///< Links of the routes of all ordered pairs.
    std::uint32_t most;
    std::uint32_t ports;  ///< Most cables from one to others.
  };

  /// `cables_in_line` by dimension. Throws ParamError if a number is not acceptable.
  void set_grid(const std::vector<std::int64_t>& dims,
                const std::vector<std::uint64_t>& cables_in_line, std::int64_t nodes_per_switch);
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  std::uint32_t coordinate(std::uint32_t s, const Dimension& d) const {
    return s / d.stride % d.size;
  }
  Place place(std::uint32_t cable) const;
  /// Whether routes leave the order of the dimensions.
  bool turns_freely(RouteChoice choice) const;
  /// The first cable of the line of dimension `d` that switch `s` is on.
  std::uint32_t line_base(std::uint32_t s, const Dimension& d) const {
    const std::uint32_t line = s / (d.stride * d.size) * d.stride + s % d.stride;
    return d.base + line * d.cables_in_line;
  }
  /// "4x4x2".
  std::string dims_text() const;

  virtual LineDistances line_distances(std::size_t dimension) const = 0;
  /// Cables across the middle of a dimension of even size; of an odd one, at most as many as any
  /// cut into halves has that crosses it.
  virtual std::uint64_t plane_cables(std::size_t dimension) const = 0;

  std::string switch_cable_group(std::uint32_t cable) const override;
  std::vector<CableRun> switch_cable_runs() const override;
  SwitchDistances switch_distances() const override;
  Point switch_place(std::uint32_t s) const override;

 private:
  std::vector<Dimension> dimensions_;
};

}  // namespace heddle::platform
