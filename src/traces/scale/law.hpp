// A number that follows the sides of a grid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traces/scale/grid.hpp"

namespace heddle::traces {

/// A value that was seen with a grid.
struct SeenValue {
  const RankGrid* grid;
  double value;
};

/// constant * side0^a * side1^b * side2^c, or a power of the number of ranks.
class Law {
 public:
  /// The one that misses the values least. Of those that are as good, the one whose shape `others`
  /// have, which are values of the same call of other ranks, then the plainest.
  static Law fit(const std::vector<SeenValue>& seen, const std::vector<SeenValue>& others);

  double value(const RankGrid& grid) const { return constant_ * shape(grid); }
  /// The largest part by which a value that it was fitted to is missed.
  double error() const { return error_; }
  std::string text() const;

 private:
  void adapt(const std::vector<SeenValue>& seen);
  double shape(const RankGrid& grid) const;
  double miss(const std::vector<SeenValue>& seen) const;

  double constant_ = 0;
  std::array<double, RankGrid::kMost> powers_ = {};
  double error_ = 0;
};

/// How often something is done: the same in all grids, or a number plus a multiple of the ranks, of
/// a side, or of the logarithm of one of them.
class CountLaw {
 public:
  /// One that all values follow exactly; the logarithm comes first of what `doubles`. Numbers that
  /// differ take three grids or more.
  static std::optional<CountLaw> fit(const std::vector<SeenValue>& seen, bool doubles);
  double value(const RankGrid& grid) const { return fixed_ + factor_ * of(grid); }

 private:
  double of(const RankGrid& grid) const;
  double fixed_ = 0;
  double factor_ = 0;
  std::size_t dimension_ = 0;  ///< RankGrid::kMost: all ranks.
  bool logarithm_ = false;
};

}  // namespace heddle::traces
