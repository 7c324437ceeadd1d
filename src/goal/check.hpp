// Mistakes in a schedule that can be found without running it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "goal/schedule.hpp"
#include "goal/value_limits.hpp"

namespace heddle::goal {

/// What is wrong, with rank, label and line of one operation it concerns.
struct Finding {
  std::uint32_t rank;
  std::uint32_t op;
  std::string text;
};

struct CheckReport {
  std::vector<Finding> findings;                  ///< Why a replay would not end.
  std::map<std::string, std::uint64_t> warnings;  ///< What to check before trusting, how often.
};

struct CheckOptions {
  std::size_t most = 100;   ///< So many findings are enough.
  ValueLimits limits = {};  ///< What the replay accepts; limits_for() its unit of time.
};

/// Cycles within a rank and over several, sends and receives without a counterpart, peers that do
/// not exist, values beyond simulated time; in the order of ranks, at most `most` of them. Warns
/// of receives that are smaller than their message.
///
/// Sends are taken to end without their receive, as small ones do. Where a rank has receives open
/// to any source or tag, it is only checked that they are as many as the messages left for them;
/// cycles over ranks are then reported if they stall whatever these receives get, and a stall in
/// the one order tried is a warning.
CheckReport examine(const Schedule& schedule, const CheckOptions& options = {});

/// The findings only.
std::vector<Finding> check(const Schedule& schedule, const CheckOptions& options = {});

}  // namespace heddle::goal
