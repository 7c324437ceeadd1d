// What a report says of `heddle run`.
#pragma once

#include "platform/machine.hpp"
#include "record/critical_path.hpp"
#include "report/recorded_run.hpp"
#include "run/program_run.hpp"

namespace heddle::report {

/// What messages between ranks cost alone. The run must outlive it.
record::CostOf cost_of(run::ProgramRun& run, const platform::Machine& machine);

/// `advice` says what to do about computation that is left out.
RunFacts facts_of(run::ProgramRun& run, const platform::Machine& machine,
                  const run::RunConfig& config, std::string_view advice);

}  // namespace heddle::report
