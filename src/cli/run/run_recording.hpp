// What a report says of `heddle run`.
#pragma once

#include "cli/common.hpp"
#include "record/critical_path.hpp"
#include "report/recorded_run.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {

/// What messages between ranks cost alone. The run must outlive it.
record::CostOf cost_of(run::ProgramRun& run, const Machine& machine);

report::RunFacts facts_of(run::ProgramRun& run, const Machine& machine,
                          const run::RunConfig& config);

}  // namespace heddle::cli
