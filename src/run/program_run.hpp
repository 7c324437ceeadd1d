// A program on a simulated machine: everything that takes part, put together.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "core/simulation.hpp"
#include "host/memory/kept_once.hpp"
#include "host/program/sampling/loop_sampler.hpp"
#include "host/program/sampling/sampled_functions.hpp"
#include "host/rank/ticker.hpp"
#include "platform/platform.hpp"
#include "run/host_use.hpp"
#include "run/left_out.hpp"
#include "run/world.hpp"
#include "trace/recorder.hpp"

namespace heddle::run {

struct RunConfig {
  /// At least one. Ranks are numbered through all of them.
  std::vector<ProgramPart> programs = {};
  /// Each program has a world, and nodes, of its own, rather than all one together.
  bool apart = false;
  /// Only this one of worlds apart, with the nodes that it has beside the others.
  std::optional<std::size_t> only = {};
  std::vector<std::string> private_libraries = {};  ///< Of the system's, for each rank.
  std::optional<std::uint32_t> ranks_per_node = {};
  std::string map = {};    ///< As platform::PlacementRequest has it.
  std::string nodes = {};  ///< The same.
  std::uint64_t seed = 1;
  bool prefix_output = false;    ///< Lines say which rank wrote them.
  bool drop_output = false;      ///< Nobody wants to read them.
  Time max_step = Time::zero();  ///< Processor time a rank may take between two calls; zero: any.
  std::optional<std::uint32_t> debug_rank = {};  ///< Stops for a debugger before its main().
  nic::Faults faults = {};
  bool check_mpi = false;      ///< Looks for what programs do wrong in MPI without being stopped.
  bool message_pairs = false;  ///< Counts MPI's messages by sender and receiver.
  /// Instead of the program: what the ranks do, one for each of the trace; must outlive the run.
  const traces::Trace* played = nullptr;
  /// The same as a schedule.
  const goal::Schedule* schedule = nullptr;
  /// The same as functions of the caller's, whose messages carry no data.
  host::Program* functions = nullptr;
  /// Who records what ranks do, for reports; must outlive the run.
  record::RunRecorder* recorder = nullptr;
  /// Functions that are not run every time.
  std::vector<host::SampledFunction> sampled = {};
  /// Loops that are found to repeat are not run every time either, once their costs are known so
  /// well.
  std::optional<host::LoopLimits> sampled_loops = {};
  host::SharePages share_pages = host::SharePages::files;
  /// Depths of simulation that messages of MPI take, if it is not one for all.
  mpi::FidelityPlan fidelity = {};
  /// What to record of the calls of MPI, if anything.
  std::optional<Recorded> recorded = {};
  ProcessSettings processes = {};  ///< Of ranks that are such.
  /// Of this computer, on which code of ranks inside of the simulator may run.
  std::uint32_t threads = 1;
  host::Ticked* ticked = nullptr;  ///< Told that the run goes on; or null.
  /// Takes the text of a trace of operations, piece by piece; null: nobody wants one.
  trace::Sink trace = nullptr;

  std::uint32_t ranks() const;
};

/// One run. The program's output goes to the standard streams while it runs.
class ProgramRun {
 public:
  /// Everything is checked and loaded here; throws InputError. The platform and the settings must
  /// outlive the run.
  ProgramRun(const platform::Platform& platform, const Settings& settings, const RunConfig& config);
  ~ProgramRun();
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Until all ranks have ended. Throws DeadlockError, host::CrashError, host::StopError or another
  /// RunError; the trace and all that is told here of the run are then of what came before.
  void run();

  Simulation& simulation();
  /// The model of its network.
  const std::string& network() const;
  /// Messages that failures of cables have hit.
  network::Losses losses() const;
  /// Of its network, if it has any.
  network::PacketCounts packets() const;
  /// One, or one for each program.
  std::deque<World>& worlds();
  /// What keeps ranks on one thread though there might be more: completes "they stay on one thread:
  /// ..."; empty if nothing does.
  const std::string& one_thread() const;
  /// How ranks got their globals: "copies", "swap", "processes" or "none", or several of them.
  std::string privatization() const;
  /// How many have.
  std::uint32_t ended_ranks() const;
  /// When the last rank ended.
  Time end() const;
  /// The status of the first rank that did not end with zero; else zero.
  int status() const;
  HostUse host_use() const;
  /// What ranks would have taken besides if equal pages were not kept once.
  Bytes kept_once() const;
  /// Loops that were left out now and then, or do not repeat.
  std::vector<host::SampledLoop> sampled_loops() const;
  /// Of all ranks, up to now.
  Computation computation() const;

 private:
  struct State;
  void run_ranks();
  void finish_trace(Time end);
  void flush_lines();
  std::string circumstances();
  std::unique_ptr<State> state_;
};

/// The stack of each rank: what `host.stack` says, or a size that suits their number.
Bytes stack_size(const host::HostParams& params, std::uint32_t ranks);

}  // namespace heddle::run
