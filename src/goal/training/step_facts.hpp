// What is to be known of a step of training besides its schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "goal/training/llm_plan.hpp"

namespace heddle::goal {

struct StepFacts {
  std::uint64_t tokens = 0;
  double flops = 0;  ///< Of the model: forward and backward, none twice.
};

StepFacts facts_of(const LlmPlan& plan);

/// The same as a comment in front of a schedule's text.
std::string note_of(const StepFacts& facts);
/// What such a comment at the beginning of a text says; nothing if there is none.
std::optional<StepFacts> noted_step(std::string_view text);

}  // namespace heddle::goal
