// Designs of experiments: which values of which parameters come together.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "study/study.hpp"

namespace heddle::study {

/// A value of a parameter, both by their numbers.
struct Setting {
  std::uint32_t parameter;
  std::uint32_t value;
};
/// What is set together.
using Part = std::vector<Setting>;
/// A part of a study, to be combined with the others: one of these parts at a time.
using Block = std::vector<Part>;

/// A parameter with values to be gone through.
struct Column {
  std::uint32_t parameter;
  std::vector<std::uint32_t> values;
};

/// Each value by itself.
Block each(const Column& column);
/// The first values of all columns, which are equally long, then the second, ...
Block side_by_side(const std::vector<Column>& columns);

/// So many places in [0, 1), independent of each other.
std::vector<double> anywhere(std::size_t count, RandomStream stream);
/// So many places, one in each of as many equal parts of [0, 1), in random order: the projection of
/// a Latin hypercube.
std::vector<double> strata(std::size_t count, RandomStream stream);

/// Every way to take a part of each block, the last block's changing fastest. Throws InputError at
/// `where` if they are more than Study::kMostPoints.
std::vector<Point> combine(std::size_t parameters, const std::vector<Block>& blocks,
                           const SourceLocation& where);

}  // namespace heddle::study
