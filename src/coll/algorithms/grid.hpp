// Ranks arranged in a grid, for exchanges dimension by dimension.
#pragma once

#include <algorithm>
#include <vector>

namespace heddle::coll {

/// Sizes of the dimensions of a grid of `ranks`, as equal as they can be, the largest first. The
/// last varies fastest.
inline std::vector<int> grid_of(int ranks, int dimensions) {
  std::vector<int> sizes;
  for (int left = dimensions; left > 1; --left) {
    // The smallest divisor that leaves no more than its share to each of the others.
    int size = 1;
    const auto enough = [&](int candidate) {
      double power = 1;
      for (int i = 0; i < left; ++i) power *= candidate;
      return power >= ranks;
    };
    while (ranks % size != 0 || !enough(size)) ++size;
    sizes.push_back(size);
    ranks /= size;
  }
  sizes.push_back(ranks);
  return sizes;
}
/// As many dimensions of two as there are bits, for a power of two.
inline std::vector<int> hypercube_of(int ranks) {
  std::vector<int> sizes;
  for (; ranks > 1; ranks /= 2) sizes.push_back(2);
  return sizes;
}

}  // namespace heddle::coll
