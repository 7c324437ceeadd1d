#include "traces/scale/grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle::traces {
namespace {

/// The largest divisor of `n` that is at most its root of the given degree; the smallest side.
std::int32_t smallest_side(std::uint32_t n, std::size_t dimensions) {
  const double root = std::pow(static_cast<double>(n), 1.0 / static_cast<double>(dimensions));
  for (auto side = static_cast<std::uint32_t>(root + 1e-9); side > 1; --side) {
    if (n % side == 0) return static_cast<std::int32_t>(side);
  }
  return 1;
}

}  // namespace

RankGrid::RankGrid(std::uint32_t ranks, std::size_t dimensions, Order order)
    : ranks_(ranks), dimensions_(dimensions) {
  std::uint32_t left = ranks;
  for (std::size_t d = dimensions; d > 1; --d) {
    sides_[d - 1] = smallest_side(left, d);
    left /= static_cast<std::uint32_t>(sides_[d - 1]);
  }
  if (dimensions > 0) sides_[0] = static_cast<std::int32_t>(left);
  std::sort(sides_.begin(), sides_.begin() + static_cast<std::ptrdiff_t>(dimensions),
            std::greater<>());
  if (order == Order::shortest_first) {
    std::reverse(sides_.begin(), sides_.begin() + static_cast<std::ptrdiff_t>(dimensions));
  }
}

RankGrid::Place RankGrid::place(std::uint32_t rank) const {
  Place place = {};
  for (std::size_t d = dimensions_; d-- > 0;) {
    const auto side = static_cast<std::uint32_t>(sides_[d]);
    place[d] = static_cast<std::int32_t>(rank % side);
    rank /= side;
  }
  return place;
}

std::uint32_t RankGrid::rank(const Place& place) const {
  std::uint32_t rank = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    rank = rank * static_cast<std::uint32_t>(sides_[d]) + static_cast<std::uint32_t>(place[d]);
  }
  return rank;
}

std::vector<std::uint32_t> RankGrid::slice(std::uint32_t rank, std::uint32_t dimensions) const {
  const Place own = place(rank);
  Place last = {};
  Place at = own;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const bool varies = (dimensions >> d & 1U) != 0;
    if (varies) at[d] = 0;
    last[d] = varies ? sides_[d] - 1 : own[d];
  }
  std::vector<std::uint32_t> ranks = {this->rank(at)};
  while (at != last) {
    std::size_t d = dimensions_ - 1;
    for (; at[d] == last[d]; --d) at[d] = (dimensions >> d & 1U) != 0 ? 0 : own[d];
    ++at[d];
    ranks.push_back(this->rank(at));
  }
  return ranks;
}

std::uint32_t RankGrid::kind(std::uint32_t rank) const {
  const Place at = place(rank);
  std::uint32_t kind = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const bool low = at[d] > 0;
    const bool high = at[d] + 1 < sides_[d];
    kind = kind * 4 + static_cast<std::uint32_t>(low) * 2 + static_cast<std::uint32_t>(high);
  }
  return kind;
}

/// 1, 2, 4, ... or half of the side, a quarter, ...; 0 beyond.
std::int32_t Relation::distance(std::int32_t side, std::size_t round) const {
  constexpr std::size_t kMostRounds = 30;
  if (round >= kMostRounds) return 0;
  const std::int32_t grown = 1 << round;
  if (!shrinks) return grown < side ? grown : 0;
  return side >> (round + 1);
}

std::optional<std::uint32_t> Relation::peer(const RankGrid& grid, std::uint32_t from,
                                            std::size_t round) const {
  if (kind == Kind::fixed) {
    if (rank >= grid.ranks()) return std::nullopt;
    return rank;
  }
  RankGrid::Place at = grid.place(from);
  if (kind == Kind::mirrored) {
    if (grid.side(0) != grid.side(1)) return std::nullopt;
    std::swap(at[0], at[1]);
    return grid.rank(at);
  }
  if (kind == Kind::flipped) {
    const std::int32_t bit = distance(grid.side(dimension), round);
    at[dimension] ^= bit;
    if (bit == 0 || at[dimension] >= grid.side(dimension)) return std::nullopt;
    return grid.rank(at);
  }
  if (kind == Kind::leap) {
    const std::int32_t side = grid.side(dimension);
    const std::int32_t far = distance(side, round);
    if (far == 0) return std::nullopt;
    at[dimension] = (at[dimension] + step[dimension] * far + side) % side;
    return grid.rank(at);
  }
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    at[d] = ((at[d] + step[d]) % grid.side(d) + grid.side(d)) % grid.side(d);
  }
  return grid.rank(at);
}

Relation Relation::back() const {
  Relation other = *this;
  for (std::int32_t& one : other.step) one = -one;
  return other;
}

std::string Relation::text() const {
  if (kind == Kind::fixed) return fmt::format("rank {}", rank);
  if (kind == Kind::mirrored) return "the rank mirrored at the diagonal";
  if (kind == Kind::flipped) return fmt::format("rank with another bit in dimension {}", dimension);
  if (kind == Kind::leap) return fmt::format("rank a power of two away in dimension {}", dimension);
  return fmt::format("the rank at ({}, {}, {})", step[0], step[1], step[2]);
}

namespace {

/// Steps in one dimension that lead from one place to another, straight or around the rim, once or
/// several times where the side is short: the shortest first.
std::vector<std::int32_t> steps_along(std::int32_t side, std::int32_t from, std::int32_t to) {
  std::vector<std::int32_t> steps;
  for (const std::int32_t step : {0, 1, -1, 2, -2}) {
    if ((from + step - to) % side == 0) steps.push_back(step);
  }
  const auto straight = std::ranges::find(steps, to - from);
  if (straight != steps.end() && std::abs(*straight) == std::abs(steps.front())) {
    std::swap(*straight, steps.front());
  }
  return steps;
}

/// The same in all dimensions, by the sum of their lengths.
std::vector<Relation> steps_between(const RankGrid& grid, std::uint32_t rank, std::uint32_t peer) {
  if (grid.dimensions() == 0) return {};
  std::vector<Relation> found = {{Relation::Kind::step, 0, {}}};
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    std::vector<Relation> longer;
    for (const std::int32_t step :
         steps_along(grid.side(d), grid.place(rank)[d], grid.place(peer)[d])) {
      for (Relation& way : found) {
        longer.push_back(way);
        longer.back().step[d] = step;
      }
    }
    found = std::move(longer);
  }
  std::ranges::stable_sort(found, {}, [](const Relation& way) {
    return std::abs(way.step[0]) + std::abs(way.step[1]) + std::abs(way.step[2]);
  });
  return found;
}

/// Those whose distances are powers of two.
void add_doubling(const RankGrid& grid, std::uint32_t rank, std::uint32_t peer, std::size_t round,
                  std::vector<Relation>& found) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    for (const bool shrinks : {false, true}) {
      Relation way{Relation::Kind::flipped, 0, {}, d, shrinks};
      if (way.peer(grid, rank, round) == peer) found.push_back(way);
      way.kind = Relation::Kind::leap;
      for (const std::int32_t direction : {1, -1}) {
        way.step[d] = direction;
        if (way.peer(grid, rank, round) == peer) found.push_back(way);
      }
    }
  }
}

}  // namespace

std::vector<Relation> relations(const RankGrid& grid, std::uint32_t rank, std::uint32_t peer,
                                std::size_t round) {
  std::vector<Relation> found = steps_between(grid, rank, peer);
  if (grid.dimensions() == 2 && grid.side(0) == grid.side(1)) {
    const Relation mirrored{Relation::Kind::mirrored, 0, {}};
    if (mirrored.peer(grid, rank) == peer) found.push_back(mirrored);
  }
  add_doubling(grid, rank, peer, round, found);
  found.push_back({Relation::Kind::fixed, peer, {}});
  return found;
}

}  // namespace heddle::traces
