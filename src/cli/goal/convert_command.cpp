// `heddle convert`: MPI traces made into a schedule.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/goal/schedule_files.hpp"
#include "goal/check.hpp"
#include "goal/formats/formats.hpp"
#include "goal/operations.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/collective_files.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kShownFindings = 5;

/// What came of it.
struct Summary {
  goal::ScheduleInfo info;
  traces::ConversionReport report;
  goal::CheckReport check;  ///< Of the schedule.
};

/// What is not in the schedule, or stands out in it.
std::string warnings_of(const Summary& s) {
  std::string text;
  for (const auto* warnings : {&s.report.warnings, &s.check.warnings}) {
    for (const auto& [warning, times] : *warnings) {
      text += fmt::format("warning: {} x {}\n", times, warning);
    }
  }
  const std::vector<goal::Finding>& findings = s.check.findings;
  for (std::size_t i = 0; i < findings.size() && i < kShownFindings; ++i) {
    text += fmt::format("warning: {}\n", findings[i].text);
  }
  if (findings.size() > kShownFindings) {
    text += fmt::format("warning: {} more operations like these; `heddle goal check` lists them\n",
                        findings.size() - kShownFindings);
  }
  return text;
}

std::string text_of(const Summary& s, const std::string& traces) {
  std::string text = fmt::format(
      "{}: {} ranks, {} calls ({} of collectives, {} communicators)\n"
      "{} operations, {} dependencies\n"
      "{} messages, {} in all, the largest {}\n",
      traces, s.info.ranks, s.report.calls, s.report.collectives, s.report.communicators,
      s.info.sends + s.info.receives + s.info.calcs, s.info.dependencies, s.info.sends,
      format_bytes(Bytes(static_cast<std::int64_t>(s.info.bytes))),
      format_bytes(Bytes(static_cast<std::int64_t>(s.info.largest_message))));
  return text + warnings_of(s);
}

report::Json json_of(const Summary& s, const std::string& traces) {
  report::Json document = report::new_document("heddle.convert/1");
  document["traces"] = traces;
  document["ranks"] = s.info.ranks;
  document["calls"] = s.report.calls;
  document["collective_calls"] = s.report.collectives;
  document["communicators"] = s.report.communicators;
  document["operations"] = s.info.sends + s.info.receives + s.info.calcs;
  document["dependencies"] = s.info.dependencies;
  document["messages"] = s.info.sends;
  document["sent_bytes"] = s.info.bytes;
  document["largest_message_bytes"] = s.info.largest_message;
  document["warnings"] = report::Json::array();
  for (const auto* warnings : {&s.report.warnings, &s.check.warnings}) {
    for (const auto& [warning, times] : *warnings) {
      document["warnings"].push_back({{"text", warning}, {"times", times}});
    }
  }
  for (const goal::Finding& finding : s.check.findings) {
    document["warnings"].push_back({{"text", finding.text}, {"times", 1}});
  }
  return document;
}

class ConvertCommand final : public Command {
 public:
  explicit ConvertCommand(CommandLine line) {
    line.add_option("traces", traces_,
                    "A folder of traces, rank 0's file, or a list of the files of all ranks")
        .type_name("TRACES")
        .required();
    line.add_option("-o,--output", output_, "The schedule; - for the standard output")
        .type_name("FILE")
        .required();
    const Option binary = line.add_flag("--binary", binary_, "Write LogGOPSim's binary format");
    line.add_flag("--compact", compact_, "Write the compact format").excludes(binary);
    line.add_option(
            "--set", assignments_,
            "Set a parameter; `heddle params convert` and\n`heddle params collective` list them")
        .type_name("NAME=VALUE")
        .one_at_a_time();
    json_.add_to(line);
  }

  void run() override {
    json_.open();
    const report::OutputFile file("--output", output_);
    const Settings set = settings();
    traces::ConvertConfig config = set.get(traces::convert_table());
    const goal::CollectiveAlgorithms algorithms =
        load_collectives(set.get(traces::collective_table()), config.unit);
    config.collectives = &algorithms;
    traces::TraceReadOptions options;
    options.speed = config.speed;
    traces::Conversion conversion = traces::convert_files(traces_, options, config);
    for (const std::string& remark : algorithms.remarks()) conversion.report.warn(remark);
    // The traces may have cost a night on a cluster: neither output replaces one.
    file.keep_off({});
    json_.keep_off({});
    write(file, conversion.schedule);
    const Summary summary{goal::info_of(conversion.schedule), std::move(conversion.report),
                          goal::examine(conversion.schedule, {100, goal::limits_for(config.unit)})};
    json_.write_json([&] { return json_of(summary, traces_); });
    if (file.is_stdout()) {
      fmt::print(stderr, "{}", warnings_of(summary));
    } else if (json_.text_wanted()) {
      fmt::print("{}", text_of(summary, traces_));
    }
    json_.finish();
  }

 private:
  Settings settings() const {
    Settings settings({&traces::convert_table(), &traces::collective_table()});
    assign_all(settings, assignments_);
    return settings;
  }

  void write(const report::OutputFile& file, const goal::Schedule& schedule) const {
    using goal::Format;
    const Format format = binary_ ? Format::binary : compact_ ? Format::compact : Format::text;
    write_through(file, [&](std::ostream& out) { write_schedule(schedule, format, out); });
  }

  std::string traces_;
  std::string output_;
  bool binary_ = false;
  bool compact_ = false;
  std::vector<std::string> assignments_;
  OutputOptions json_;
};

}  // namespace

CommandKind convert_command() {
  return {"convert", "Make a schedule of traces (" + traces::traces_read() + ")",
          "  heddle convert traces/ -o app.goal                        # a folder of traces\n"
          "  heddle convert pmpi-trace-rank-0.txt -o app.goal          # rank 0's file: finds the "
          "rest\n"
          "  heddle convert t.list -o app.goal --set convert.speed=5Gf # SimGrid's list of files\n"
          "  heddle convert traces/ -o a.bin --binary --set convert.pinning=yes\n"
          "  heddle convert ring.xml -o r.goal --set convert.buffer=16MiB # an MSCCL algorithm",
          make_command<ConvertCommand>};
}

}  // namespace heddle::cli
