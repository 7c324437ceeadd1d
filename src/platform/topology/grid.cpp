#include "platform/topology/grid.hpp"

#include <algorithm>

#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

std::string axis_name(std::size_t dimension) {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  return dimension < 3 ? kAxes[dimension] : "dimension " + std::to_string(dimension);
}

}  // namespace

void Grid::set_grid(const std::vector<std::int64_t>& dims,
                    const std::vector<std::uint64_t>& cables_in_line,
                    std::int64_t nodes_per_switch) {
  const std::uint64_t switches = capped_product(dims);
  std::uint64_t stride = 1;
  std::uint64_t cables = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto size = static_cast<std::uint64_t>(dims[d]);
    dimensions_.push_back({static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(stride),
                           static_cast<std::uint32_t>(cables),
                           static_cast<std::uint32_t>(cables_in_line[d])});
    cables += capped_product(switches / size, cables_in_line[d]);
    check_size(1, switches, cables);
    stride *= size;
  }
  set_size(switches, static_cast<std::uint64_t>(nodes_per_switch), cables);
}

Grid::Place Grid::place(std::uint32_t cable) const {
  std::uint32_t d = static_cast<std::uint32_t>(dimensions_.size()) - 1;
  while (dimensions_[d].base > cable || dimensions_[d].cables_in_line == 0) --d;
  const Dimension& dimension = dimensions_[d];
  const std::uint32_t line = (cable - dimension.base) / dimension.cables_in_line;
  const std::uint32_t origin =
      line / dimension.stride * dimension.stride * dimension.size + line % dimension.stride;
  return {d, origin, (cable - dimension.base) % dimension.cables_in_line};
}

bool Grid::turns_freely(RouteChoice choice) const {
  const auto wide = std::count_if(dimensions_.begin(), dimensions_.end(),
                                  [](const Dimension& d) { return d.size > 1; });
  return choice == RouteChoice::detour ? wide > 0 : choice == RouteChoice::adaptive && wide > 1;
}

std::string Grid::dims_text() const {
  std::string text;
  for (const Dimension& d : dimensions_) text += (text.empty() ? "" : "x") + std::to_string(d.size);
  return text;
}

std::vector<std::uint32_t> Grid::node_grid() const {
  std::vector<std::uint32_t> extents;
  if (nodes_per_switch() > 1) extents.push_back(nodes_per_switch());
  for (const Dimension& d : dimensions_) extents.push_back(d.size);
  return extents;
}

std::string Grid::name(VertexId v) const {
  if (!is_switch(v)) return Direct::name(v);
  const std::uint32_t s = static_cast<std::uint32_t>(v) - nodes_;
  std::string text = "s";
  for (const Dimension& d : dimensions_) {
    text += (text.size() == 1 ? "" : ".") + std::to_string(coordinate(s, d));
  }
  return text;
}

std::string Grid::switch_cable_group(std::uint32_t cable) const {
  return axis_name(place(cable).dimension);
}

std::vector<CableRun> Grid::switch_cable_runs() const {
  std::vector<CableRun> runs;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const Dimension& dimension = dimensions_[d];
    if (dimension.size == 1) continue;
    runs.push_back(
        {axis_name(d), dimension.base, switches_ / dimension.size * dimension.cables_in_line});
  }
  return runs;
}

/// Each dimension adds its own way, the same for every place in the others.
SwitchDistances Grid::switch_distances() const {
  SwitchDistances all;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const LineDistances line = line_distances(d);
    const std::uint64_t lines = switches_ / dimensions_[d].size;
    all.sum += line.sum * lines * lines;
    all.most += line.most;
    all.ports += line.ports;
  }
  all.diameter = all.most;
  return all;
}

std::optional<RunCut> Grid::narrowest_cut(const std::vector<Bandwidth>& by_run) const {
  std::vector<CutBound> bounds = {access_cut()};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].size == 1) continue;
    bounds.push_back({{bounds.size(), plane_cables(d)}, dimensions_[d].size % 2 == 0});
  }
  return narrowest_reached(bounds, by_run);
}

/// The third dimension runs diagonally, between the points of the first two; further dimensions
/// set whole pictures side by side.
Point Grid::switch_place(std::uint32_t s) const {
  const auto size = [this](std::size_t d) {
    return d < dimensions_.size() ? dimensions_[d].size : 1;
  };
  const double cell = nodes_per_switch() + 1.0;  // Room for a switch and its nodes.
  const std::uint32_t x = s % size(0);
  const std::uint32_t y = s / size(0) % size(1);
  const std::uint32_t z = s / (size(0) * size(1)) % size(2);
  const std::uint32_t picture = s / (size(0) * size(1) * size(2));
  const double picture_width = cell * size(0) * size(2) + 2;
  return {picture * picture_width + cell * (x * size(2) + z), cell * (y * size(2) + z)};
}

}  // namespace heddle::platform
