// Ranks in a grid, the last dimension counting fastest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::traces {

class RankGrid {
 public:
  static constexpr std::size_t kMost = 3;
  using Place = std::array<std::int32_t, kMost>;

  enum class Order : std::uint8_t { longest_first, shortest_first };

  /// So many dimensions, with sides as equal as they can be; the longest first as MPI_Dims_create.
  RankGrid(std::uint32_t ranks, std::size_t dimensions, Order order = Order::longest_first);

  std::size_t dimensions() const { return dimensions_; }
  std::uint32_t ranks() const { return ranks_; }
  std::int32_t side(std::size_t dimension) const { return sides_[dimension]; }
  Place place(std::uint32_t rank) const;
  std::uint32_t rank(const Place& place) const;
  /// Its neighbours in the dimensions whose bits are set, in a row, a plane or the whole grid:
  /// ascending, the rank itself included.
  std::vector<std::uint32_t> slice(std::uint32_t rank, std::uint32_t dimensions) const;
  /// On which sides a rank has neighbours: the same number for those that have them alike.
  std::uint32_t kind(std::uint32_t rank) const;

 private:
  std::uint32_t ranks_;
  std::size_t dimensions_;
  std::array<std::int32_t, kMost> sides_ = {1, 1, 1};
};

/// How the peer of a message follows from the rank, and in loops from the round, counted from 0.
struct Relation {
  enum class Kind : std::uint8_t {
    fixed,
    step,
    mirrored,
    flipped,  ///< One bit of a coordinate differs, as in butterflies.
    leap,     ///< A power of two away in one dimension, around its rim if need be.
  };
  Kind kind = Kind::fixed;
  std::uint32_t rank = 0;     ///< Of a fixed one.
  RankGrid::Place step = {};  ///< In the grid, around its rim if need be; of a leap its direction.
  std::size_t dimension = 0;  ///< Of a flip.
  bool shrinks = false;       ///< Distances begin at half of the side rather than at 1.
  bool operator==(const Relation&) const = default;

  /// Of a step: the one back.
  Relation back() const;
  /// Nothing where there is no such rank.
  std::optional<std::uint32_t> peer(const RankGrid& grid, std::uint32_t rank,
                                    std::size_t round = 0) const;
  std::string text() const;

 private:
  std::int32_t distance(std::int32_t side, std::size_t round) const;
};

/// What a peer may be to a rank, the likeliest first.
std::vector<Relation> relations(const RankGrid& grid, std::uint32_t rank, std::uint32_t peer,
                                std::size_t round = 0);

}  // namespace heddle::traces
