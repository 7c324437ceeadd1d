// `heddle tune`: the best algorithm of a collective operation, by ranks and size.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/progress_line.hpp"
#include "cli/study/sweep_workers.hpp"
#include "coll/rules/rules_writer.hpp"
#include "core/forked_tasks.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "files/temporary_folder.hpp"
#include "platform/noise.hpp"
#include "report/repeat.hpp"
#include "report/tune/tune_report.hpp"

namespace heddle::cli {
namespace {

using coll::Collective;
using run::Candidate;
using run::CollectiveCase;
using run::TunedCase;

/// The answer of a simulation that was not brought to its end.
constexpr const char* kGivenUp = "-";

Bytes size_in(std::string_view text, const std::string& option) {
  const auto size = parse_bytes(text);
  if (size) return *size;
  throw InputError({option}, in_quotes(text) + " is not a size: accepted is " +
                                 std::string(ParamType<Bytes>::accepted));
}

std::uint32_t count_in(std::string_view text, const std::string& option, std::uint32_t least,
                       std::uint32_t most) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && number >= least && number <= most) return number;
  throw InputError({option}, fmt::format("{} is not accepted: whole numbers from {} to {} are",
                                         in_quotes(text), least, most));
}

/// "8B:16MiB" (doubling), "8B:16MiB:4" (by a factor) or "8,1KiB,1MiB".
std::vector<Bytes> sizes_in(const std::string& text) {
  const std::string option = "--sizes";
  std::vector<Bytes> sizes;
  const auto parts = split(text, ':');
  if (parts.size() == 1) {
    for (const std::string_view part : split(text, ',')) sizes.push_back(size_in(part, option));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
  }
  const Bytes first = size_in(parts[0], option);
  const Bytes last = size_in(parts[1], option);
  const std::uint32_t factor = parts.size() == 3 ? count_in(parts[2], option, 2, 1 << 20) : 2;
  if (parts.size() > 3 || first < Bytes(1) || last < first) {
    throw InputError({option}, in_quotes(text) +
                                   " is no range: accepted is FIRST:LAST, FIRST:LAST:FACTOR or a "
                                   "list such as 8,1KiB,1MiB");
  }
  for (Bytes size = first; size <= last; size = size * factor) sizes.push_back(size);
  return sizes;
}

Collective collective_of(const std::string& name) {
  std::vector<std::string> names;
  for (int i = 0; i < coll::kCollectives; ++i) {
    const auto one = static_cast<Collective>(i);
    const bool suits = run::can_time(one) && !coll::openmpi_algorithms(one).empty();
    if (suits && coll::name_of(one) == name) return one;
    if (suits) names.emplace_back(coll::name_of(one));
  }
  throw InputError({}, fmt::format("Open MPI has no rules for '{}'{}: accepted are {}", name,
                                   did_you_mean(name, names), joined(names)));
}

coll::OpenMpi version_in(const std::string& text) {
  for (const auto version : {coll::OpenMpi::v4_1, coll::OpenMpi::v5}) {
    if (text == text_of(version)) return version;
  }
  throw InputError({"--for"}, in_quotes(text) + " is not accepted: versions are 4.1 and 5");
}

/// One simulation: an operation done in one way.
struct TuningTask {
  std::size_t number;  ///< Of the case.
  Candidate candidate;
  Time limit;  ///< Of the operation.
};

class TuneCommand final : public Command {
 public:
  explicit TuneCommand(CommandLine line) {
    line.add_option("operation", operation_, "Such as allreduce").type_name("NAME").required();
    machine_.add_to(line);
    machine_.set_default("bxi-v2");
    machine_.uses(uses_of("run"));
    line.add_option("-n,--ranks", ranks_, "How many ranks: one number or several")
        .type_name("N,...")
        .delimiter(',');
    line.add_option("--ranks-per-node", placement_.ranks_per_node, "How many on each node")
        .type_name("N")
        .check(whole_number(1, 1 << 20));
    line.add_option("--map", placement_.map, "Which rank runs where, as of `heddle run`")
        .type_name("HOW")
        .check(not_empty());
    sizes_option_ = line.add_option("--sizes", sizes_,
                                    "Bytes: FIRST:LAST by doubling, FIRST:LAST:FACTOR, or a list")
                        .type_name("SIZES")
                        .check(not_empty())
                        .show_default();
    line.add_option("--segments", segments_, "Segments to be tried where data is sent in pieces")
        .type_name("SIZES")
        .check(not_empty())
        .show_default();
    line.add_option("--fan-outs", radices_, "Fan-outs to be tried where trees have any")
        .type_name("N,...")
        .check(not_empty())
        .show_default();
    line.add_flag("--only-openmpi", choices_.only_openmpi,
                  "Try no algorithm that Open MPI does not have");
    line.add_option("--for", version_, "The version of Open MPI that the rules are for: 4.1 or 5")
        .type_name("VERSION")
        .show_default();
    line.add_option("--give-up", give_up_,
                    "Give an algorithm up when it takes so many times as long as\nthe library's "
                    "own choice")
        .type_name("N")
        .check(whole_number(1, 1'000'000))
        .show_default();
    line.add_option(
            "--memory", memory_,
            "What a simulation may have in memory; what takes more is given up\n(default: an "
            "equal share of 90 % of the computer's)")
        .type_name("SIZE")
        .check(not_empty());
    line.add_option("--jobs", jobs_, "So many simulations at a time; 0: as there are cores")
        .type_name("N")
        .check(whole_number(0, 1024))
        .show_default();
    output_.add_file(line, "--rules",
                     "The rules in Open MPI's classic format (or OPERATION.rules)");
    output_.add_file(line, "--rules-json", "The same as JSON, for newer Open MPI");
    output_.add_file(line, "--csv", "Write every time as CSV");
    output_.add_file(line, "--svg", "Plot the times by size");
    output_.add_to(line);
  }

  void run() override {
    const Collective collective = collective_of(operation_);
    if (ranks_.empty()) throw InputError({}, "no number of ranks given: accepted is --ranks N,...");
    if (collective == Collective::barrier && sizes_option_.given()) {
      throw InputError({"--sizes"}, "a barrier has no size: accepted without");
    }
    read_choices();
    output_.open();
    const Machine machine = machine_.read();
    output_.keep_off(machine.files());
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    report::TuneReport report{&machine, collective, choices_.version, cases(collective), {}, {}};
    with_places(machine.settings, [&] { tune(report); });
    write(report);
    if (output_.text_wanted()) fmt::print("{}{}", text_of(report), written_);
    output_.finish();
    if (!report.kept_promises()) {
      throw RunError("the rules, fed back, do not give the times that they promise");
    }
  }

 private:
  void read_choices() {
    choices_.version = version_in(version_);
    for (const std::string_view part : split(segments_, ',')) {
      choices_.segments.push_back(size_in(part, "--segments"));
    }
    for (const std::string_view part : split(radices_, ',')) {
      choices_.radices.push_back(static_cast<int>(count_in(part, "--fan-outs", 2, 1 << 20)));
    }
  }

  /// Sorted by ranks, then size; a barrier has one size.
  std::vector<TunedCase> cases(Collective collective) const {
    std::vector<std::uint32_t> counts;
    for (const std::string& text : ranks_) counts.push_back(count_in(text, "--ranks", 2, 1 << 24));
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    const auto sizes = collective == Collective::barrier ? std::vector{Bytes(0)} : sizes_in(sizes_);
    const bool by_ranks = collective == Collective::gather || collective == Collective::scatter;
    if (by_ranks && sizes.size() > 1) {
      throw InputError({"--sizes"}, "Open MPI's rules choose a " + operation_ +
                                        " by the number of ranks alone: accepted is one size");
    }
    std::vector<TunedCase> list;
    for (const std::uint32_t ranks : counts) {
      for (const Bytes size : sizes) list.push_back({{collective, ranks, size}, {}, {}});
    }
    return list;
  }

  void tune(report::TuneReport& report) {
    if (jobs_ == 0) jobs_ = static_cast<std::uint32_t>(ForkedTasks::cores());
    placement_.seed =
        static_cast<std::uint64_t>(report.machine->settings.get(platform::noise_table()).seed);
    find_begins(report);
    std::vector<TuningTask> tasks;
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
      tasks.push_back({i, {}, Time::never()});
    }
    std::vector<std::optional<Time>> times = simulate(report, tasks, "library");
    for (std::size_t i = 0; i < tasks.size(); ++i) report.cases[i].library = times[i].value();
    try_all(report);
    report.rules = run::rules_of(report.cases);
    feed_back(report);
  }

  void try_all(report::TuneReport& report) {
    std::vector<TuningTask> tasks;
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
      const TunedCase& one = report.cases[i];
      for (const Candidate& candidate : run::candidates(one.operation, choices_)) {
        tasks.push_back({i, candidate, one.library * static_cast<std::int64_t>(give_up_)});
      }
    }
    const auto times = simulate(report, tasks, "tune");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      report.cases[tasks[i].number].timed.push_back({tasks[i].candidate, times[i]});
    }
  }

  /// The rules, read from a file as a user's would be, give what they promise.
  void feed_back(report::TuneReport& report) {
    const files::ScratchFolder scratch;
    const report::OutputFile file("--rules", scratch.file("rules"));
    file.write(classic_rules_text(report.collective, report.rules, ""));
    Machine machine{report.machine->settings, {}, nullptr};
    machine.settings.assign("mpi.rules", file.path(), {});
    machine.settings.assign("mpi.rules_for", text_of(report.version), {});
    std::vector<TuningTask> tasks;
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
      tasks.push_back({i, {}, Time::never()});
    }
    for (const auto& time : simulate(report, tasks, "check", &machine.settings)) {
      report.fed_back.push_back(time.value());
    }
  }

  /// How long each operation takes, in the order of the tasks; nothing for those given up.
  std::vector<std::optional<Time>> simulate(const report::TuneReport& report,
                                            const std::vector<TuningTask>& list, const char* label,
                                            const Settings* settings = nullptr) const {
    if (settings == nullptr) settings = &report.machine->settings;
    const auto task = [&](std::size_t number) -> std::string {
      const TuningTask& one = list[number];
      const auto time = time_of(report, report.cases[one.number].operation, one, *settings);
      return time ? std::to_string(time->ps()) : kGivenUp;
    };
    ForkedTasks tasks(task, list.size(), jobs_);
    tasks.limit_memory(most_memory());
    ProgressLine line(label);
    std::vector<std::optional<std::string>> texts(list.size());
    for (bool more = true; more;) {
      more = tasks.wait();
      for (ForkedTasks::Ending& ending : tasks.take_endings()) {
        texts[ending.number] = ending.too_large ? given_up(list[ending.number]) : ending.result;
      }
      const auto done = static_cast<double>(tasks.done());
      const auto show = [&](double seconds) {
        const double left =
            done > 0 ? seconds * (static_cast<double>(list.size()) - done) / done : 0;
        return fmt::format("{} {} of {} done, {:.0f} s left", label, tasks.done(), list.size(),
                           left);
      };
      line.show(show, done / static_cast<double>(list.size()));
    }
    std::vector<std::optional<Time>> times(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      // What failed fails once more, where its error can be thrown.
      const std::string text = texts[i] ? *texts[i] : task(i);
      if (text != kGivenUp) times[i] = Time::ps(std::stoll(text));
    }
    return times;
  }

  /// What a simulation may have in memory.
  Bytes most_memory() const {
    if (!memory_.empty()) return size_in(memory_, "--memory");
    const WorkerLimits limits = WorkerLimits::of_computer();
    return Bytes(limits.memory.count() * static_cast<std::int64_t>(limits.jobs) / jobs_);
  }

  /// The answer of a simulation that takes too much memory. What the library itself would do has to
  /// be known.
  std::string given_up(const TuningTask& task) const {
    if (task.limit < Time::never()) return kGivenUp;
    throw RunError("what the library's own rules choose takes more memory than the " +
                   format_bytes(most_memory()) +
                   " of a simulation: accepted is --memory with more");
  }

  /// From the end of a barrier to the end of the operation, of the last rank.
  std::optional<Time> time_of(const report::TuneReport& report, const CollectiveCase& operation,
                              const TuningTask& task, Settings settings) const {
    run::assign(settings, operation.collective, task.candidate);
    const platform::Platform& platform = *report.machine->platform;
    const Time begin = begin_of(report, operation, settings);
    const auto end = run::end_of_calls(platform, settings, placement_,
                                       run::calls_of(operation, true), begin + task.limit);
    return end ? std::optional(*end - begin) : std::nullopt;
  }

  /// When the barrier before the operation has ended. Which way that is done depends on the
  /// candidate only where barriers are tried.
  Time begin_of(const report::TuneReport& report, const CollectiveCase& operation,
                const Settings& settings) const {
    const auto known = begins_.find(operation.ranks);
    if (known != begins_.end()) return known->second;
    return run::end_of_calls(*report.machine->platform, settings, placement_,
                             run::calls_of(operation, false))
        .value();
  }

  void find_begins(const report::TuneReport& report) {
    if (report.collective == Collective::barrier) return;
    for (const TunedCase& one : report.cases) {
      begins_.emplace(one.operation.ranks,
                      begin_of(report, one.operation, report.machine->settings));
    }
  }

  void write(const report::TuneReport& report) {
    std::string classic = classic_rules_text(report.collective, report.rules, comment_of(report));
    std::string json = json_rules_text(report.collective, report.rules);
    output_.write("--rules", [&] { return classic; });
    output_.write("--rules-json", [&] { return json; });
    if (output_.file("--rules") == nullptr && output_.file("--rules-json") == nullptr) {
      write_here(operation_ + ".rules", classic);
      write_here(operation_ + ".rules.json", json);
    }
    output_.write("--csv", [&] { return csv_of(report); });
    output_.write("--svg", [&] { return svg_of(report); });
    output_.write_json([&] { return json_of(report); });
  }

  /// Under a name that nobody had to ask for.
  void write_here(const std::string& name, const std::string& text) {
    output_.attempt([&] { report::OutputFile("--rules", name).write(text); });
    written_ += "wrote " + name + "\n";
  }

  std::string operation_;
  MachineOptions machine_;
  run::RunConfig placement_;
  std::vector<std::string> ranks_;
  Option sizes_option_;
  std::string sizes_ = "8B:1MiB:4";
  std::string segments_ = "4KiB,32KiB,128KiB,1MiB";
  std::string radices_ = "2,4,8";
  std::string version_ = "4.1";
  run::TuningChoices choices_;
  std::uint32_t give_up_ = 4;
  std::uint32_t jobs_ = 0;
  std::string memory_;
  std::map<std::uint32_t, Time> begins_;  ///< By ranks.
  std::string written_;
  OutputOptions output_;
};

}  // namespace

CommandKind tune_command() {
  return {"tune", "Find the best algorithms of a collective, and write rules for Open MPI",
          "  heddle tune allreduce -p fat-tree-64 -n 64 --sizes 8B:1MiB\n"
          "  heddle tune bcast -p big.yaml -n 64,512,4096 --rules bcast.rules --svg bcast.svg\n"
          "  heddle run -n 64 --set mpi.rules=allreduce.rules ./solver        # fed back\n"
          "  mpirun --mca coll_tuned_use_dynamic_rules 1 \\\n"
          "         --mca coll_tuned_dynamic_rules_filename $PWD/allreduce.rules ./solver\n"
          "  heddle tune bcast -p bxi-v2 -n 64 --set mpi.transport=portals    # for what runs on "
          "adapters",
          make_command<TuneCommand>};
}

}  // namespace heddle::cli
