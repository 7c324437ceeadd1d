// `heddle goal gen`, `cat`, `to-*` and `dot`: everything that writes a file.
#include <fmt/core.h>

#include "cli/common.hpp"
#include "cli/goal/goal_command.hpp"
#include "cli/goal/schedule_files.hpp"
#include "cli/shorthand_options.hpp"
#include "core/units.hpp"
#include "goal/operations.hpp"
#include "goal/patterns/patterns.hpp"
#include "traces/chakra_writer.hpp"

namespace heddle::cli {
namespace {

using goal::Format;
using goal::Schedule;

/// Where a schedule goes: `-o FILE`.
class Target {
 public:
  void add_to(CommandLine line) {
    line.add_option("-o,--output", path_, "File to write; - for the standard output")
        .type_name("FILE")
        .show_default();
  }
  /// Checks that it can be written, and is none of the files that are read; call it before the
  /// work.
  void open(const std::vector<std::string>& inputs = {}) {
    file_.emplace("--output", path_);
    file_->keep_off(inputs);
  }
  void write(const Schedule& schedule, Format format) const {
    write_through(*file_, [&](std::ostream& out) { write_schedule(schedule, format, out); });
  }
  void write_dot(const Schedule& schedule) const {
    write_through(*file_, [&](std::ostream& out) { goal::write_dot(schedule, out); });
  }

 private:
  std::string path_ = "-";
  std::optional<report::OutputFile> file_;
};

/// In which format: `--binary`, `--compact`, else text.
class FormatChoice {
 public:
  void add_to(CommandLine line) {
    const Option binary = line.add_flag("--binary", binary_, "Write LogGOPSim's binary format");
    line.add_flag("--compact", compact_, "Write Heddle's compact format").excludes(binary);
  }
  Format get() const {
    if (binary_) return Format::binary;
    return compact_ ? Format::compact : Format::text;
  }

 private:
  bool binary_ = false;
  bool compact_ = false;
};

class GenCommand final : public Command {
 public:
  explicit GenCommand(CommandLine line) {
    line.add_option("pattern", pattern_, "What to generate; `heddle goal list` lists the patterns")
        .type_name("PATTERN")
        .required();
    line.add_option("--set", assignments_, "Set a parameter; `heddle params pattern` lists them")
        .type_name("pattern.NAME=VALUE")
        .one_at_a_time();
    line.add_option("--seed", seed_, "Seed of random patterns; short for --set pattern.seed=")
        .type_name("N")
        .check(not_empty());
    target_.add_to(line);
    format_.add_to(line);
  }
  void run() override {
    target_.open();
    Settings settings({&goal::pattern_table()});
    assign_all(settings, assignments_);
    if (!seed_.empty()) assign_short(settings, "pattern.seed", seed_, "--seed");
    warn(idle_of_pattern(settings, pattern_));
    target_.write(goal::generate(pattern_, settings.get(goal::pattern_table())), format_.get());
  }

 private:
  std::string pattern_;
  std::vector<std::string> assignments_;
  std::string seed_;
  Target target_;
  FormatChoice format_;
};

class CatCommand final : public Command {
 public:
  explicit CatCommand(CommandLine line) {
    line.add_option("schedules", paths_, "Schedules of any format").type_name("FILE").required();
    line.add_flag("--after", after_, "On the same ranks, each part after the one before");
    target_.add_to(line);
    format_.add_to(line);
  }
  void run() override {
    target_.open(paths_);
    std::vector<Schedule> parts;
    for (const std::string& path : paths_) parts.push_back(goal::read_schedule(path));
    std::vector<const Schedule*> pointers;
    for (const Schedule& part : parts) pointers.push_back(&part);
    target_.write(after_ ? goal::one_after_another(pointers) : goal::side_by_side(pointers),
                  format_.get());
  }

 private:
  std::vector<std::string> paths_;
  bool after_ = false;
  Target target_;
  FormatChoice format_;
};

/// Reads a schedule and writes it in another form.
template <void (*Write)(const Target&, const Schedule&)>
class RewriteCommand final : public Command {
 public:
  explicit RewriteCommand(CommandLine line) {
    line.add_option("schedule", path_, "GOAL as text, binary or compact; - for the standard input")
        .type_name("FILE")
        .required();
    target_.add_to(line);
  }
  void run() override {
    target_.open({path_});
    Write(target_, goal::read_schedule(path_));
  }

 private:
  std::string path_;
  Target target_;
};

/// A file per rank.
class ToChakraCommand final : public Command {
 public:
  explicit ToChakraCommand(CommandLine line) {
    line.add_option("schedule", path_, "GOAL as text, binary or compact; - for the standard input")
        .type_name("FILE")
        .required();
    line.add_option("-o,--output", prefix_, "Files to write: PREFIX.0.et, PREFIX.1.et, ...")
        .type_name("PREFIX")
        .check(not_empty())
        .required();
    line.add_option("--time-unit", time_unit_, "What 1 means in a calc, as in `heddle replay`")
        .type_name("UNIT")
        .check(not_empty())
        .show_default();
  }
  void run() override {
    const Time unit = *parse_time(one_of_unit(time_unit_));
    const Schedule schedule = goal::read_schedule(path_);
    for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
      const report::OutputFile file("--output", prefix_ + "." + std::to_string(r) + ".et");
      file.keep_off({path_});
      write_through(file,
                    [&](std::ostream& out) { out << traces::chakra_file_of(schedule, r, unit); });
    }
  }

 private:
  std::string path_;
  std::string prefix_;
  std::string time_unit_ = "ns";
};

template <Format format>
void write_as(const Target& target, const Schedule& schedule) {
  target.write(schedule, format);
}

void write_as_dot(const Target& target, const Schedule& schedule) {
  target.write_dot(schedule);
}

}  // namespace

CommandKind goal_gen_command() {
  return {"gen", "Generate the schedule of a pattern",
          "  heddle goal gen dissemination --set pattern.ranks=64 -o d.goal\n"
          "  heddle goal gen linear-alltoall --set pattern.size=4KiB --binary -o a.bin",
          make_command<GenCommand>};
}

CommandKind goal_cat_command() {
  return {"cat", "Join schedules: on ranks of their own, or one after another",
          "  heddle goal cat a.goal b.goal -o both.goal           # two jobs side by side\n"
          "  heddle goal cat a.goal b.goal --after -o ab.goal     # b when a has ended, by rank",
          make_command<CatCommand>};
}

CommandKind goal_to_text_command() {
  return {"to-text", "Write a schedule as GOAL text", "  heddle goal to-text app.bin -o app.goal",
          make_command<RewriteCommand<write_as<Format::text>>>};
}

CommandKind goal_to_binary_command() {
  return {"to-binary", "Write a schedule as LogGOPSim's txt2bin does",
          "  heddle goal to-binary app.goal -o app.bin",
          make_command<RewriteCommand<write_as<Format::binary>>>};
}

CommandKind goal_to_compact_command() {
  return {"to-compact", "Write a schedule in Heddle's compact format",
          "  heddle goal to-compact app.goal -o app.hgs",
          make_command<RewriteCommand<write_as<Format::compact>>>};
}

CommandKind goal_to_chakra_command() {
  return {"to-chakra", "Write a schedule as Chakra execution traces, a file per rank",
          "  heddle goal to-chakra app.goal -o app      # app.0.et, app.1.et, ...",
          make_command<ToChakraCommand>};
}

CommandKind goal_dot_command() {
  return {"dot", "Draw the dependencies of a schedule for Graphviz",
          "  heddle goal dot app.goal | dot -Tsvg >app.svg",
          make_command<RewriteCommand<write_as_dot>>};
}

}  // namespace heddle::cli
