// Generated schedules with parameters of their own, by their names.
#pragma once

#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "goal/custom/collective_algorithm.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

/// The section of its parameters is called as it is.
struct Generator {
  std::string_view name;
  std::string_view about;
  const ParamSection& (*section)();
  /// `algorithms` are taken for collectives that they fit.
  Schedule (*make)(const Settings& settings, const RankShare& share,
                   const CollectiveAlgorithms& algorithms);
};

const std::vector<Generator>& generators();
/// The one called so, or null.
const Generator* find_generator(std::string_view name);

}  // namespace heddle::goal
