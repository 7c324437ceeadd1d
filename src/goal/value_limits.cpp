#include "goal/value_limits.hpp"

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::goal {

ValueLimits limits_for(Time unit) {
  ValueLimits limits;
  limits.calc = static_cast<std::uint64_t>(kLatest / unit.ps());
  return limits;
}

std::string beyond(const PackedOp& op, std::uint64_t value, const ValueLimits& limits) {
  if (op.kind() == OpKind::calc && value > limits.calc) {
    return fmt::format("it is longer than simulated time reaches (26 days): at most {} is accepted",
                       limits.calc);
  }
  if (op.kind() == OpKind::send && value > limits.bytes) {
    return fmt::format("it is too large to be replayed: at most {} bytes are accepted",
                       limits.bytes);
  }
  return {};
}

void require_within(const Schedule& schedule, const ValueLimits& limits) {
  if (schedule.largest_message() <= limits.bytes && schedule.longest_calc() <= limits.calc) return;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const RankView rank = schedule.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const std::string problem = beyond(rank.packed(i), rank.value(i), limits);
      if (!problem.empty()) {
        throw InputError({schedule.source(), rank.place(i).line},
                         schedule.describe(r, i) + ": " + problem);
      }
    }
  }
}

}  // namespace heddle::goal
