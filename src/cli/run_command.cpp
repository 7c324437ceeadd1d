// `heddle run`: a program on a simulated machine.
#include <fmt/format.h>

#include <fstream>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/mpi_report.hpp"
#include "cli/recorded_traces.hpp"
#include "cli/repeat.hpp"
#include "cli/run_report.hpp"
#include "cli/shorthand_options.hpp"
#include "core/log.hpp"
#include "core/units.hpp"
#include "mpi/check.hpp"
#include "network/network.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {
namespace {

constexpr std::uint64_t kMostRanks = 1 << 26;
const std::string kMapFile = "file:";

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
    line.take_rest("PROGRAM [ARGUMENTS]");
    machine_.add_to(line);
    machine_.set_default("bxi-v2");
    machine_.uses({"network", "nic", "portals", "host", "mpi", "shmem"});
    // Programs are charged by the adapters' own stages instead.
    machine_.leaves_out({"nic.gap", "nic.send_overhead", "nic.receive_overhead"});
    add_job_options(line);
    add_host_options(line);
    output_.add_file(line, "--trace", "Write each operation of the adapters as CSV");
    output_.add_file(line, "--mpi-calls", "Write each rank's time in each call of MPI as CSV");
    output_.add_file(line, "--mpi-messages", "Write who sent how much to whom with MPI as CSV");
    RecordedTraces::add_to(line, output_);
    line.add_flag("--check", config_.check_mpi,
                  "List what was never received, completed or freed in MPI,\ntypes that differ "
                  "between sender and receiver, and buffers\nchanged before their sends were done");
    line.add_flag("--fingerprint", fingerprint_, "Print a number that stands for all events");
    line.add_flag("-q,--quiet", quiet_, "No summary after the program's output");
    output_.add_to(line, "Write the results as JSON");
  }

  void run() override {
    const std::vector<std::string> words = program_words();
    output_.open();
    if (const report::OutputFile* json = output_.file("--json"); json && json->is_stdout()) {
      throw InputError({"--json"}, "the standard output is the program's: accepted is a file");
    }
    const Machine machine = machine_.read([this](Settings& settings) { assign(settings); });
    std::vector<std::string> inputs = machine.files();
    inputs.insert(inputs.end(), {words.front(), map_file()});
    output_.keep_off(inputs);
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    with_places(machine.settings, [&] { simulate(machine, words); });
  }
  int status() const override { return status_; }

 private:
  void simulate(const Machine& machine, const std::vector<std::string>& words) {
    std::optional<report::OutputStream> trace;
    if (const report::OutputFile* file = output_.file("--trace")) trace.emplace(*file);
    run::RunConfig config = this->config(words);
    config.recorded = RecordedTraces::wanted(output_);
    if (trace) config.trace = [&](std::string_view text) { trace->append(text); };
    run::ProgramRun run(*machine.platform, machine.settings, config);
    const std::exception_ptr failure = failure_of(run);
    if (trace) output_.attempt([&] { trace->finish(); });
    RunReport report = report_of(run, machine, failure);
    tell_origin(report, config);
    add_mpi(report, run);
    warn(RecordedTraces::write(output_, run));
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
    report.program = absolute_path(config.program);
    report.arguments = config.arguments;
    report.seed = config.seed;
    report.again = {"run", "--ranks", std::to_string(config.ranks), "--seed",
                    std::to_string(config.seed)};
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) report.again.insert(report.again.end(), {option, value});
    };
    if (config.ranks_per_node) add("--ranks-per-node", std::to_string(*config.ranks_per_node));
    add("--map", map_words());
    add("--nodes", config.nodes);
    for (const std::string& fault : faults_) add("--fault", fault);
    for (const std::string& name : config.private_libraries) add("--private-library", name);
    report.again.push_back(report.program);
    report.again.insert(report.again.end(), config.arguments.begin(), config.arguments.end());
  }

  /// What MPI has to say of the run, in the report and in files of its own.
  void add_mpi(RunReport& report, run::ProgramRun& run) {
    report.mpi_text = mpi_text(run.mpi());
    if (output_.json_wanted()) report.mpi = mpi_json(run.mpi());
    if (mpi::Check* check = run.mpi().check()) {
      const std::vector<std::string> findings = check->findings(run.mpi());
      report.mpi_text += check_text(findings);
      report.findings = findings;
    }
    if (const report::OutputFile* file = output_.file("--mpi-calls")) {
      output_.attempt([&] { file->write(mpi_calls_csv(run.mpi())); });
    }
    if (const report::OutputFile* file = output_.file("--mpi-messages")) {
      output_.attempt([&] { file->write(mpi_messages_csv(run.mpi())); });
    }
  }

  void add_job_options(CommandLine line) {
    line.add_option("-n,--ranks,--np", config_.ranks, "How many ranks")
        .type_name("N")
        .check(whole_number(1, kMostRanks))
        .show_default();
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

  /// The program and its arguments.
  std::vector<std::string> program_words() const {
    std::vector<std::string> words = line_.rest();
    if (words.empty()) {
      throw InputError({},
                       "no program given: accepted is heddle run [options] PROGRAM [arguments]");
    }
    if (words.front().starts_with('-')) refuse_option(words.front());
    return words;
  }

  [[noreturn]] void refuse_option(const std::string& word) const {
    const std::vector<std::string> names = line_.option_names();
    throw InputError({}, "unknown option '" + word + "'" +
                             did_you_mean(word.substr(0, word.find('=')), names) +
                             ": accepted are " + joined(names));
  }

  void assign(Settings& settings) const {
    short_.assign(settings);
    if (!compute_.empty()) assign_compute(settings);
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

  run::RunConfig config(const std::vector<std::string>& words) const {
    run::RunConfig config = config_;
    config.program = words.front();
    config.arguments.assign(words.begin() + 1, words.end());
    check_debug_rank();
    config.debug_rank = debug_rank_;
    config.message_pairs = output_.json_wanted() || output_.file("--mpi-messages") != nullptr;
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

  /// Stopping means something only for a rank that there is, and where a debugger looks on.
  void check_debug_rank() const {
    if (!debug_rank_) return;
    if (*debug_rank_ >= config_.ranks) {
      throw InputError({"--debug-rank"}, fmt::format("there is no rank {}: accepted is 0 to {}",
                                                     *debug_rank_, config_.ranks - 1));
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
  ShorthandOptions short_;
  std::string compute_;
  std::string max_step_;
  std::vector<std::string> faults_;
  std::optional<std::uint32_t> debug_rank_;
  bool fingerprint_ = false;
  bool quiet_ = false;
  OutputOptions output_;
  int status_ = 0;
};

}  // namespace

CommandKind run_command() {
  return {"run", "Run a program, built with heddlecc or heddlecxx, on a simulated machine",
          "  heddlecc hello.c -o hello && heddle run -n 4 ./hello\n"
          "  heddle run -n 16 --platform bxi-v2 --ranks-per-node 2 ./stencil 100\n"
          "  heddle run --network packet --set link.latency=1us ./pingpong\n"
          "  heddle run --compute measure:2.0 --prefix-output ./solver",
          make_command<RunCommand>};
}

}  // namespace heddle::cli
