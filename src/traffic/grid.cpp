#include "traffic/grid.hpp"

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"

namespace heddle::traffic {
namespace {

/// The factor of `n` nearest to its `parts`-th root from below.
std::uint32_t balanced_factor(std::uint32_t n, std::uint32_t parts) {
  std::uint32_t best = 1;
  for (std::uint32_t f = 1;; ++f) {
    std::uint64_t power = 1;
    for (std::uint32_t i = 0; i < parts; ++i) power *= f;
    if (power > n) return best;
    if (n % f == 0) best = f;
  }
}

/// Extents of `dimensions` dimensions, largest first.
std::vector<std::uint32_t> balanced(std::uint32_t nodes, std::uint32_t dimensions) {
  std::vector<std::uint32_t> extents(dimensions);
  for (std::uint32_t d = dimensions; d > 1; --d) {
    extents[d - 1] = balanced_factor(nodes, d);
    nodes /= extents[d - 1];
  }
  extents[0] = nodes;
  return extents;
}

[[noreturn]] void fail(std::string_view shape, std::uint32_t nodes) {
  throw ParamError({"traffic.grid"},
                   "'" + std::string(shape) +
                       "' is not a grid: accepted are auto, 1d, 2d, 3d, or extents such as 8x4x2 "
                       "whose product is the number of nodes, here " +
                       std::to_string(nodes));
}

std::vector<std::uint32_t> parsed(std::string_view shape, std::uint32_t nodes) {
  std::vector<std::uint32_t> extents;
  std::uint64_t product = 1;
  for (const std::string_view part : split(shape, 'x')) {
    const auto extent = parse_count(part);
    if (!extent || *extent < 1 || *extent > nodes) fail(shape, nodes);
    product *= static_cast<std::uint64_t>(*extent);
    if (product > nodes) fail(shape, nodes);
    extents.push_back(static_cast<std::uint32_t>(*extent));
  }
  if (product != nodes) fail(shape, nodes);
  return extents;
}

}  // namespace

Grid::Grid(std::string_view shape, std::uint32_t nodes) {
  const bool automatic = shape == "1d" || shape == "2d" || shape == "3d";
  extents_ = automatic ? balanced(nodes, static_cast<std::uint32_t>(shape[0] - '0'))
                       : parsed(shape, nodes);
}

std::uint32_t Grid::moved(std::uint32_t node, std::size_t dimension, std::uint32_t distance) const {
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dimension; ++d) stride *= extents_[d];
  const std::uint32_t extent = extents_[dimension];
  const std::uint32_t at = node / stride % extent;
  return node - at * stride + (at + distance) % extent * stride;
}

}  // namespace heddle::traffic
