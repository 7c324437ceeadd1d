// Where a measure of a study is best.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study/result_view.hpp"

namespace heddle::study {

struct BestRequest {
  ResultName measure;
  std::vector<ResultName> per;  ///< The best for each combination of their values.
  bool most = false;            ///< The more the better, not the less.
  std::uint32_t top = 1;        ///< So many of the best.
  std::string option;           ///< What errors name.
};

/// A table for people: the best points, means over seeds with 95 % intervals, and how many others
/// cannot be told from each.
std::string best_table(const ResultView& view, const BestRequest& request);

}  // namespace heddle::study
