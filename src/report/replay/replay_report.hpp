// What `heddle replay` says of a replay.
#pragma once

#include <optional>
#include <string>

#include "platform/machine.hpp"
#include "report/json.hpp"
#include "report/replay/step_report.hpp"
#include "run/replay_run.hpp"

namespace heddle::report {

/// A replay, and how it came about.
struct ReplayReport : run::ReplayOutcome {
  const platform::Machine* machine = nullptr;  ///< Without a platform where LogGOPS needs none.
  const goal::Schedule* schedule = nullptr;
  double wall_seconds = 0;
  std::optional<StepReport> step = {};  ///< Where the schedule is a step of training.
  std::vector<std::string> again = {};  ///< The command and what no configuration says.
};

std::string text_of(const ReplayReport& report);
/// A line per rank.
std::string csv_of(const ReplayReport& report);
Json json_of(const ReplayReport& report);
std::string fingerprint_of(const ReplayReport& report);

}  // namespace heddle::report
