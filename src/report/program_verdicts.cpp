// What is said of several programs with worlds of their own.
#include <fmt/core.h>

#include <algorithm>

#include "report/recorded_run.hpp"

namespace heddle::report {
namespace {

/// One program by itself; links carry everybody's bytes.
RecordedRun program_alone(const RecordedRun& run, const ProgramFacts& facts, std::uint32_t first,
                          record::Recording& recorder, const record::CostOf& cost_of) {
  RecordedRun program;
  program.facts.title = facts.title;
  program.facts.ranks = facts.ranks;
  recorder.look_at({first, facts.ranks, facts.end});
  program.path = record::find_critical_path(recorder, [&](record::Carried carried) {
    carried.from += first;
    carried.to += first;
    return cost_of(carried);
  });
  record::OverviewConfig config;
  config.most_intervals = config.most_rounds = 0;
  program.overview = record::make_overview(recorder, config);
  program.efficiency = record::find_efficiency(recorder);
  recorder.look_at_all();
  limit_blame(program.path, run.links.used);
  program.findings =
      record::find_limits(program.path, program.overview, run.links, program.efficiency);
  return program;
}

}  // namespace

void judge_programs(RecordedRun& run, record::Recording& recorder, const record::CostOf& cost_of) {
  std::uint32_t first = 0;
  for (const ProgramFacts& facts : run.facts.programs) {
    run.programs.push_back(program_alone(run, facts, first, recorder, cost_of));
    first += facts.ranks;
  }
  const auto last = std::max_element(
      run.programs.begin(), run.programs.end(),
      [](const RecordedRun& a, const RecordedRun& b) { return a.overview.end < b.overview.end; });
  run.findings = last->findings;
  if (run.findings.sentences.empty()) return;
  std::string& sentence = run.findings.sentences.front();
  sentence = fmt::format("Program {}, {}, ends last: {}", last - run.programs.begin() + 1,
                         last->facts.title, sentence);
}

}  // namespace heddle::report
