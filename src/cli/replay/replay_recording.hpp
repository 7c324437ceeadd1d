// What a report says of `heddle replay`.
#pragma once

#include "cli/replay/replay_report.hpp"
#include "record/critical_path.hpp"
#include "report/recorded_run.hpp"

namespace heddle::cli {

/// What messages between ranks on these nodes cost alone; null where there are no links.
record::CostOf cost_of(const ReplayReport& report, std::vector<NodeId> nodes);

report::RunFacts facts_of(const ReplayReport& report, const std::string& title);

}  // namespace heddle::cli
