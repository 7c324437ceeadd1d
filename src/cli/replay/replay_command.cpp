// `heddle replay`: when each rank of a schedule is done.
#include <fmt/core.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "cli/command.hpp"
#include "cli/goal/goal_command.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording.hpp"
#include "cli/replay/trace_replay.hpp"
#include "cli/shorthand_options.hpp"
#include "cluster/cluster.hpp"
#include "files/input_stream.hpp"
#include "goal/formats/formats.hpp"
#include "goal/generators/generators.hpp"
#include "goal/nccl/nccl_pattern.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/training/llm.hpp"
#include "goal/training/step_facts.hpp"
#include "report/repeat.hpp"
#include "report/replay/replay_recording.hpp"
#include "report/replay/replay_report.hpp"
#include "run/replay_run.hpp"
#include "traces/readers/collective_files.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::cli {
namespace {

constexpr const char* kReplayExamples =
    "  heddle replay app.goal                                 # over LogGOPS, as LogGOPSim\n"
    "  heddle replay app.goal --set loggops.L=1us --csv t.csv # other numbers, times as CSV\n"
    "  heddle replay app.goal -p fat-tree-64                  # over the links of a machine\n"
    "  heddle replay app.goal -p ib-h8-s4 --network packet    # flit by flit\n"
    "  heddle replay --pattern dissemination --set pattern.ranks=1024\n"
    "  heddle replay app.goal -p fat-tree-64 --ends mpi       # what MPI charges at the ends\n"
    "\n"
    "Without --platform the network is LogGOPS with LogGOPSim's numbers (L 2.5 us, o 1.5 us,\n"
    "g 1 us, G 6 ns/B, S 65535 B). With one, the network is the machine's (queue if it names\n"
    "none) and gives the time of the wire: o, g, G and O are 0 and cost the ends only if they\n"
    "are set; over LogGOPS, L and G are then taken from the machine.";

constexpr int kMostThreads = 256;

class ReplayCommand final : public Command {
 public:
  explicit ReplayCommand(CommandLine line) {
    const Option file =
        line.add_option(
                "schedule", file_,
                "GOAL as text, binary or compact, or traces (known by their content);\n- for the "
                "standard input")
            .type_name("FILE");
    line.add_option("--pattern", pattern_, "Replay a generated schedule; `heddle goal list`")
        .type_name("NAME")
        .check(not_empty())
        .excludes(file);
    machine_.add_to(line);
    short_.add_to(line, {{"--network", "network.model", "MODEL", network_help(), {}, false},
                         {"--ranks-per-node",
                          "replay.ranks_per_node",
                          "N",
                          "Rank r on node r / N; without: on node r modulo the nodes",
                          {},
                          false}});
    line.add_option("--background", background_,
                    "Beside flows of this load, as `heddle traffic` has them; what they are\nsay "
                    "parameters of the section traffic")
        .type_name("LOAD")
        .check(not_empty());
    line.add_option("--map", map_,
                    "Which rank is on which node: by-core, by-node, by-switch,\nrandom:SEED or "
                    "file:PATH")
        .type_name("HOW")
        .check(not_empty());
    line.add_option("--nodes", nodes_, "Nodes that may be used, such as 0-3,17")
        .type_name("LIST")
        .check(not_empty());
    line.add_option("--ends", ends_,
                    "What messages cost at their ends: loggops (default), or mpi as in\n`heddle "
                    "run` with the parameters of section mpi")
        .type_name("MODEL")
        .check(one_of({"loggops", "mpi"}));
    line.add_option("--time-unit", time_unit_,
                    "What 1 means in a calc: ns (default), us, 10ns, ...")
        .type_name("UNIT")
        .check(not_empty());
    line.add_option("--compat", compat_, "Keep the accidents of a program: loggopsim-2023")
        .type_name("NAME")
        .check(not_empty());
    line.add_option("--seed", seed_,
                    "Seed of the noise, of random routes and of a generated schedule")
        .type_name("N")
        .check(not_empty());
    line.add_option(
            "--threads", threads_,
            "Over loggops, queue and packet: share the ranks among so many threads;\nresults are "
            "the same")
        .type_name("N")
        .check(whole_number(1, kMostThreads))
        .show_default();
    line.add_option("--top", top_, "Show so many of the busiest links")
        .type_name("N")
        .check(whole_number(0, kMostShown))
        .show_default();
    output_.add_file(line, "--csv", "Write a line per rank as CSV");
    recording_.add_to(line, output_);
    line.add_flag("--fingerprint", fingerprint_, "Print a number that stands for all results");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    recording_.check();
    if (ends_ == "mpi" || names_traces(file_)) return run_by_mpi();
    announce_uses();
    const Machine machine = read_machine();
    output_.keep_off(inputs(machine));
    if (machine_.print_config()) return print_config(machine);
    with_places(machine.settings, [&] { replay_on(machine); });
  }

 private:
  std::vector<std::string> inputs(const Machine& machine) const {
    std::vector<std::string> files = machine.files();
    files.push_back(file_);
    if (!map_file().empty()) files.push_back(map_file());
    return files;
  }

  /// The file that `--map` names, or "".
  std::string map_file() const { return map_.starts_with("file:") ? map_.substr(5) : ""; }

  /// Traces are replayed by MPI, which needs a machine, and schedules if the user says so.
  void run_by_mpi() {
    const bool traces = pattern_.empty() && names_traces(file_);
    if (!machine_.names_platform()) {
      throw InputError({traces ? file_ : "--ends"},
                       traces ? "traces are replayed on a machine: accepted with --platform; "
                                "`heddle convert` makes a schedule of them"
                              : "MPI needs a machine: accepted with --platform");
    }
    refuse_for_mpi();
    Uses uses = uses_of(traces ? "replay traces" : "replay by mpi");
    if (!pattern_.empty()) {
      uses.names.emplace_back("pattern");
      uses.pattern = pattern_;
    }
    machine_.uses(std::move(uses));
    const Machine machine = machine_.read([this](Settings& settings) { assign(settings); });
    output_.keep_off(inputs(machine));
    if (machine_.print_config()) return print_config(machine);
    const auto seed =
        static_cast<std::uint64_t>(machine.settings.get(platform::noise_table()).seed);
    std::optional<goal::Schedule> schedule;
    if (!traces) schedule = read_schedule(machine.settings, {});
    if (!traces && switches_of(machine) > 0) {
      throw InputError({"--ends"},
                       "switches inside nodes, which are ranks of this schedule, are no processes "
                       "of MPI: accepted is loggops");
    }
    const TraceReplay request{pattern_.empty() ? file_ : pattern_,
                              seed,
                              fingerprint_,
                              map_,
                              nodes_,
                              schedule ? &*schedule : nullptr,
                              words_for_again(machine)};
    with_places(machine.settings, [&] { replay_traces(machine, request, output_, recording_); });
  }

  /// What is of schedules whose ends are LogGOPS'.
  void refuse_for_mpi() const {
    if (threads_ > 1) throw InputError({"--threads"}, "accepted with --network loggops only");
    if (!compat_.empty()) throw InputError({"--compat"}, "accepted with --ends loggops only");
    if (!background_.empty()) {
      throw InputError({"--background"}, "accepted with --ends loggops only");
    }
  }

  void replay_on(const Machine& machine) {
    const auto others = cluster::join();
    if (others != nullptr) return replay_with(*others, machine);
    const goal::Schedule schedule = read_schedule(machine.settings, {});
    print(machine, simulate(machine, schedule));
  }

  /// What goes wrong they agree on, and the first tells it. Were the others to fail as well,
  /// `mpirun` might end the first before it has.
  void replay_with(replay::Exchange& others, const Machine& machine) {
    try {
      replay_shared(machine, others);
    } catch (const std::runtime_error&) {
      if (others.me() == 0) throw;
    }
  }

  /// With processes of which each has a share of the ranks; the first tells the result.
  void replay_shared(const Machine& machine, replay::Exchange& others) {
    const goal::RankShare share{static_cast<std::uint32_t>(others.me()),
                                static_cast<std::uint32_t>(others.size())};
    std::optional<goal::Schedule> schedule;
    replay::agree_on(others, [&] {
      require_shareable(machine);
      schedule = read_schedule(machine.settings, share);
    });
    const report::ReplayReport report = simulate(machine, *schedule, &others);
    if (others.me() == 0) print(machine, report);
  }

  void require_shareable(const Machine& machine) const {
    const std::string model = machine.settings.get(network::network_choice_table()).model;
    if (model != "loggops") {
      throw InputError({"--network"},
                       "several processes share a replay over loggops only, not '" + model + "'");
    }
    if (threads_ > 1) throw InputError({"--threads"}, "accepted with one process only");
    if (recording_.wanted()) throw InputError({"--report"}, "accepted with one process only");
    if (!compat_.empty()) throw InputError({"--compat"}, "accepted with one process only");
    if (file_ == "-") throw InputError({}, "several processes cannot share the standard input");
  }

  void print(const Machine& machine, report::ReplayReport report) {
    report.again = words_for_again(machine);
    if (recording_.wanted()) {
      recording_.write(report::facts_of(report, pattern_.empty() ? file_ : pattern_),
                       machine.platform.get(), report::cost_of(report));
    }
    output_.write("--csv", [&] { return csv_of(report); });
    output_.write_json([&] { return json_of(report); });
    if (output_.text_wanted()) {
      fmt::print("{}", text_of(report));
      if (fingerprint_) fmt::print("{}", fingerprint_of(report));
    }
    output_.finish();
  }

  /// Without a machine there is no configuration to say what was set.
  std::vector<std::string> words_for_again(const Machine& machine) const {
    std::vector<std::string> words = {"replay"};
    if (!machine.platform) {
      for (const std::string& setting : report::changed_settings(
               machine.settings, {"network", "loggops", "replay", "noise", "pattern", "llm", "nccl",
                                  "convert", "collective"})) {
        words.insert(words.end(), {"--set", setting});
      }
    }
    if (!map_.empty()) {
      const std::string map =
          map_file().empty() ? map_ : "file:" + report::absolute_path(map_file());
      words.insert(words.end(), {"--map", map});
    }
    if (!nodes_.empty()) words.insert(words.end(), {"--nodes", nodes_});
    if (!background_.empty()) words.insert(words.end(), {"--background", background_});
    if (!ends_.empty()) words.insert(words.end(), {"--ends", ends_});
    if (!pattern_.empty()) words.insert(words.end(), {"--pattern", pattern_});
    if (pattern_.empty()) words.push_back(report::absolute_path(file_));
    return words;
  }

  void announce_uses() {
    Uses uses = uses_of("replay");
    if (!background_.empty()) uses.names.emplace_back("traffic");
    if (traces::makes_schedule(file_)) {
      uses.names.insert(uses.names.end(), {"convert", "collective"});
    }
    if (!pattern_.empty()) {
      uses.names.emplace_back("pattern");
      if (pattern_ == goal::kLlm) uses.names.emplace_back("collective");
      uses.pattern = pattern_;
    }
    machine_.uses(std::move(uses));
  }

  Machine read_machine() const {
    if (machine_.names_platform()) {
      return machine_.read([this](Settings& settings) { assign(settings); });
    }
    for (const auto& [option, given] : {std::pair{"--map", &map_}, {"--nodes", &nodes_}}) {
      if (given->empty()) continue;
      throw InputError({option}, "there are no nodes without a machine: accepted with --platform");
    }
    Machine machine{Settings(all_sections()), {}, nullptr};
    assume_loggopsim(machine.settings);
    machine_.apply(machine.settings);
    assign(machine.settings);
    machine_.warn_of_idle(machine);
    return machine;
  }

  void assign(Settings& settings) const {
    short_.assign(settings);
    if (!time_unit_.empty()) {
      assign_short(settings, "replay.time_unit", one_of_unit(time_unit_), "--time-unit");
    }
    if (!seed_.empty()) {
      assign_short(settings, "noise.seed", seed_, "--seed");
      assign_short(settings, "pattern.seed", seed_, "--seed");
    }
    if (!background_.empty()) {
      assign_short(settings, "traffic.load", background_, "--background");
      settings.assign("traffic.slowdown", "yes", {"--background"}, Origin::default_);
    }
    if (compat_.empty()) return;
    if (compat_ != "loggopsim-2023") {
      throw InputError({"--compat"}, "unknown program '" + compat_ + "'" +
                                         did_you_mean(compat_, {"loggopsim-2023"}) +
                                         ": accepted is loggopsim-2023");
    }
    settings.assign("replay.loggopsim_2023=yes", {"--compat"}, Origin::option);
  }

  static void print_config(const Machine& machine) {
    if (machine.platform == nullptr) {
      throw InputError({"--print-config"}, "there is no machine: accepted with --platform only");
    }
    fmt::print("{}", machine.config());
  }

  goal::Schedule read_schedule(const Settings& settings, const goal::RankShare& share) const {
    if (const goal::Generator* one = goal::find_generator(pattern_)) {
      const goal::CollectiveAlgorithms algorithms =
          load_collectives(settings.get(traces::collective_table()), Time::ns(1));
      goal::Schedule schedule = one->make(settings, share, algorithms);
      if (share.index == 0) warn(algorithms.remarks());
      return schedule;
    }
    if (!pattern_.empty()) {
      return goal::generate(pattern_, settings.get(goal::pattern_table()), share);
    }
    if (file_.empty()) {
      throw InputError({}, "no schedule given: accepted are a file and --pattern with a name");
    }
    if (traces::makes_schedule(file_)) return convert(settings);
    goal::ReadLimits limits;
    limits.share = share;
    limits.threads = threads_;
    return goal::read_schedule(file_, limits);
  }

  /// Files that say what waits for what, but in other words than a schedule.
  goal::Schedule convert(const Settings& settings) const {
    traces::ConvertConfig config = settings.get(traces::convert_table());
    config.unit = settings.get(replay::replay_table()).unit;
    const goal::CollectiveAlgorithms algorithms =
        load_collectives(settings.get(traces::collective_table()), config.unit);
    config.collectives = &algorithms;
    traces::Conversion conversion = traces::convert_files(file_, {}, config);
    for (const auto& [warning, times] : conversion.report.warnings) {
      warn({fmt::format("{}: {} x {}", file_, times, warning)});
    }
    warn(algorithms.remarks());
    return std::move(conversion.schedule);
  }

  /// With `others` each of the processes has a share of the schedule.
  report::ReplayReport simulate(const Machine& machine, const goal::Schedule& schedule,
                                replay::Exchange* others = nullptr) {
    check_network(machine);
    const std::optional<goal::StepFacts> step = others == nullptr ? step_of(machine) : std::nullopt;
    std::optional<replay::IdleTimes> idle;
    if (step) idle.emplace(schedule);
    ProgressLine line("replay");
    const auto begin = std::chrono::steady_clock::now();
    report::ReplayReport report{
        run::replay_schedule({machine,
                              schedule,
                              map_,
                              nodes_,
                              threads_,
                              top_,
                              recording_.recorder(),
                              idle ? &*idle : nullptr,
                              others,
                              !background_.empty(),
                              [&](double done, std::uint64_t events) { line.update(done, events); },
                              {},
                              switches_of(machine)})};
    report.machine = &machine;
    report.schedule = &schedule;
    report.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    tell_of_threads(report.result);
    if (step) {
      const Time unit = machine.settings.get(replay::replay_table()).unit;
      report.step =
          report::step_report(*step, report.result, *idle, run::ideal_makespan(schedule, unit));
    }
    return report;
  }

  /// How many of the last ranks are switches inside nodes.
  std::uint32_t switches_of(const Machine& machine) const {
    const auto given = machine.settings.get(replay::replay_table()).switches;
    if (given) return static_cast<std::uint32_t>(*given);
    if (pattern_ == goal::kNccl) {
      return plan_of(machine.settings.get(goal::nccl_table())).switches();
    }
    if (!pattern_.empty() || file_ == "-") return 0;
    return goal::noted_switches(files::beginning_of(file_));
  }

  /// Where a step of training is replayed: what there is to know of it.
  std::optional<goal::StepFacts> step_of(const Machine& machine) const {
    if (!compat_.empty()) return std::nullopt;
    if (pattern_ == goal::kLlm) {
      return facts_of(plan_of(machine.settings.get(goal::llm_table())));
    }
    if (!pattern_.empty() || file_ == "-") return std::nullopt;
    return goal::noted_step(files::beginning_of(file_));
  }

  void tell_of_threads(const replay::ReplayResult& result) const {
    if (result.why_fewer.empty() || result.threads == threads_) return;
    warn({fmt::format("--threads {}: {} replayed this, for {}", threads_,
                      result.threads == 1 ? "one thread" : fmt::format("{}", result.threads),
                      result.why_fewer)});
  }

  /// What there is must suit the network, and what is recorded the replay.
  void check_network(const Machine& machine) const {
    const bool as_loggopsim = machine.settings.get(replay::replay_table()).loggopsim_2023;
    if (recording_.wanted() && as_loggopsim) {
      throw InputError({"--compat"},
                       "its replay is not recorded: accepted without --report and "
                       "what else is written from a recording");
    }
    const std::string network = machine.settings.get(network::network_choice_table()).model;
    if (!background_.empty()) check_background(machine, network);
    if (network == "loggops") return;
    if (threads_ > 1 && network != "queue" && network != "packet") {
      throw InputError({"--threads"}, "accepted with --network loggops, queue and packet; '" +
                                          network + "' is replayed by one thread");
    }
    if (machine.platform == nullptr) {
      throw InputError({"--network"}, "'" + network +
                                          "' needs the links of a machine: accepted with "
                                          "--platform; without, loggops is");
    }
    if (as_loggopsim) throw InputError({"--compat"}, "accepted with --network loggops only");
  }

  /// Flows keep to the links of one simulation, and have one load.
  void check_background(const Machine& machine, const std::string& network) const {
    const traffic::TrafficConfig flows = machine.settings.get(traffic::traffic_table());
    if (network == "loggops" || machine.platform == nullptr) {
      throw InputError({"--background"},
                       "accepted over the links of a machine: --platform with "
                       "--network queue, fluid or packet");
    }
    if (threads_ > 1) throw InputError({"--background"}, "accepted with one thread only");
    if (flows.load.list.size() > 1) {
      throw InputError({"--background"}, "accepted is one load, such as 0.3");
    }
    if (flows.pattern == "file" || flows.loop != traffic::Loop::open) {
      throw ParamError({"traffic.pattern", "traffic.loop"},
                       "are not those of an open loop: accepted beside --background are patterns "
                       "other than file and loop open");
    }
  }

  std::string file_;
  std::string pattern_;
  MachineOptions machine_;
  ShorthandOptions short_;
  std::string map_;
  std::string nodes_;
  std::string ends_;
  std::string time_unit_;
  std::string compat_;
  std::string background_;
  std::string seed_;
  std::size_t top_ = 5;
  unsigned threads_ = 1;
  bool fingerprint_ = false;
  OutputOptions output_;
  RecordingOptions recording_;
};

}  // namespace

CommandKind replay_command() {
  return {"replay", "Replay a GOAL schedule: when every rank is done, and where its time went",
          kReplayExamples, make_command<ReplayCommand>};
}

}  // namespace heddle::cli
