// What a report says of `heddle replay`.
#pragma once

#include "record/critical_path.hpp"
#include "report/recorded_run.hpp"
#include "report/replay/replay_report.hpp"

namespace heddle::report {

/// What messages between ranks cost alone; null where there are no links.
record::CostOf cost_of(const ReplayReport& report);

RunFacts facts_of(const ReplayReport& report, const std::string& title);

}  // namespace heddle::report
