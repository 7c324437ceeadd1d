// The schedule of a step of training a large language model.
#pragma once

#include "goal/schedule.hpp"
#include "goal/training/llm_plan.hpp"
#include "goal/training/streams.hpp"

namespace heddle::goal {

/// The name of the pattern.
inline constexpr std::string_view kLlm = "llm";

/// Every GPU a rank, every kind of parallelism a processor of its own (Stream); durations in
/// nanoseconds. `algorithms` are taken for the collectives that they fit. Throws InputError where
/// numbers do not go together, or the machine has no memory for so many operations.
Schedule generate_llm(const LlmPlan& plan, const RankShare& share = {},
                      const CollectiveAlgorithms& algorithms = {});

}  // namespace heddle::goal
