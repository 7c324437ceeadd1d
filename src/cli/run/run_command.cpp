// `heddle run`: a program on a simulated machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/recording.hpp"
#include "cli/repeat.hpp"
#include "cli/run/call_report.hpp"
#include "cli/run/mpi_report.hpp"
#include "cli/run/openmpi_options.hpp"
#include "cli/run/recorded_traces.hpp"
#include "cli/run/run_recording.hpp"
#include "cli/run/run_report.hpp"
#include "cli/run/shmem_report.hpp"
#include "cli/shorthand_options.hpp"
#include "core/log.hpp"
#include "core/units.hpp"
#include "mpi/check.hpp"
#include "network/network.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {
namespace {

constexpr std::uint64_t kMostRanks = 1 << 26;
constexpr std::uint64_t kMostParallel = 1024;
const std::string kMapFile = "file:";
const std::string kNextProgram = ":";
const std::string kMpirun = "mpirun";

/// Whether another process traces this one, as the kernel tells.
bool debugger_attached() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != line.npos;
  }
  return false;
}

class RunCommand final : public Command {
 public:
  explicit RunCommand(CommandLine line) : line_(line) {
    // From the program's name on, everything is the program's.
    line.take_rest("PROGRAM [ARGUMENTS] [: [-n N] PROGRAM [ARGUMENTS]]...");
    machine_.add_to(line);
    machine_.set_default("bxi-v2");
    machine_.uses(uses_of("run"));
    add_job_options(line);
    add_host_options(line);
    if (line.name() == kMpirun) openmpi_.emplace().add_to(line);
    output_.add_file(line, "--trace", "Write each operation of the adapters as CSV");
    output_.add_file(line, "--mpi-calls", "Write each rank's time in each call of MPI as CSV");
    output_.add_file(line, "--mpi-messages", "Write who sent how much to whom with MPI as CSV");
    output_.add_file(line, "--shmem-calls",
                     "Write each PE's time in each call of OpenSHMEM as CSV");
    output_.add_file(line, "--shmem-messages",
                     "Write who moved how much to whom with OpenSHMEM as CSV");
    RecordedTraces::add_to(line, output_);
    recording_.add_to(line, output_);
    line.add_option("--sample", samples_,
                    "A function of which the first calls are run and the\nothers only charged: "
                    "function=NAME,first=N[,by=@3*@4]")
        .type_name("WHAT")
        .check(not_empty())
        .one_at_a_time();
    line.add_option("--fidelity", fidelity_,
                    "What messages of MPI travel by, and when: such as\n'0:hybrid/queue, "
                    "2ms:portals/packet', 'nodes[0-3]:\nportals/packet, *:hybrid/queue', or 'auto: "
                    "portals/packet,\nhybrid/queue'")
        .type_name("LEVELS")
        .check(not_empty());
    line.add_option("--payload", payload_,
                    "Which messages of MPI carry data: all, none, or those\nup to a SIZE")
        .type_name("WHICH")
        .check(not_empty())
        .default_text("all");
    line.add_flag("--check", config_.check_mpi,
                  "List what was never received, completed or freed in MPI,\ntypes that differ "
                  "between sender and receiver, and buffers\nchanged before their sends were done");
    line.add_flag("--fingerprint", fingerprint_, "Print a number that stands for all events");
    line.add_flag("-q,--quiet", quiet_, "No summary after the program's output");
    output_.add_to(line, "Write the results as JSON");
  }

  void run() override {
    config_.programs = programs();
    if (openmpi_) {
      processes_ = true;
      config_.processes.environment = openmpi_->environment();
    }
    for (run::ProgramPart& part : config_.programs) {
      part.hosting = hosting_of(part);
    }
    output_.open();
    recording_.check();
    if (const report::OutputFile* json = output_.file("--json"); json && json->is_stdout()) {
      throw InputError({"--json"}, "the standard output is the program's: accepted is a file");
    }
    const Machine machine = machine_.read([this](Settings& settings) { assign(settings); });
    std::vector<std::string> inputs = machine.files();
    for (const run::ProgramPart& part : config_.programs) inputs.push_back(part.path);
    inputs.push_back(map_file());
    output_.keep_off(inputs);
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    with_places(machine.settings, [&] { simulate(machine); });
  }
  int status() const override { return status_; }

 private:
  void simulate(const Machine& machine) {
    std::optional<report::OutputStream> trace;
    if (const report::OutputFile* file = output_.file("--trace")) trace.emplace(*file);
    run::RunConfig config = this->config();
    config.recorded = RecordedTraces::wanted(output_);
    const std::vector<Time> alone = slowdown_ ? times_alone(machine, config) : std::vector<Time>{};
    if (trace) config.trace = [&](std::string_view text) { trace->append(text); };
    config.recorder = recording_.recorder();
    run::ProgramRun run(*machine.platform, machine.settings, config);
    const auto begin = std::chrono::steady_clock::now();
    const std::exception_ptr failure = failure_of(run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    if (trace) output_.attempt([&] { trace->finish(); });
    RunReport report = report_of(run, machine, failure);
    tell_origin(report, config);
    for (std::size_t i = 0; i < alone.size(); ++i) report.worlds[i].alone = alone[i];
    add_mpi(report, run);
    add_shmem(report, run);
    warn(RecordedTraces::write(output_, run));
    if (recording_.wanted()) {
      report::RunFacts facts = facts_of(run, machine, config);
      facts.wall_seconds = wall.count();
      facts.command = report.again;
      recording_.write(std::move(facts), machine.platform.get(),
                       cost_of(run, machine, *config.recorder));
    }
    status_ = report.status;
    output_.write_json([&] { return json_of(report); });
    if (failure) fail(failure, report);
    if (!quiet_) write_stderr(text_of(report));
    if (fingerprint_) {
      write_stderr(fmt::format("fingerprint {:016x}\n", run.simulation().fingerprint()));
    }
    output_.finish();
  }

  /// The run failed; and what could not be written is told as well.
  [[noreturn]] void fail(const std::exception_ptr& failure, const RunReport& report) const {
    try {
      output_.finish();
    } catch (const RunError& error) {
      if (error.what() != report.problem) Logger().error("{}", error.what());
    }
    std::rethrow_exception(failure);
  }

  /// Who says how ranks get their globals wants them inside of the simulator.
  run::Hosting hosting_of(const run::ProgramPart& part) const {
    if (processes_) return run::Hosting::processes;
    return line_.option("--privatize").given() ? run::Hosting::inside : run::hosting_of(part.path);
  }

  /// The map of ranks with a path that means the same from everywhere.
  std::string map_words() const {
    const std::string map_file = this->map_file();
    return map_file.empty() ? config_.map : kMapFile + absolute_path(map_file);
  }

  /// The file that `--map` names, or "".
  std::string map_file() const {
    return config_.map.starts_with(kMapFile) ? config_.map.substr(kMapFile.size()) : "";
  }

  /// What repeating the run takes besides the configuration.
  void tell_origin(RunReport& report, const run::RunConfig& config) const {
    report.programs = config.programs;
    for (run::ProgramPart& part : report.programs) {
      const std::string found = processes::find_program(part.path);
      part.path = absolute_path(found.empty() ? part.path : found);
    }
    report.seed = config.seed;
    report.again = {line_.name(), "--ranks", std::to_string(config.programs.front().ranks),
                    "--seed", std::to_string(config.seed)};
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) report.again.insert(report.again.end(), {option, value});
    };
    if (config.ranks_per_node) add("--ranks-per-node", std::to_string(*config.ranks_per_node));
    add("--map", map_words());
    add("--nodes", config.nodes);
    add("--fidelity", fidelity_);
    for (const std::string& sample : samples_) add("--sample", sample);
    for (const std::string& fault : faults_) add("--fault", fault);
    for (const std::string& name : config.private_libraries) add("--private-library", name);
    if (config.apart) add("--worlds", "apart");
    if (openmpi_) {
      const std::vector<std::string> words = openmpi_->words();
      report.again.insert(report.again.end(), words.begin(), words.end());
    } else if (processes_) {
      report.again.emplace_back("--processes");
    }
    for (const run::ProgramPart& part : report.programs) {
      if (&part != &report.programs.front()) {
        report.again.insert(report.again.end(),
                            {kNextProgram, "--ranks", std::to_string(part.ranks)});
      }
      report.again.push_back(part.path);
      report.again.insert(report.again.end(), part.arguments.begin(), part.arguments.end());
    }
  }

  /// When each program ends that has the machine to itself.
  std::vector<Time> times_alone(const Machine& machine, run::RunConfig config) const {
    std::vector<Time> times;
    config.drop_output = true;
    config.trace = nullptr;
    config.recorded = std::nullopt;
    config.recorder = nullptr;
    for (std::size_t i = 0; i < config.programs.size(); ++i) {
      config.only = i;
      run::ProgramRun run(*machine.platform, machine.settings, config);
      run.run();
      times.push_back(run.end());
    }
    return times;
  }

  /// What MPI has to say of the run, in the report and in files of its own.
  void add_mpi(RunReport& report, run::ProgramRun& run) {
    std::deque<run::World>& worlds = run.worlds();
    for (run::World& world : worlds) add_mpi(report, world);
    if (output_.json_wanted() && worlds.size() == 1) report.mpi = mpi_json(worlds.front().mpi());
    if (const report::OutputFile* file = output_.file("--mpi-calls")) {
      output_.attempt([&] { file->write(mpi_calls_csv(worlds.front().mpi())); });
    }
    if (const report::OutputFile* file = output_.file("--mpi-messages")) {
      output_.attempt([&] { file->write(pairs_csv(worlds.front().mpi().messages())); });
    }
  }

  void add_mpi(RunReport& report, run::World& world) const {
    const std::string text = mpi_text(world.mpi());
    if (world.number() > 0 && !text.empty()) {
      report.mpi_text += fmt::format("program {}\n", world.number());
    }
    report.mpi_text += text;
    if (world.number() > 0 && output_.json_wanted()) {
      report.worlds[world.number() - 1].mpi = mpi_json(world.mpi());
    }
    if (const mpi::Fidelity* fidelity = world.mpi().fidelity()) {
      for (const std::string& line : fidelity->decisions()) {
        report.mpi_text += "fidelity        " + line + "\n";
      }
      if (!report.decisions) report.decisions.emplace();
      report.decisions->insert(report.decisions->end(), fidelity->decisions().begin(),
                               fidelity->decisions().end());
    }
    mpi::Check* check = world.mpi().check();
    if (check == nullptr) return;
    const std::vector<std::string> findings = check->findings(world.mpi());
    report.mpi_text += check_text(findings);
    if (!report.findings) report.findings.emplace();
    report.findings->insert(report.findings->end(), findings.begin(), findings.end());
  }

  /// The same of OpenSHMEM.
  void add_shmem(RunReport& report, run::ProgramRun& run) {
    for (run::World& world : run.worlds()) add_shmem(report, world);
    shmem::World& first = run.worlds().front().shmem();
    if (const report::OutputFile* file = output_.file("--shmem-calls")) {
      output_.attempt([&] { file->write(shmem_calls_csv(first)); });
    }
    if (const report::OutputFile* file = output_.file("--shmem-messages")) {
      output_.attempt([&] { file->write(pairs_csv(first.messages())); });
    }
  }

  void add_shmem(RunReport& report, run::World& world) const {
    const std::string text = shmem_text(world.shmem());
    if (text.empty()) return;
    if (world.number() > 0) report.shmem_text += fmt::format("program {}\n", world.number());
    report.shmem_text += text;
    if (!output_.json_wanted()) return;
    (world.number() > 0 ? report.worlds[world.number() - 1].shmem : report.shmem) =
        shmem_json(world.shmem());
  }

  void add_job_options(CommandLine line) {
    line.add_option("-n,--ranks,--np", ranks_, "How many ranks of the first program")
        .type_name("N")
        .check(whole_number(1, kMostRanks))
        .show_default();
    line.add_option("--worlds", worlds_,
                    "Whether several programs have one world of ranks, or\napart, each its own and "
                    "nodes of its own")
        .type_name("one|apart")
        .check(one_of({"one", "apart"}))
        .default_text("one");
    line.add_flag("--slowdown", slowdown_,
                  "Run programs with worlds apart also alone, and say how\nmuch they slow each "
                  "other");
    line.add_option("--ranks-per-node", config_.ranks_per_node,
                    "How many of them on each node, 1 unless --map says")
        .type_name("N")
        .check(whole_number(1, kMostRanks));
    line.add_option("--map", config_.map,
                    "Which rank runs where: by-core, by-node, by-switch,\nrandom:SEED or file:PATH")
        .type_name("HOW")
        .check(not_empty());
    line.add_option("--nodes", config_.nodes, "Nodes that may be used, such as 0-3,17")
        .type_name("LIST")
        .check(not_empty());
    short_.add_to(line, {{"--network", "network.model", "MODEL", network_help(), {}, false}});
    line.add_option(
            "--fault", faults_,
            "What breaks: drop=0.01,corrupt=1e-3, or\ndown=n0->*@1ms-2ms (a cable, for a while)")
        .type_name("FAULTS")
        .one_at_a_time();
    line.add_option("--seed", config_.seed, "Seed of every random choice")
        .type_name("N")
        .check(whole_number(0, UINT64_MAX))
        .show_default();
    line.add_flag("--prefix-output", config_.prefix_output,
                  "Begin each line of output with the rank that wrote it");
  }

  void add_host_options(CommandLine line) {
    line.add_option("--compute", compute_,
                    "What computation between calls costs: none,\nmeasure:FACTOR or fixed:TIME")
        .type_name("HOW")
        .check(not_empty())
        .default_text(default_of("host.compute"));
    short_.add_to(line, {{"--stack", "host.stack", "SIZE", "Stack of each rank"},
                         {"--privatize", "host.privatize", "HOW",
                          "How ranks get globals of their own: auto, copies,\nswap or none"},
                         {"--threads-per-rank", "host.threads_per_rank", "N",
                          "How many threads of a rank compute at a time, each\non a core; as many "
                          "cores a rank finds"}});
    line.add_option("--private-library", config_.private_libraries,
                    "A library of the system that each rank gets for\nitself, as libfoo")
        .type_name("NAME")
        .check(not_empty())
        .one_at_a_time();
    line.add_flag(
        "--processes", processes_,
        "Ranks are processes of their own; else only those of\nprograms that were not built "
        "to be loaded");
    line.add_option("--parallel", config_.processes.parallel,
                    "How many processes of ranks may run here at a time")
        .type_name("N")
        .check(whole_number(1, kMostParallel))
        .show_default();
    line.add_option("--max-host-time-per-step", max_step_,
                    "Processor time that a rank may take here between\ntwo calls, before it counts "
                    "as hanging")
        .type_name("TIME")
        .check(not_empty());
    line.add_option("--debug-rank", debug_rank_,
                    "Stop before the main function of this rank, for a\ndebugger")
        .type_name("RANK")
        .check(whole_number(0, kMostRanks));
  }

  /// Runs; answers what went wrong, or null.
  static std::exception_ptr failure_of(run::ProgramRun& run) {
    try {
      run.run();
    } catch (const RunError&) {
      return std::current_exception();
    }
    return nullptr;
  }

  /// The programs and their arguments, as the words behind the options say.
  std::vector<run::ProgramPart> programs() const {
    const std::vector<std::string> words = line_.rest();
    std::vector<run::ProgramPart> parts;
    for (auto first = words.begin();; ++first) {
      const auto end = std::find(first, words.end(), kNextProgram);
      std::vector<std::string> part(first, end);
      const std::uint32_t ranks = parts.empty() ? ranks_ : take_ranks(part);
      if (part.empty()) {
        throw InputError({},
                         "no program given: accepted is heddle " + line_.name() +
                             " [options] PROGRAM [arguments] [: [-n N] PROGRAM [arguments]]...");
      }
      if (part.front().starts_with('-')) refuse_option(part.front(), !parts.empty());
      parts.push_back({part.front(), {part.begin() + 1, part.end()}, ranks});
      if (end == words.end()) return parts;
      first = end;
    }
  }

  /// How many ranks a further program wants; takes the words that say it.
  static std::uint32_t take_ranks(std::vector<std::string>& words) {
    static const std::set<std::string> names = {"-n", "-np", "--np", "--ranks"};
    if (words.empty() || !names.contains(words.front())) return run::ProgramPart().ranks;
    const std::string value = words.size() < 2 ? "" : words[1];
    if (const std::string problem = whole_number(1, kMostRanks)(value); !problem.empty()) {
      throw InputError({words.front()}, problem);
    }
    words.erase(words.begin(), words.begin() + 2);
    return static_cast<std::uint32_t>(std::stoul(value));
  }

  [[noreturn]] void refuse_option(const std::string& word, bool further) const {
    if (further) {
      throw InputError({}, "'" + word +
                               "' before a further program: accepted is -n N; what holds "
                               "for all stands before the first one");
    }
    const std::vector<std::string> names = line_.option_names();
    throw InputError({}, "unknown option '" + word + "'" +
                             did_you_mean(word.substr(0, word.find('=')), names) +
                             ": accepted are " + joined(names));
  }

  void assign(Settings& settings) const {
    short_.assign(settings);
    if (line_.option("--seed").given()) {
      assign_short(settings, "noise.seed", std::to_string(config_.seed), "--seed");
    }
    if (!compute_.empty()) assign_compute(settings);
    if (payload_ == "none") {
      assign_short(settings, "mpi.copy_payload", "no", "--payload");
    } else if (!payload_.empty() && payload_ != "all") {
      assign_short(settings, "mpi.payload_limit", payload_, "--payload");
    }
  }

  void assign_compute(Settings& settings) const {
    const std::string option = "--compute";
    const std::size_t colon = compute_.find(':');
    const std::string how = compute_.substr(0, colon);
    assign_short(settings, "host.compute", how, option);
    if (colon == std::string::npos) return;
    const std::string value = compute_.substr(colon + 1);
    if (how == "none") {
      throw InputError({option},
                       "'" + compute_ + "': accepted are none, measure:FACTOR, fixed:TIME");
    }
    assign_short(settings, how == "fixed" ? "host.compute_time" : "host.compute_factor", value,
                 option);
  }

  run::RunConfig config() const {
    run::RunConfig config = config_;
    config.apart = worlds_ == "apart" && config.programs.size() > 1;
    check_worlds(config);
    for (const std::string& text : samples_) {
      config.sampled.push_back(host::parse_sampled_function(text, "--sample"));
    }
    if (!fidelity_.empty()) {
      std::vector<std::string> models;
      for (const network::NetworkModel& model : network::network_models()) {
        models.emplace_back(model.name);
      }
      config.fidelity = mpi::parse_fidelity(fidelity_, models, "--fidelity");
    }
    check_debug_rank();
    config.debug_rank = debug_rank_;
    config.message_pairs = output_.json_wanted() || output_.file("--mpi-messages") != nullptr ||
                           output_.file("--shmem-messages") != nullptr;
    for (const std::string& text : faults_) nic::add_faults(config.faults, text, {"--fault"});
    if (!max_step_.empty()) {
      const auto time = parse_time(max_step_);
      if (!time) {
        throw InputError({"--max-host-time-per-step"}, "'" + max_step_ +
                                                           "' is not a time: accepted is " +
                                                           std::string(ParamType<Time>::accepted));
      }
      config.max_step = *time;
    }
    return config;
  }

  void check_worlds(const run::RunConfig& config) const {
    if (config.apart) {
      for (const char* option : {"--mpi-calls", "--mpi-messages", "--shmem-calls",
                                 "--shmem-messages", "--trace-ti", "--trace-goal"}) {
        if (output_.file(option) == nullptr) continue;
        throw InputError({option}, "has no place for several worlds: accepted with --worlds one");
      }
    } else if (slowdown_) {
      throw InputError({"--slowdown"},
                       "compares several programs, each with its own world: accepted with "
                       "--worlds apart, as in heddle run --worlds apart -n 4 ./a : -n 4 ./b");
    }
  }

  /// Stopping means something only for a rank that there is, and where a debugger looks on.
  void check_debug_rank() const {
    if (!debug_rank_) return;
    if (*debug_rank_ >= config_.ranks()) {
      throw InputError({"--debug-rank"}, fmt::format("there is no rank {}: accepted is 0 to {}",
                                                     *debug_rank_, config_.ranks() - 1));
    }
    if (!debugger_attached()) {
      throw InputError({"--debug-rank"},
                       "no debugger is there to stop for: start one, as in "
                       "`gdb --args heddle run --debug-rank 1 ./program`");
    }
  }

  const CommandLine line_;
  MachineOptions machine_;
  run::RunConfig config_;
  std::uint32_t ranks_ = run::ProgramPart().ranks;  ///< Of the first program.
  std::string worlds_;
  bool slowdown_ = false;
  bool processes_ = false;
  std::optional<OpenMpiOptions> openmpi_;  ///< Of `heddle mpirun`.
  ShorthandOptions short_;
  std::string compute_;
  std::string fidelity_;
  std::string payload_;
  std::vector<std::string> samples_;
  std::string max_step_;
  std::vector<std::string> faults_;
  std::optional<std::uint32_t> debug_rank_;
  bool fingerprint_ = false;
  bool quiet_ = false;
  OutputOptions output_;
  RecordingOptions recording_;
  int status_ = 0;
};

}  // namespace

CommandKind run_command() {
  return {"run", "Run a program, built with heddlecc or heddlecxx, on a simulated machine",
          "  heddlecc hello.c -o hello && heddle run -n 4 ./hello\n"
          "  heddle run -n 16 --platform bxi-v2 --ranks-per-node 2 ./stencil 100\n"
          "  heddle run -n 4 ./pingpong : -n 12 ./solver 100\n"
          "  heddle run --worlds apart --slowdown -n 32 ./stencil : -n 32 ./solver\n"
          "  heddle run --network packet --set link.latency=1us ./pingpong\n"
          "  heddle run --compute measure:2.0 --prefix-output ./solver",
          make_command<RunCommand>};
}

CommandKind mpirun_command() {
  return {kMpirun, "Run a program of the installed Open MPI on a simulated machine, as it is",
          "  heddle mpirun -n 16 --platform bxi-v2 lmp -in in.lj\n"
          "  heddle mpirun -n 4 python3 script.py               # with mpi4py\n"
          "  heddle mpirun -n 4 --offload ./solver              # collectives by the adapters\n"
          "  heddle mpirun -n 4 --mca coll_tuned_use_dynamic_rules=1 \\\n"
          "    --mca coll_tuned_allreduce_algorithm=4 ./solver  # Open MPI's own choices",
          make_command<RunCommand>};
}

}  // namespace heddle::cli
