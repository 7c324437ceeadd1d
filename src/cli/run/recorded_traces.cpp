#include "cli/run/recorded_traces.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "cli/goal/schedule_files.hpp"
#include "files/packing.hpp"
#include "traces/convert/convert.hpp"
#include "traces/ti_writer.hpp"

namespace heddle::cli {
namespace {

const std::string kTimeIndependent = "--trace-ti";
const std::string kGoal = "--trace-goal";

/// As the name says: text takes about ten times the room of the others.
goal::Format format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(files::without_packing(path)).extension();
  if (ending == ".hgs") return goal::Format::compact;
  return ending == ".bin" ? goal::Format::binary : goal::Format::text;
}

std::vector<std::string> write_goal(const report::OutputFile& file, const traces::Trace& trace) {
  const traces::Conversion made = traces::convert(trace, traces::convert_table().defaults());
  write_through(file, [&](std::ostream& out) {
    goal::write_schedule(made.schedule, format_of(file.path()), out);
  });
  std::vector<std::string> warnings;
  for (const auto& [text, times] : made.report.warnings) {
    warnings.push_back(fmt::format("{}: {} x {}", kGoal, times, text));
  }
  return warnings;
}

}  // namespace

void write_time_independent(const report::OutputFile& list, const traces::Trace& trace,
                            const std::function<double(std::uint32_t)>& flops_of) {
  // Where the list is packed, so are the traces.
  const std::string_view name = files::without_packing(list.path());
  const std::string ending = list.path().substr(name.size());
  const std::filesystem::path folder = std::string(name) + "_files";
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    throw RunError(fmt::format("{}: cannot be made: {}", folder.string(), problem.message()));
  }
  std::string names;
  const auto ranks = static_cast<std::uint32_t>(trace.ranks.size());
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::filesystem::path path = folder / fmt::format("rank-{}.txt{}", r, ending);
    report::OutputFile(kTimeIndependent, path)
        .write(traces::time_independent_text(trace.ranks[r], r, ranks, flops_of(r)));
    names += absolute(path).string() + "\n";
  }
  list.write(names);
}

void RecordedTraces::add_to(CommandLine line, OutputOptions& output) {
  const Option ti = output.add_file(
      line, kTimeIndependent,
      "Write what ranks do with MPI as time-independent\ntraces: a list of files, one per rank");
  output
      .add_file(line, kGoal,
                "Write the messages and the computation of ranks as GOAL; as\ntext, or to FILE.hgs "
                "in the compact format, to FILE.bin in\nLogGOPSim's binary")
      .excludes(ti);
}

std::optional<run::Recorded> RecordedTraces::wanted(const OutputOptions& output) {
  const report::OutputFile* ti = output.file(kTimeIndependent);
  const report::OutputFile* goal = output.file(kGoal);
  if (ti != nullptr && ti->is_stdout()) {
    throw InputError({kTimeIndependent}, "traces are files beside their list: accepted is a file");
  }
  if (ti != nullptr) return run::Recorded::calls;
  if (goal != nullptr) return run::Recorded::messages;
  return std::nullopt;
}

std::vector<std::string> RecordedTraces::write(OutputOptions& output, run::ProgramRun& run) {
  const report::OutputFile* ti = output.file(kTimeIndependent);
  const report::OutputFile* goal = output.file(kGoal);
  if (ti == nullptr && goal == nullptr) return {};
  std::vector<std::string> warnings;
  for (const auto& [call, times] : run.worlds().front().recorder().left_out()) {
    warnings.push_back(fmt::format("the trace lacks what {} transfers of {} moved", times, call));
  }
  const traces::Trace trace = run.worlds().front().recorder().finish();
  output.attempt([&] {
    if (ti != nullptr) {
      host::Job& job = run.worlds().front().job();
      return write_time_independent(*ti, trace, [&](std::uint32_t r) {
        return static_cast<double>(
            job.platform().node(job.rank(host::RankId{r}).node()).speed.flops());
      });
    }
    const std::vector<std::string> more = write_goal(*goal, trace);
    warnings.insert(warnings.end(), more.begin(), more.end());
  });
  return warnings;
}

}  // namespace heddle::cli
