#include "platform/topology/hyperx.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace heddle::platform {
namespace {

std::vector<std::uint32_t> per_dimension(const std::vector<std::int64_t>& multiplicity,
                                         std::size_t dimensions) {
  check_list("multiplicity", multiplicity, 1);
  if (multiplicity.size() == 1) {
    return std::vector<std::uint32_t>(dimensions, static_cast<std::uint32_t>(multiplicity[0]));
  }
  if (multiplicity.size() == dimensions) return {multiplicity.begin(), multiplicity.end()};
  throw ParamError({"multiplicity"}, "multiplicity has " + std::to_string(multiplicity.size()) +
                                         " numbers; accepted is one, or one for each of the " +
                                         std::to_string(dimensions) + " dimensions");
}

}  // namespace

HyperX::HyperX(const std::vector<std::int64_t>& dims, std::int64_t nodes_per_switch,
               const std::vector<std::int64_t>& multiplicity)
    : multiplicity_(per_dimension(multiplicity, dims.size())) {
  check_list("dims", dims, 1);
  check_list("nodes_per_switch", {nodes_per_switch}, 1);
  std::vector<std::uint64_t> cables_in_line;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const RingPairs pairs(static_cast<std::uint32_t>(dims[d]));
    cables_in_line.push_back(capped_product(pairs.count(), multiplicity_[d]));
    check_size(1, 1, cables_in_line.back());
  }
  set_grid(dims, cables_in_line, nodes_per_switch);
}

std::string HyperX::describe() const {
  if (dimensions().size() > 1) return dims_text() + " HyperX, " + nodes_each();
  return "full mesh of " + counted(switches_, "switch", "switches") + ", " + nodes_each();
}

Direct::Pair HyperX::joined_by(std::uint32_t cable) const {
  const Place at = place(cable);
  const Dimension& d = dimensions()[at.dimension];
  const RingPairs::Pair pair = RingPairs(d.size).pair(at.number / multiplicity_[at.dimension]);
  return {at.origin + pair.a * d.stride, at.origin + pair.b * d.stride};
}

std::uint32_t HyperX::switch_cable_twin(std::uint32_t cable) const {
  const Place at = place(cable);
  return at.number % multiplicity_[at.dimension];
}

LinkId HyperX::step(std::uint32_t at, std::uint32_t to, std::size_t d) const {
  const Dimension& dimension = dimensions()[d];
  const auto [number, back, chord] =
      RingPairs(dimension.size).number(coordinate(at, dimension), coordinate(to, dimension));
  return link(line_base(at, dimension) + number * multiplicity_[d], back);
}

LinkId HyperX::towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const {
  for (std::size_t d = 0; d < dimensions().size(); ++d) {
    if (coordinate(at, dimensions()[d]) == coordinate(to, dimensions()[d])) continue;
    const std::uint32_t twin = static_cast<std::uint32_t>(hop.to) % multiplicity_[d];
    return LinkId{static_cast<std::uint32_t>(step(at, to, d)) + 2 * twin};
  }
  return kNoLink;
}

void HyperX::all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const {
  for (std::size_t d = 0; d < dimensions().size(); ++d) {
    if (coordinate(at, dimensions()[d]) == coordinate(to, dimensions()[d])) continue;
    const auto first = static_cast<std::uint32_t>(step(at, to, d));
    for (std::uint32_t twin = 0; twin < multiplicity_[d]; ++twin) {
      out.add(LinkId{first + 2 * twin});
    }
  }
}

Grid::LineDistances HyperX::line_distances(std::size_t dimension) const {
  const std::uint32_t k = dimensions()[dimension].size;
  return {std::uint64_t{k} * (k - 1), k > 1 ? 1U : 0U, (k - 1) * multiplicity_[dimension]};
}

/// Half of each line is joined to the other half, switch by switch.
std::uint64_t HyperX::plane_cables(std::size_t dimension) const {
  return std::uint64_t{switches_} * dimensions()[dimension].size * multiplicity_[dimension] / 4;
}

}  // namespace heddle::platform
