#include "run/program_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "core/error.hpp"
#include "host/crash.hpp"
#include "host/hosted_program.hpp"
#include "host/processor_counter.hpp"
#include "host/raw_system_calls.hpp"
#include "host/spin_watch.hpp"
#include "host/spinners.hpp"
#include "host/streams.hpp"
#include "mpi/world.hpp"
#include "network/network.hpp"
#include "platform/placement.hpp"
#include "portals/machine.hpp"
#include "run/trace_player.hpp"
#include "shmem/world.hpp"

namespace heddle::run {
namespace {

/// Each takes two of the mappings that the kernel allows.
constexpr std::uint32_t kMostGuards = 8192;

FiberConfig fiber_config(const host::HostParams& params, std::uint32_t ranks) {
  return {stack_size(params, ranks), ranks, (ranks + kMostGuards - 1) / kMostGuards};
}

host::ProgramConfig program_config(const RunConfig& config, const host::HostParams& params) {
  return {config.program, config.arguments, params.privatize, config.ranks,
          config.private_libraries};
}

host::JobConfig job_config(const platform::Platform& platform, const RunConfig& config,
                           const host::HostParams& params) {
  return {config.ranks, 1, params,
          platform::place_ranks(platform,
                                {config.ranks, config.ranks_per_node, config.map, config.nodes})};
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// What the kernel keeps to find the pages of this process, which it does not count as theirs.
std::int64_t page_tables_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t size = 0;
    if (word == "VmPTE:" && status >> size) return size;
  }
  return 0;
}

/// Of the process, from its beginning to now; the memory at its largest.
HostUse usage() {
  constexpr std::int64_t kKiB = 1024;
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return {seconds(use.ru_utime) + seconds(use.ru_stime),
          Bytes((use.ru_maxrss + page_tables_kib()) * kKiB)};
}

/// Lines about ranks that others may wait for in vain: they have ended, and not well.
std::string failed_ranks(const host::Job& job) {
  constexpr std::uint32_t kShown = 5;
  std::string text;
  std::uint32_t failed = 0;
  for (std::uint32_t r = 0; r < job.size(); ++r) {
    const int status = job.status(host::RankId{r});
    if (status != 0 && failed++ < kShown)
      text += fmt::format("\n  rank {} has ended with status {}", r, status);
  }
  if (failed > kShown) text += fmt::format("\n  and {} more with a status", failed - kShown);
  return text;
}

}  // namespace

Bytes stack_size(const host::HostParams& params, std::uint32_t ranks) {
  if (params.stack) return *params.stack;
  constexpr std::uint32_t kFew = 4096;
  constexpr std::uint32_t kMany = 65'536;
  if (ranks <= kFew) return Bytes(8 << 20);
  return ranks <= kMany ? Bytes(1 << 20) : Bytes(64 << 10);
}

/// Nothing is measured where no program runs.
host::HostParams host_params(const Settings& settings, const RunConfig& config) {
  host::HostParams params = settings.get(host::host_table());
  if (config.played != nullptr) params.compute = host::ComputeModel::none;
  return params;
}

mpi::MpiConfig mpi_config(const Settings& settings, const RunConfig& config) {
  mpi::MpiConfig mpi = settings.get(mpi::mpi_table());
  if (config.played != nullptr) mpi.copy_payload = false;
  return mpi;
}

/// In the order in which they are made: what comes later needs what comes before.
struct ProgramRun::State {
  State(const platform::Platform& platform, const Settings& settings, const RunConfig& config)
      : params(host_params(settings, config)),
        max_step(config.max_step),
        prefix(config.prefix_output),
        program(config.played != nullptr ? nullptr
                                         : host::load_program(program_config(config, params))),
        player(config.played == nullptr ? nullptr : std::make_unique<TracePlayer>(*config.played)),
        simulation(config.seed),
        network(network::make_network(settings.get(network::network_choice_table()).model,
                                      simulation, platform, settings)),
        fibers(simulation, fiber_config(params, config.ranks)),
        job(fibers, platform, what_runs(), job_config(platform, config, params)),
        recorder(config.trace == nullptr ? nullptr : make_recorder(config.trace)),
        portals(job, *network, settings.get(portals::portals_table()), config.faults,
                recorder.get()),
        mpi(job, *network, mpi_config(settings, config), &portals),
        shmem(job, *network, settings.get(shmem::shmem_table()), &portals) {
    if (config.recorded) {
      calls = std::make_unique<TraceRecorder>(job, *config.recorded);
      mpi.set_call_log(calls.get());
    }
    job.set_pid_of([this](const host::Rank& rank) { return pid_of(rank); });
    if (recorder != nullptr)
      job.at_compute([this](const host::Rank& rank, Time begin, Time end) {
        record_computation(rank, begin, end);
      });
  }

  host::Program& what_runs() const {
    if (program != nullptr) return *program;
    return *player;
  }

  std::uint32_t pid_of(const host::Rank& rank) const {
    return portals.physical(static_cast<std::uint32_t>(rank.id())).phys.pid;
  }

  /// Who has ended is known by the number that it had at the start.
  std::optional<std::uint32_t> rank_of(nic::ProcessId process) const {
    if (const portals::Process* found = portals.process_at(process))
      return static_cast<std::uint32_t>(found->rank().id());
    const std::int64_t local = process.pid - portals.config().first_pid;
    const std::span<const host::RankId> ranks = job.ranks_on(process.node);
    if (local < 0 || static_cast<std::size_t>(local) >= ranks.size()) return std::nullopt;
    return static_cast<std::uint32_t>(ranks[static_cast<std::size_t>(local)]);
  }

  std::unique_ptr<trace::Recorder> make_recorder(const trace::Sink& sink) {
    return std::make_unique<trace::Recorder>(
        sink, [this](nic::ProcessId process) { return rank_of(process); });
  }

  void record_computation(const host::Rank& rank, Time begin, Time end) {
    const nic::ProcessId process{rank.node(), pid_of(rank)};
    nic::ActivityRecord record;
    record.activity = nic::Activity::compute;
    record.initiator = record.target = process;
    record.start = begin;
    record.end = end;
    recorder->ended(record);
  }

  HostUse before = usage();
  host::HostParams params;
  Time max_step;
  bool prefix;
  std::unique_ptr<host::HostedProgram> program;  ///< Or null, where there is a
  std::unique_ptr<TracePlayer> player;
  Simulation simulation;
  std::unique_ptr<network::Network> network;
  FiberScheduler fibers;
  host::Job job;
  std::unique_ptr<trace::Recorder> recorder;  ///< Or null.
  portals::Machine portals;
  std::unique_ptr<TraceRecorder> calls;  ///< Or null.
  mpi::World mpi;
  shmem::World shmem;
};

ProgramRun::ProgramRun(const platform::Platform& platform, const Settings& settings,
                       const RunConfig& config)
    : state_(std::make_unique<State>(platform, settings, config)) {
  if (config.check_mpi) state_->mpi.want_check();
  if (config.message_pairs) state_->mpi.messages().want_pairs();
  if (config.debug_rank) state_->program->stop_before_main(host::RankId{*config.debug_rank});
}

ProgramRun::~ProgramRun() = default;

void ProgramRun::run() {
  try {
    run_ranks();
  } catch (const RunError&) {
    // What went wrong is what a trace is looked at for.
    finish_trace();
    throw;
  }
  finish_trace();
}

void ProgramRun::run_ranks() {
  const host::CrashHandler crashes;
  const host::SpinWatch watch({state_->params.spin_patience, state_->max_step});
  std::optional<host::ProcessorCounter> counter;
  const host::HostedProgram* program = state_->program.get();
  if (program != nullptr && program->reads_counter()) counter.emplace();
  const host::RankStreams streams(state_->prefix);
  std::optional<host::RawSystemCalls> calls;
  if (program != nullptr && program->waits_by_itself()) calls.emplace();
  try {
    do {
      state_->simulation.run();
    } while (host::Spinners::instance().last_resort());
    state_->fibers.run();
    streams.check();
  } catch (const DeadlockError& error) {
    state_->job.flush_lines();
    const std::string stuck = state_->portals.adapters().stuck();
    const std::string circle = state_->mpi.waiting_circle();
    throw DeadlockError(error.what() + (circle.empty() ? "" : "\n  in a circle: " + circle) +
                        failed_ranks(state_->job) + (stuck.empty() ? "" : "\n" + stuck));
  } catch (const RunError&) {
    state_->job.flush_lines();
    throw;
  }
}

void ProgramRun::finish_trace() {
  if (state_->recorder != nullptr) state_->recorder->finish();
}

mpi::World& ProgramRun::mpi() {
  return state_->mpi;
}
TraceRecorder& ProgramRun::recorder() {
  return *state_->calls;
}
shmem::World& ProgramRun::shmem() {
  return state_->shmem;
}
Simulation& ProgramRun::simulation() {
  return state_->simulation;
}
host::Job& ProgramRun::job() {
  return state_->job;
}

std::string ProgramRun::privatization() const {
  if (state_->program == nullptr) return "none";
  const host::Privatization how = state_->program->privatization();
  return how == host::Privatization::copies ? "copies"
         : how == host::Privatization::swap ? "swap"
                                            : "none";
}

Time ProgramRun::end() const {
  Time end;
  for (std::uint32_t r = 0; r < state_->job.size(); ++r)
    end = std::max(end, state_->job.rank(host::RankId{r}).times().end);
  return end;
}

int ProgramRun::status() const {
  for (std::uint32_t r = 0; r < state_->job.size(); ++r) {
    if (const int status = state_->job.status(host::RankId{r})) return status;
  }
  return 0;
}

nic::AdapterStatistics ProgramRun::traffic() const {
  nic::AdapterStatistics sum;
  const std::uint32_t nodes = state_->job.platform().nodes();
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const nic::AdapterStatistics one = state_->portals.adapters().statistics(NodeId{n});
    sum.commands += one.commands;
    sum.requests += one.requests;
    sum.retransmissions += one.retransmissions;
    sum.given_up += one.given_up;
    sum.dropped += one.dropped;
    sum.corrupted += one.corrupted;
  }
  return sum;
}

HostUse ProgramRun::host_use() const {
  const HostUse now = usage();
  return {now.processor_seconds - state_->before.processor_seconds,
          now.memory - state_->before.memory};
}

}  // namespace heddle::run
