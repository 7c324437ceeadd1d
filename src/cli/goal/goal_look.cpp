// `heddle goal list`, `info` and `check`: what there is, and what is in a schedule.
#include <fmt/core.h>

#include <cctype>

#include "cli/common.hpp"
#include "cli/goal/goal_command.hpp"
#include "core/units.hpp"
#include "goal/check.hpp"
#include "goal/formats/formats.hpp"
#include "goal/generators/generators.hpp"
#include "goal/operations.hpp"
#include "goal/patterns/patterns.hpp"
#include "report/table.hpp"

namespace heddle::cli {
namespace {

class PatternListCommand final : public Command {
 public:
  explicit PatternListCommand(CommandLine) {}
  void run() override {
    report::Table table({{"pattern"}, {"parameters"}, {"about"}});
    for (const goal::Pattern& pattern : goal::patterns()) {
      const std::vector<std::string> names(pattern.parameters.begin(), pattern.parameters.end());
      table.add({std::string(pattern.name), joined(names), std::string(pattern.about)});
    }
    fmt::print("{}\nAll look at pattern.ranks; `heddle params pattern` explains the parameters.\n",
               table.text());
    fmt::print("With parameters of their own (`heddle goal generate`, --pattern in a replay):\n");
    for (const goal::Generator& generator : goal::generators()) {
      fmt::print("  {:<6}{}\n", generator.name, generator.about);
    }
  }
};

void add_schedule(CommandLine line, std::string& path) {
  line.add_option("schedule", path, "GOAL as text, binary or compact; - for the standard input")
      .type_name("FILE")
      .required();
}

class InfoCommand final : public Command {
 public:
  explicit InfoCommand(CommandLine line) {
    add_schedule(line, path_);
    output_.add_to(line);
  }
  void run() override {
    output_.open();
    output_.keep_off({path_});
    const goal::ScheduleInfo info = goal::info_of(goal::read_schedule(path_));
    if (output_.text_wanted()) print(info);
    output_.write_json([&] { return to_json(info); });
    output_.finish();
  }

 private:
  /// A number that is shown: its key in JSON, and what it counts.
  struct Count {
    const char* key;
    const char* what;
    std::uint64_t number;
  };
  static std::vector<Count> counts(const goal::ScheduleInfo& i) {
    return {{"ranks", "ranks", i.ranks},
            {"sends", "sends", i.sends},
            {"receives", "receives", i.receives},
            {"open_receives", "receives from any rank or of any tag", i.open_receives},
            {"calcs", "calcs", i.calcs},
            {"dependencies", "dependencies", i.dependencies},
            {"roots", "operations that wait for nothing", i.roots},
            {"sent_bytes", "bytes sent", i.bytes},
            {"largest_message_bytes", "largest message in bytes", i.largest_message},
            {"compute_units", "time units of all calcs", i.compute},
            {"longest_compute_units", "time units of the busiest rank's calcs", i.longest_compute},
            {"cpus", "processors per rank", i.cpus},
            {"nics", "adapters per rank", i.nics}};
  }

  void print(const goal::ScheduleInfo& info) const {
    report::Table table({{"what"}, {"count", report::Align::right}});
    for (const Count& count : counts(info)) table.add({count.what, std::to_string(count.number)});
    fmt::print("{}\n\n{}", path_, table.text());
  }

  report::Json to_json(const goal::ScheduleInfo& info) const {
    report::Json json = report::new_document("heddle.goal-info/1");
    json["schedule"] = path_;
    for (const Count& count : counts(info)) json[count.key] = count.number;
    return json;
  }

  std::string path_;
  OutputOptions output_;
};

class CheckCommand final : public Command {
 public:
  explicit CheckCommand(CommandLine line) {
    add_schedule(line, path_);
    line.add_option("--most", most_, "Show at most so many problems")
        .type_name("N")
        .check(whole_number(1, kMostShown))
        .show_default();
    line.add_option("--time-unit", time_unit_, "What 1 means in a calc, as in `heddle replay`")
        .type_name("UNIT")
        .check(not_empty())
        .show_default();
  }
  void run() override {
    const goal::Schedule schedule = goal::read_schedule(path_);
    const auto [findings, warnings] = goal::examine(schedule, {most_, limits()});
    for (const auto& [warning, times] : warnings) fmt::print("warning: {} x {}\n", times, warning);
    if (findings.empty()) {
      return fmt::print("{}: {} ranks, {} operations, {}\n", path_, schedule.ranks(),
                        schedule.ops(), warnings.empty() ? "no problem found" : "no error found");
    }
    std::string text =
        fmt::format("{} problem{}{}:", findings.size(), findings.size() == 1 ? "" : "s",
                    findings.size() == most_ ? " or more" : "");
    for (const goal::Finding& finding : findings) text += "\n  " + finding.text;
    throw InputError({path_}, text);
  }

 private:
  goal::ValueLimits limits() const {
    return goal::limits_for(*parse_time(one_of_unit(time_unit_)));
  }

  std::string path_;
  std::size_t most_ = 100;
  std::string time_unit_ = "ns";
};

}  // namespace

std::string one_of_unit(const std::string& text) {
  const std::string one =
      std::isalpha(static_cast<unsigned char>(text.front())) ? "1" + text : text;
  const auto unit = parse_time(one);
  if (unit && *unit > Time::zero()) return one;
  throw InputError({"--time-unit"}, "'" + text +
                                        "' is not a unit of time: accepted are ns, us, 10ns and so "
                                        "on");
}

CommandKind goal_list_command() {
  return {"list", "List the patterns that can be generated", "  heddle goal list",
          make_command<PatternListCommand>};
}

CommandKind goal_info_command() {
  return {"info", "Count what is in a schedule",
          "  heddle goal info app.goal            # a table\n"
          "  heddle goal info app.bin --json -    # the same as JSON",
          make_command<InfoCommand>};
}

CommandKind goal_check_command() {
  return {"check", "Find cycles and unmatched operations; the exit status is 2 if there are any",
          "  heddle goal check app.goal", make_command<CheckCommand>};
}

}  // namespace heddle::cli
