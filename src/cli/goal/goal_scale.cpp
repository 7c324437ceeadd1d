// `heddle goal scale`: a schedule of many ranks from traces of few.
#include <fmt/core.h>

#include "cli/common.hpp"
#include "cli/goal/goal_command.hpp"
#include "cli/goal/schedule_files.hpp"
#include "cli/run/recorded_traces.hpp"
#include "coll/rules/operation.hpp"
#include "mpi/config.hpp"
#include "run/spelled_out.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/trace_reader.hpp"
#include "traces/scale/scale.hpp"

namespace heddle::cli {
namespace {

class ScaleCommand final : public Command {
 public:
  explicit ScaleCommand(CommandLine line) {
    line.add_option("traces", traces_,
                    "Traces of the program on different numbers of ranks, as\n`heddle run "
                    "--trace-ti` writes them")
        .type_name("TRACES")
        .required();
    line.add_option("-n,--ranks", options_.ranks, "How many ranks the schedule has")
        .type_name("N")
        .check(whole_number(1, kMostRanks))
        .required();
    line.add_option("-o,--output", output_, "File to write; - for the standard output")
        .type_name("FILE")
        .required();
    const Option compact = line.add_flag("--compact", compact_, "Write the compact format");
    line.add_flag("--ti", traces_wanted_,
                  "Write time-independent traces, whose collectives `heddle\nreplay` leaves to MPI")
        .excludes(compact);
    line.add_option("--set", assignments_,
                    "Set a parameter; `heddle params convert` and `heddle params\nmpi` list them")
        .type_name("NAME=VALUE")
        .one_at_a_time();
  }

  void run() override {
    const report::OutputFile file("--output", output_);
    file.keep_off(traces_);
    Settings settings({&traces::convert_table(), &mpi::mpi_table()});
    for (const std::string& assignment : assignments_) check_algorithm(assignment);
    assign_all(settings, assignments_);
    const traces::ConvertConfig config = settings.get(traces::convert_table());
    traces::TraceReadOptions reading;
    reading.speed = config.speed;
    std::vector<traces::Trace> traces;
    for (const std::string& path : traces_) traces.push_back(traces::read_traces(path, reading));
    traces::Scaled scaled = traces::scale(traces, options_);
    run::spell_out(scaled.trace, settings.get(mpi::mpi_table()),
                   traces_wanted_ ? run::Spelled::some_ranks : run::Spelled::all);
    if (traces_wanted_) return write_traces(file, scaled, config);
    const traces::Conversion made = traces::convert(scaled.trace, config);
    write_through(file, [&](std::ostream& out) {
      goal::write_schedule(made.schedule, compact_ ? goal::Format::compact : goal::Format::text,
                           out);
    });
    if (file.is_stdout()) return;
    for (const std::string& line : scaled.found) fmt::print("{}\n", line);
    fmt::print("{} ranks, {} operations\n", made.schedule.ranks(), made.schedule.ops());
  }

 private:
  /// Collectives are MPI's: those of the section `convert` would be without effect.
  static void check_algorithm(const std::string& assignment) {
    constexpr std::string_view kSection = "convert.";
    if (!assignment.starts_with(kSection)) return;
    const std::string name =
        assignment.substr(kSection.size(), assignment.find('=') - kSection.size());
    if (!coll::collective_named(name)) return;
    throw InputError(
        {"--set " + assignment},
        fmt::format("collectives are carried out as by MPI: accepted is mpi.coll.{}", name));
  }

  static void write_traces(const report::OutputFile& file, const traces::Scaled& scaled,
                           const traces::ConvertConfig& config) {
    if (file.is_stdout()) throw InputError({"--ti"}, "traces are many files: accepted is a file");
    const auto flops = static_cast<double>(config.speed.flops());
    write_time_independent(file, scaled.trace, [&](std::uint32_t) { return flops; });
    for (const std::string& line : scaled.found) fmt::print("{}\n", line);
    fmt::print("{} ranks\n", scaled.trace.ranks.size());
  }

  static constexpr std::uint64_t kMostRanks = 1 << 24;
  std::vector<std::string> traces_;
  std::string output_;
  traces::ScaleOptions options_;
  bool compact_ = false;
  bool traces_wanted_ = false;
  std::vector<std::string> assignments_;
};

}  // namespace

CommandKind goal_scale_command() {
  return {"scale", "Make a schedule of many ranks from traces of the same program on few",
          "  heddle goal scale t4.ti t8.ti t16.ti t32.ti --ranks 4096 -o t4096.goal",
          make_command<ScaleCommand>};
}

}  // namespace heddle::cli
