// What a replay says of a step of training.
#pragma once

#include <array>
#include <string>

#include "goal/training/step_facts.hpp"
#include "goal/training/streams.hpp"
#include "report/json.hpp"
#include "run/replay_run.hpp"

namespace heddle::report {

/// Where the time of a step went: mean over all GPUs, in picoseconds. The parts add up to the time
/// of the step.
struct StepReport {
  goal::StepFacts facts;
  std::uint32_t gpus = 0;
  double step = 0;
  double compute = 0;
  double bubble = 0;  ///< Waiting for other stages that would be there if messages cost nothing.
  /// Waiting for communication of each kind; that of computation is 0. Of pp it is what comes on
  /// top of the bubble.
  std::array<double, goal::kStreamNames.size()> exposed = {};

  double tokens_per_second() const { return static_cast<double>(facts.tokens) / (step * 1e-12); }
  /// Of one GPU.
  double flops_per_second() const { return facts.flops / gpus / (step * 1e-12); }
};

/// `ideal` is how long the step would take if messages cost nothing.
StepReport step_report(const goal::StepFacts& facts, const replay::ReplayResult& result,
                       const replay::IdleTimes& idle, Time ideal);

std::string text_of(const StepReport& report);
Json json_of(const StepReport& report);

}  // namespace heddle::report
