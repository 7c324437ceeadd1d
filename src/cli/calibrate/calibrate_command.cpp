// `heddle calibrate`: a machine from the output of benchmarks.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "calibrate/fit.hpp"
#include "calibrate/format.hpp"
#include "calibrate/loops.hpp"
#include "calibrate/machine_text.hpp"
#include "calibrate/program_text.hpp"
#include "cli/calibrate/computation.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/text_file.hpp"
#include "report/calibrate/calibrate_report.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

using calibrate::Calibration;
using calibrate::FitInput;
using calibrate::Measurement;

class CalibrateCommand final : public Command {
 public:
  explicit CalibrateCommand(CommandLine line) {
    line.add_option("files", files_, "Output of benchmarks; - for the standard input")
        .type_name("FILE...");
    line.add_option("--inside", inside_, "The same, measured between ranks of one node")
        .type_name("FILE")
        .one_at_a_time();
    line.add_option("--collectives", collectives_,
                    "Collectives of a few nodes: what no other file says follows from them")
        .type_name("FILE")
        .one_at_a_time();
    line.add_option("--machine", machine_,
                    "Fit what this machine leaves: its topology and links stay")
        .type_name("NAME|FILE")
        .check(not_empty());
    line.add_option("--procs", procs_, "Ranks of tests whose output does not tell")
        .type_name("N")
        .check(whole_number(2, 1 << 24));
    line.add_option("--ranks-per-node", ranks_per_node_, "How many of them were on each node")
        .type_name("N")
        .check(whole_number(1, 1 << 20));
    line.add_option("--nodes", nodes_, "Nodes of the machine that is written (or as tests need)")
        .type_name("N")
        .check(whole_number(1, 100'000'000));
    line.add_option("--eager-limit", eager_limit_,
                    "Messages of fewer bytes travel at once (or as curves show it)")
        .type_name("SIZE")
        .check(not_empty());
    line.add_option("--leave-out", leave_out_,
                    "half: fit every other size, and tell the error at the others")
        .type_name("WHICH")
        .check(one_of({"half"}));
    line.add_option("--compute", plan_.commands,
                    "Calibrate computation instead: a program built by\nheddlecc --count and its "
                    "arguments, in quotes")
        .type_name("COMMAND")
        .check(not_empty())
        .one_at_a_time();
    line.add_option("--plain", plan_.plain,
                    "The same program built without --count, whose times\ncount")
        .type_name("PROGRAM")
        .check(not_empty());
    line.add_option("--native", native_,
                    "What the commands take on another machine, in their\norder")
        .type_name("TIME")
        .check(not_empty())
        .one_at_a_time();
    line.add_option("--repeat", plan_.repeats, "How often a command is measured")
        .type_name("N")
        .check(whole_number(1, 1000))
        .show_default();
    output_.add_file(line, "-o,--output", "Write the machine here");
    output_.add_file(line, "--program",
                     "Write a program in C that measures what benchmarks leave open");
    output_.add_file(line, "--csv", "Write all values as CSV");
    output_.add_file(line, "--svg", "Plot measured and simulated values by size");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    if (!plan_.commands.empty()) return calibrate_computation();
    if (!plan_.plain.empty() || !native_.empty()) {
      throw InputError({plan_.plain.empty() ? "--native" : "--plain"},
                       "is about computation: accepted with --compute COMMAND");
    }
    if (read_files().empty() && output_.file("--program") == nullptr) {
      throw InputError({},
                       "no file given: accepted is the output of benchmarks, such as of "
                       "osu_latency and osu_bw");
    }
    output_.write("--program", [] { return std::string(calibrate::program_text()); });
    if (read_files().empty()) return output_.finish();
    FitInput input = read();
    output_.keep_off(read_files());
    const Calibration found = calibrate::fit(input);
    report::CalibrateReport told{
        &found, calibrate::compare(found, input.readings), {}, input.readings.notes, {}};
    told.machine_text = calibrate::machine_text(found, input.machine_given, origin());
    if (!leave_out_.empty()) told.between = between_sizes(input);
    output_.write("--output", [&] { return told.machine_text; });
    output_.write("--csv", [&] { return report::csv_of(told); });
    output_.write("--svg", [&] { return report::svg_of(told); });
    output_.write_json([&] { return report::json_of(told); });
    if (output_.text_wanted()) fmt::print("{}", report::text_of(told));
    output_.finish();
  }

 private:
  void calibrate_computation() {
    if (!read_files().empty() || output_.file("--program") != nullptr ||
        output_.file("--csv") != nullptr || output_.file("--svg") != nullptr) {
      throw InputError({"--compute"},
                       "calibrates computation alone: accepted with it are --plain, --native, "
                       "--repeat, --procs, --json, and --machine with -o");
    }
    const bool kept = output_.file("--output") != nullptr || output_.json_wanted();
    if (machine_.empty() ? output_.file("--output") != nullptr : !kept) {
      throw InputError({"--compute"},
                       "what was found becomes a part of a machine: accepted are --machine and -o "
                       "together (or --json, which has its text), or neither");
    }
    for (const std::string& text : native_) {
      const auto time = parse_time(text);
      if (!time) {
        throw InputError({"--native"}, in_quotes(text) + " is not a time: accepted is " +
                                           std::string(ParamType<Time>::accepted));
      }
      plan_.native.push_back(*time);
    }
    if (procs_) plan_.ranks = *procs_;
    const Computation found = calibrated(plan_);
    const std::string machine =
        machine_.empty() ? "" : machine_text_of(found, read_machine(machine_));
    output_.write("--output", [&] { return machine; });
    output_.write_json([&] { return json_of(found, plan_, machine); });
    if (output_.text_wanted()) fmt::print("{}", text_of(found));
    output_.finish();
  }

  std::vector<std::string> read_files() const {
    std::vector<std::string> all = files_;
    all.insert(all.end(), inside_.begin(), inside_.end());
    all.insert(all.end(), collectives_.begin(), collectives_.end());
    return all;
  }

  FitInput read() {
    FitInput input{{}, Settings(all_sections()), {}, !machine_.empty(), {}, nodes_};
    if (input.machine_given) {
      Machine machine = read_machine(machine_);
      input.settings = std::move(machine.settings);
      input.description = std::move(machine.description);
    } else {
      input.description.name = machine_name();
    }
    if (!eager_limit_.empty()) {
      input.eager_limit = parse_bytes(eager_limit_);
      if (!input.eager_limit) {
        throw InputError({"--eager-limit"}, in_quotes(eager_limit_) +
                                                " is not a size: accepted is " +
                                                std::string(ParamType<Bytes>::accepted));
      }
    }
    for (const std::string& file : files_) read_file(file, Where::between, input);
    for (const std::string& file : inside_) read_file(file, Where::inside, input);
    for (const std::string& file : collectives_) read_file(file, Where::collectives, input);
    return input;
  }

  /// That of the file that is written.
  std::string machine_name() const {
    const report::OutputFile* file = output_.file("--output");
    return file == nullptr ? "calibrated" : std::filesystem::path(file->path()).stem().string();
  }

  /// What the files of an option are about.
  enum class Where { between, inside, collectives };

  void read_file(const std::string& path, Where where, FitInput& input) const {
    const platform::TextInput text = platform::read_text_input(path);
    const std::size_t before = input.readings.measurements.size();
    calibrate::read_text(text.text, text.name, input.readings);
    for (std::size_t i = before; i < input.readings.measurements.size(); ++i) {
      Measurement& test = input.readings.measurements[i];
      complete(test, where == Where::inside, input.readings.notes);
      test.fitted = where == Where::collectives && !calibrate::in_pairs(test.loop) &&
                    calibrate::why_not_simulated(test).empty();
    }
  }

  /// What the output does not tell.
  void complete(Measurement& test, bool inside, std::vector<std::string>& notes) const {
    test.inside |= inside;
    if (calibrate::ranks_missing(test) && procs_) test.ranks = *procs_;
    if (calibrate::ranks_missing(test) && calibrate::why_not_simulated(test).empty()) {
      throw InputError(
          {test.file, test.line},
          in_quotes(test.title) + " does not say how many ranks took part: accepted is --procs N");
    }
    if (test.inside || test.nodes || test.ranks == 0) return;
    if (ranks_per_node_) test.nodes = (test.ranks + *ranks_per_node_ - 1) / *ranks_per_node_;
    if (!ranks_per_node_ && !calibrate::in_pairs(test.loop)) {
      notes.push_back(
          fmt::format("{}: one of its {} ranks on each node, unless --ranks-per-node "
                      "says something else",
                      SourceLocation{test.file, test.line}.str(), test.ranks));
    }
  }

  std::vector<std::string> origin() const {
    std::vector<std::string> lines = {
        fmt::format("Calibrated by heddle {} from", report::version())};
    for (const std::string& file : read_files()) lines.push_back("  " + file);
    if (!machine_.empty()) lines.push_back("Topology and links are those of " + machine_ + ".");
    return lines;
  }

  /// Errors at sizes that a fit knew nothing of.
  static std::vector<report::BetweenSizes> between_sizes(const FitInput& input) {
    const Calibration half = calibrate::fit(calibrate::without_half(input));
    std::vector<report::BetweenSizes> list;
    for (const calibrate::Comparison& one : calibrate::compare(half, input.readings)) {
      report::BetweenSizes between{one.measurement.program, one.measurement.file, {}};
      for (std::size_t i = 0; i < one.simulated.size(); ++i) {
        if (!calibrate::left_out(one.measurement, i)) continue;
        between.errors.push_back(std::abs(one.error(i)));
      }
      std::ranges::sort(between.errors);
      if (!between.errors.empty()) list.push_back(std::move(between));
    }
    return list;
  }

  std::vector<std::string> files_;
  std::vector<std::string> inside_;
  std::vector<std::string> collectives_;
  std::string machine_;
  std::optional<std::uint32_t> procs_;
  std::optional<std::uint32_t> ranks_per_node_;
  std::optional<std::uint32_t> nodes_;
  std::string eager_limit_;
  std::string leave_out_;
  ComputationPlan plan_;
  std::vector<std::string> native_;
  OutputOptions output_;
};

}  // namespace

CommandKind calibrate_command() {
  return {"calibrate", "Make a machine of what benchmarks measured on a real one",
          "  heddle calibrate latency.txt bw.txt --nodes 64 -o ours.yaml --svg fit.svg  # of "
          "osu_latency, osu_bw\n"
          "  heddle run -p ours.yaml -n 64 ./solver\n"
          "  heddle calibrate latency.txt bw.txt --leave-out half   # is it good between sizes?\n"
          "  heddle calibrate latency.txt bw.txt --inside near.txt --machine fat-tree-64 -o "
          "ours.yaml\n"
          "  heddle calibrate latency.txt bw.txt allreduce.txt --procs 16 --ranks-per-node 4\n"
          "  heddle calibrate --program measure.c   # to be compiled, and run on two nodes\n"
          "  heddle calibrate measure.txt -o ours.yaml\n"
          "  heddle calibrate --compute './counted 256' --plain ./solver --machine ours.yaml -o "
          "all.yaml",
          make_command<CalibrateCommand>};
}

}  // namespace heddle::cli
