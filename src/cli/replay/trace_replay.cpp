#include "cli/replay/trace_replay.hpp"

#include <fmt/core.h>

#include <chrono>
#include <filesystem>

#include "cli/run/job_options.hpp"
#include "cli/run/run_progress.hpp"
#include "files/input_stream.hpp"
#include "replay/loggops/parameters.hpp"
#include "report/repeat.hpp"
#include "report/run/mpi_report.hpp"
#include "report/run/run_recording.hpp"
#include "report/run/run_report.hpp"
#include "report/table.hpp"
#include "run/program_run.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Schedules are text, too: only a list names files.
bool lists_files(const std::string& text, const std::string& path) {
  const std::string first = text.substr(0, text.find('\n'));
  return !first.empty() &&
         (fs::is_regular_file(fs::path(path).parent_path() / first) || fs::is_regular_file(first));
}

traces::Trace read(const Machine& machine, const std::string& path) {
  traces::TraceReadOptions options;
  options.speed = machine.platform->node(NodeId{0}).speed;
  return traces::read_traces(path, options);
}

/// A line per rank.
std::string csv_of_ranks(const report::RunReport& report) {
  report::Table table({{"rank"}, {"finish_ps"}, {"compute_ps"}, {"waiting_ps"}});
  for (std::size_t r = 0; r < report.times.size(); ++r) {
    const host::RankTimes& t = report.times[r];
    table.add({std::to_string(r), std::to_string(t.end.ps()), std::to_string(t.computing.ps()),
               std::to_string(t.waiting.ps())});
  }
  return table.csv();
}

run::RunConfig config_of(const Machine& machine, const traces::Trace& trace,
                         const TraceReplay& request) {
  run::RunConfig config;
  const bool scheduled = request.schedule != nullptr;
  const auto ranks = static_cast<std::uint32_t>(trace.ranks.size());
  config.programs = {{request.path, {}, scheduled ? request.schedule->ranks() : ranks}};
  config.seed = request.seed;
  config.played = scheduled ? nullptr : &trace;
  config.schedule = request.schedule;
  config.map = request.map;
  config.nodes = request.nodes;
  const auto placement = machine.settings.get(replay::replay_table());
  if (placement.ranks_per_node) {
    config.ranks_per_node = static_cast<std::uint32_t>(*placement.ranks_per_node);
  }
  return config;
}

}  // namespace

bool names_traces(const std::string& path) {
  if (path.empty() || path == "-" || traces::makes_schedule(path)) return false;
  if (fs::is_directory(path)) return true;
  if (!fs::is_regular_file(path)) return false;
  const std::string text = files::beginning_of(path);
  if (traces::reader_for(text) != nullptr) return true;
  return traces::may_list_files(text) && lists_files(text, path);
}

void replay_traces(const Machine& machine, const TraceReplay& request, OutputOptions& output,
                   RecordingOptions& recording) {
  const traces::Trace trace =
      request.schedule == nullptr ? read(machine, request.path) : traces::Trace{};
  run::RunConfig config = config_of(machine, trace, request);
  config.recorder = recording.recorder();
  RunProgress progress("replay", true);
  progress.watch(config);
  run::ProgramRun run(*machine.platform, machine.settings, config);
  progress.begin(run);
  const auto begin = std::chrono::steady_clock::now();
  run.run();
  progress.give_way();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  report::RunReport report = report::report_of(run, machine, nullptr);
  report.advice = kComputeAdvice;
  report.programs = {
      {request.schedule == nullptr ? report::absolute_path(request.path) : request.path,
       {},
       report.ranks}};
  report.seed = request.seed;
  report.again = request.again;
  mpi::World& mpi = run.worlds().front().mpi();
  report.mpi_text = report::mpi_text(mpi);
  if (output.json_wanted()) report.mpi = report::mpi_json(mpi);
  output.write("--csv", [&] { return csv_of_ranks(report); });
  if (recording.wanted()) {
    report::RunFacts facts = report::facts_of(run, machine, config, kComputeAdvice);
    facts.kind = "replay";
    facts.wall_seconds = wall.count();
    facts.command = report.again;
    recording.write(std::move(facts), machine.platform.get(), report::cost_of(run, machine));
  }
  output.write_json([&] { return json_of(report, machine); });
  if (output.text_wanted()) {
    fmt::print("{}", text_of(report).substr(1));
    if (request.fingerprint) fmt::print("fingerprint {:016x}\n", report.fingerprint);
  }
  output.finish();
}

}  // namespace heddle::cli
