// `heddle run`: a program on a simulated machine.
#include <fmt/core.h>

#include <chrono>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/notes.hpp"
#include "cli/recording.hpp"
#include "cli/run/job_options.hpp"
#include "cli/run/recorded_traces.hpp"
#include "cli/run/run_progress.hpp"
#include "report/repeat.hpp"
#include "report/run/call_report.hpp"
#include "report/run/mpi_report.hpp"
#include "report/run/run_recording.hpp"
#include "report/run/run_report.hpp"
#include "report/run/sampling_report.hpp"
#include "report/run/shmem_report.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {
namespace {

class RunCommand final : public Command {
 public:
  explicit RunCommand(CommandLine line) {
    machine_.add_to(line);
    machine_.set_default("bxi-v2");
    machine_.uses(uses_of("run"));
    job_.add_to(line);
    output_.add_file(line, "--trace", "Write each operation of the adapters as CSV");
    output_.add_file(line, "--mpi-calls", "Write each rank's time in each call of MPI as CSV");
    output_.add_file(line, "--mpi-messages", "Write who sent how much to whom with MPI as CSV");
    output_.add_file(line, "--shmem-calls",
                     "Write each PE's time in each call of OpenSHMEM as CSV");
    output_.add_file(line, "--shmem-messages",
                     "Write who moved how much to whom with OpenSHMEM as CSV");
    RecordedTraces::add_to(line, output_);
    recording_.add_to(line, output_);
    line.add_flag("--check", check_, {"error", "warn"},
                  "List what the program does wrong in MPI without being stopped,\nand end with "
                  "status 3 if there is something; --check=warn\nkeeps the program's status");
    line.add_flag("--fingerprint", fingerprint_, "Print a number that stands for all events");
    line.add_flag("-q,--quiet", quiet_, "No summary after the program's output");
    output_.add_to(line,
                   "Write the results as JSON; - for the standard output,\nand the program's own "
                   "comes out on the standard error");
  }

  void run() override {
    run::RunConfig config = job_.config();
    output_.open();
    tell_wishes(config);
    recording_.check();
    const Machine machine = machine_.read([this](Settings& settings) { job_.assign(settings); });
    std::vector<std::string> inputs = machine.files();
    for (const run::ProgramPart& part : config.programs) inputs.push_back(part.path);
    inputs.push_back(job_.map_file());
    output_.keep_off(inputs);
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    job_.check_fidelity(machine.settings, machine.platform->nodes(), config.fidelity);
    if (!output_.text_wanted()) report::keep_results_apart();
    with_places(machine.settings, [&] { simulate(machine, config); });
  }
  int status() const override { return status_; }

 private:
  void simulate(const Machine& machine, run::RunConfig config) {
    std::optional<report::OutputStream> trace;
    if (const report::OutputFile* file = output_.file("--trace")) trace.emplace(*file);
    const std::vector<Time> alone =
        job_.slowdown() ? times_alone(machine, config) : std::vector<Time>{};
    if (trace) config.trace = [&](std::string_view text) { trace->append(text); };
    config.recorder = recording_.recorder();
    RunProgress progress("run", !quiet_);
    progress.watch(config);
    run::ProgramRun run(*machine.platform, machine.settings, config);
    if (config.threads > 1 && !run.one_thread().empty()) {
      warn({"--threads has no effect here: ranks stay on one thread: " + run.one_thread()});
    }
    progress.begin(run);
    const auto begin = std::chrono::steady_clock::now();
    const std::exception_ptr failure = failure_of(run);
    progress.give_way();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    if (trace) output_.attempt([&] { trace->finish(); });
    report::RunReport report = report::report_of(run, machine, failure);
    report.advice = kComputeAdvice;
    tell_origin(report, config);
    for (std::size_t i = 0; i < alone.size(); ++i) report.worlds[i].alone = alone[i];
    add_mpi(report, run);
    add_shmem(report, run);
    warn(RecordedTraces::write(output_, run));
    if (!config.faults.none() && report.traffic.requests == 0) {
      logger().warning(
          "--fault: nothing could break, as no message went through an adapter; those of MPI and "
          "OpenSHMEM do with --set mpi.transport=portals and --set shmem.transport=portals");
    }
    if (report::leaves_out(report.sampled_loops)) {
      logger().warning(
          "--sample auto: loops were left out, and their results not computed: what the program "
          "says of results is wrong");
    }
    if (recording_.wanted()) {
      report::RunFacts facts = report::facts_of(run, machine, config, kComputeAdvice);
      facts.wall_seconds = wall.count();
      facts.command = report.again;
      recording_.write(std::move(facts), machine.platform.get(), report::cost_of(run, machine));
    }
    const bool found = report.findings && !report.findings->empty();
    if (found && check_ != "warn" && report.status == kDone) report.status = kFound;
    status_ = report.status;
    output_.write_json([&] { return json_of(report, machine); });
    if (found && (failure || quiet_)) write_stderr(report::check_text(*report.findings));
    if (failure) fail(failure, report);
    if (!quiet_) write_stderr(text_of(report));
    if (fingerprint_) {
      write_stderr(fmt::format("fingerprint {:016x}\n", run.simulation().fingerprint()));
    }
    output_.finish();
  }

  /// The run failed; and what could not be written is told as well.
  [[noreturn]] void fail(const std::exception_ptr& failure, const report::RunReport& report) const {
    // Perhaps it would never have ended.
    if (report.outcome == "stopped" && is_left_out(report.computation)) {
      logger().warning("left out: {}", left_out_line(report.computation, kComputeAdvice));
    }
    for (const std::string& unwritten : output_.failures()) {
      if (unwritten != report.problem) logger().error("{}", unwritten);
    }
    std::rethrow_exception(failure);
  }

  /// What repeating the run takes besides the configuration.
  void tell_origin(report::RunReport& report, const run::RunConfig& config) const {
    report.programs = config.programs;
    for (run::ProgramPart& part : report.programs) {
      const std::string found = processes::find_program(part.path);
      part.path = report::absolute_path(found.empty() ? part.path : found);
    }
    report.seed = config.seed;
    report.again = job_.words(report.programs);
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
  void add_mpi(report::RunReport& report, run::ProgramRun& run) {
    std::deque<run::World>& worlds = run.worlds();
    for (run::World& world : worlds) add_mpi(report, world);
    if (output_.json_wanted() && worlds.size() == 1) {
      report.mpi = report::mpi_json(worlds.front().mpi());
    }
    if (const report::OutputFile* file = output_.file("--mpi-calls")) {
      output_.attempt([&] { file->write(report::mpi_calls_csv(worlds.front().mpi())); });
    }
    if (const report::OutputFile* file = output_.file("--mpi-messages")) {
      output_.attempt([&] { file->write(report::pairs_csv(worlds.front().mpi().messages())); });
    }
  }

  void add_mpi(report::RunReport& report, run::World& world) const {
    const std::string text = report::mpi_text(world.mpi());
    if (world.number() > 0 && !text.empty()) {
      report.mpi_text += fmt::format("program {}\n", world.number());
    }
    report.mpi_text += text;
    if (world.number() > 0 && output_.json_wanted()) {
      report.worlds[world.number() - 1].mpi = report::mpi_json(world.mpi());
    }
    if (const mpi::Fidelity* fidelity = world.mpi().fidelity()) {
      for (const std::string& line : fidelity->decisions()) {
        report.mpi_text += "fidelity        " + line + "\n";
      }
      if (!report.decisions) report.decisions.emplace();
      report.decisions->insert(report.decisions->end(), fidelity->decisions().begin(),
                               fidelity->decisions().end());
    }
    const std::optional<std::vector<std::string>> findings = world.mpi().findings();
    if (!findings) return;
    report.mpi_text += report::check_text(*findings);
    if (!report.findings) report.findings.emplace();
    report.findings->insert(report.findings->end(), findings->begin(), findings->end());
  }

  /// The same of OpenSHMEM.
  void add_shmem(report::RunReport& report, run::ProgramRun& run) {
    for (run::World& world : run.worlds()) add_shmem(report, world);
    shmem::World& first = run.worlds().front().shmem();
    if (const report::OutputFile* file = output_.file("--shmem-calls")) {
      output_.attempt([&] { file->write(report::shmem_calls_csv(first)); });
    }
    if (const report::OutputFile* file = output_.file("--shmem-messages")) {
      output_.attempt([&] { file->write(report::pairs_csv(first.messages())); });
    }
  }

  void add_shmem(report::RunReport& report, run::World& world) const {
    const std::string text = report::shmem_text(world.shmem());
    if (text.empty()) return;
    if (world.number() > 0) report.shmem_text += fmt::format("program {}\n", world.number());
    report.shmem_text += text;
    if (!output_.json_wanted()) return;
    (world.number() > 0 ? report.worlds[world.number() - 1].shmem : report.shmem) =
        report::shmem_json(world.shmem());
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

  /// What is to be learnt of the job.
  void tell_wishes(run::RunConfig& config) const {
    check_files(config);
    config.check_mpi = !check_.empty();
    config.message_pairs = output_.json_wanted() || output_.file("--mpi-messages") != nullptr ||
                           output_.file("--shmem-messages") != nullptr;
    config.recorded = RecordedTraces::wanted(output_);
  }

  void check_files(const run::RunConfig& config) const {
    if (!config.apart) return;
    for (const char* option : {"--mpi-calls", "--mpi-messages", "--shmem-calls", "--shmem-messages",
                               "--trace-ti", "--trace-goal"}) {
      if (output_.file(option) == nullptr) continue;
      throw InputError({option}, "has no place for several worlds: accepted with --worlds one");
    }
  }

  MachineOptions machine_;
  JobOptions job_;
  std::string check_;  ///< Empty: none.
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
