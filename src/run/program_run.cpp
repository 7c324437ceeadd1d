#include "run/program_run.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <span>

#include "core/error.hpp"
#include "host/libc/streams.hpp"
#include "host/memory/heap.hpp"
#include "host/program/crash_handler.hpp"
#include "host/program/loading/raw_system_calls.hpp"
#include "host/program/loading/turn_stubs.hpp"
#include "host/rank/processor_counter.hpp"
#include "host/rank/spin_watch.hpp"
#include "host/rank/ticker.hpp"
#include "network/network.hpp"
#include "platform/platform.hpp"
#include "run/link_waits.hpp"
#include "run/one_thread.hpp"
#include "run/step_observer.hpp"
#include "run/world_configs.hpp"

namespace heddle::run {
namespace {

/// Each takes two of the mappings that the kernel allows.
constexpr std::uint32_t kMostGuards = 8192;

/// Processes that programs may have started, and that have not ended, at a time.
constexpr std::uint32_t kMostSpawned = 1024;

/// Stacks for processes that may be started, besides those of the ranks. Where the address space is
/// limited, as batch systems do, they take no more than a quarter of it.
std::uint32_t spare_stacks(Bytes stack) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMostSpawned;
  const auto fitting = limit.rlim_cur / 4 / static_cast<rlim_t>(stack.count());
  return static_cast<std::uint32_t>(std::min<rlim_t>(kMostSpawned, fitting));
}

FiberConfig fiber_config(const host::HostParams& params, std::uint32_t ranks) {
  const Bytes stack = stack_size(params, ranks);
  return {stack, ranks + spare_stacks(stack), (ranks + kMostGuards - 1) / kMostGuards};
}

/// Of adapters there is one set: the network that they need, or the one of the settings.
std::string network_model(const Settings& settings, const RunConfig& config) {
  std::string found;
  for (const mpi::FidelityLevel& level : config.fidelity.levels) {
    if (level.transport != "portals" || level.network == found) continue;
    if (!found.empty()) {
      throw ParamError({"fidelity"}, "portals over " + found + " and over " + level.network +
                                         ": accepted is one network for portals");
    }
    found = level.network;
  }
  return found.empty() ? settings.get(network::network_choice_table()).model : found;
}

host::RankStreams::Lines lines_of(const RunConfig& config) {
  using Lines = host::RankStreams::Lines;
  if (config.drop_output) return Lines::dropped;
  return config.prefix_output ? Lines::prefixed : Lines::plain;
}

/// Lines about ranks that others may wait for in vain: they have ended, and not well.
std::string failed_ranks(World& world) {
  constexpr std::uint32_t kShown = 5;
  std::string text;
  std::uint32_t failed = 0;
  host::Job& job = world.job();
  for (std::uint32_t r = 0; r < job.size(); ++r) {
    const int status = job.ends().status(host::RankId{r});
    const bool unfinalised = world.mpi().ended_unfinalised(r);
    if ((status != 0 || unfinalised) && failed++ < kShown) {
      text += fmt::format("\n  {} has ended with status {}{}", job.rank(host::RankId{r}).name(),
                          status, unfinalised ? ", without MPI_Finalize" : "");
    }
  }
  if (failed > kShown) text += fmt::format("\n  and {} more that have ended so", failed - kShown);
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

std::uint32_t RunConfig::ranks() const {
  std::uint32_t ranks = 0;
  for (const ProgramPart& part : programs) ranks += part.ranks;
  return ranks;
}

/// In the order in which they are made: what comes later needs what comes before.
struct ProgramRun::State {
  State(const platform::Platform& platform, const Settings& settings, const RunConfig& config)
      : params(settings.get(host::host_table())),
        max_step(config.max_step),
        threads(config.threads),
        one_thread(one_thread_for(config, params)),
        lines(lines_of(config)),
        ticked(config.ticked),
        faults(config.faults),
        simulation(config.seed),
        model(network_model(settings, config)),
        network(network::make_network(model, simulation, platform, settings)),
        fibers(simulation, fiber_config(params, config.ranks())),
        processor_use(config.ranks(), params, config.max_step),
        kept(config.share_pages == host::SharePages::all),
        sampled(config.sampled),
        recorder(config.trace == nullptr ? nullptr : make_recorder(config.trace)),
        recording(config.recorder),
        steps(recorder.get(), recording,
              [this](nic::ProcessId process) { return rank_of(process); }) {
    nic::Observer* const observer = recorder == nullptr && recording == nullptr ? nullptr : &steps;
    const bool several = threads > 1 && one_thread.empty();
    if (config.sampled_loops) loops.emplace(*config.sampled_loops, params, config.seed);
    const host::CallPatches patches{&sampled, several ? &turns : nullptr, loops ? &*loops : nullptr,
                                    config.share_pages == host::SharePages::none ? nullptr : &kept};
    const Surroundings around{platform, settings, fibers,   *network,
                              model,    faults,   observer, patches};
    if (recording != nullptr) {
      recording->at_least(config.ranks());
      recording->watch_links(static_cast<std::uint32_t>(network->carried().size()),
                             [this] { return network->carried(); });
      recording->watch_waits(waits_of(*network));
    }
    for (WorldConfig& world : world_configs(platform, config)) {
      world.beside = worlds.empty() ? nullptr : &worlds.front().job();
      world.own_threads = several;
      add(worlds.emplace_back(around, world));
    }
    host::SharedRun& shared = worlds.front().job().shared();
    shared.set_processor_use(&processor_use);
    shared.set_sampled(&sampled);
    sampled.check();
    if (loops) check_loops();
    if (several) one_thread = one_thread_for(worlds, turns);
  }

  /// The first lends the others what all share.
  ~State() {
    while (!worlds.empty()) worlds.pop_back();
  }

  /// Code of other processes is not seen.
  void check_loops() const {
    const auto refuse = [](const char* what) { throw InputError({"sampled loops"}, what); };
    if (params.compute == host::ComputeModel::fixed) {
      refuse(
          "where stretches have a fixed cost, whatever they compute, none can be found: accepted "
          "is "
          "computation that is counted, measured or free");
    }
    for (const World& world : worlds) {
      if (!world.has_processes()) continue;
      refuse("ranks are processes: accepted are programs that run inside of the simulator");
    }
  }

  void add(World& world) {
    world.job().set_recorder({recording, recorded});
    world.mpi().record_messages();
    recorded += world.job().size();
    world.job().ends().tell([this](host::Rank&) { ++ended; });
    if (recorder == nullptr) return;
    world.job().processors().tell(
        [this](host::Rank& rank, Time begin, Time end) { record_computation(rank, begin, end); });
  }

  /// The number of a rank among all of the run.
  std::optional<std::uint32_t> rank_of(nic::ProcessId process) {
    std::uint32_t first = 0;
    for (World& world : worlds) {
      if (const auto rank = rank_in(world, process)) return first + *rank;
      first += world.job().size();
    }
    return std::nullopt;
  }

  /// Who has ended is known by the number that it had at the start.
  static std::optional<std::uint32_t> rank_in(World& world, nic::ProcessId process) {
    if (const portals::Process* found = world.portals().directory().process_at(process)) {
      return static_cast<std::uint32_t>(found->rank().id());
    }
    const std::int64_t local = process.pid - world.portals().config().first_pid;
    const std::span<const host::RankId> ranks = world.job().ranks_on(process.node);
    if (local < 0 || static_cast<std::size_t>(local) >= ranks.size()) return std::nullopt;
    return static_cast<std::uint32_t>(ranks[static_cast<std::size_t>(local)]);
  }

  std::unique_ptr<trace::Recorder> make_recorder(const trace::Sink& sink) {
    return std::make_unique<trace::Recorder>(
        sink, [this](nic::ProcessId process) { return rank_of(process); });
  }

  void record_computation(host::Rank& rank, Time begin, Time end) {
    const nic::ProcessId process{rank.node(), rank.job().pid_of(rank)};
    nic::ActivityRecord record;
    record.activity = nic::Activity::compute;
    record.initiator = record.target = process;
    record.start = begin;
    record.end = end;
    recorder->ended(record);
  }

  /// Whether any program says so.
  bool any(bool (host::HostedProgram::*property)() const) const {
    return std::any_of(worlds.begin(), worlds.end(), [&](const World& world) {
      return std::any_of(world.programs().begin(), world.programs().end(),
                         [&](const auto& program) { return ((*program).*property)(); });
    });
  }

  HostUse before = usage();
  host::HostParams params;
  Time max_step;
  std::uint32_t threads;
  std::string one_thread;  ///< Why no more, or empty.
  host::RankStreams::Lines lines;
  host::Ticked* ticked;
  nic::Faults faults;
  Simulation simulation;
  std::string model;
  std::unique_ptr<network::Network> network;
  FiberScheduler fibers;
  host::ProcessorUse processor_use;
  host::KeptOnce kept;
  host::SampledFunctions sampled;
  host::TurnStubs turns;
  std::optional<host::LoopSampler> loops;
  std::unique_ptr<trace::Recorder> recorder;  ///< Or null.
  record::RunRecorder* recording;             ///< Or null.
  std::uint32_t recorded = 0;                 ///< Ranks of the worlds so far.
  std::uint32_t ended = 0;                    ///< Ranks.
  StepObserver steps;
  std::deque<World> worlds;
};

ProgramRun::ProgramRun(const platform::Platform& platform, const Settings& settings,
                       const RunConfig& config) {
  host::prepare_heap(config.ranks(), config.share_pages == host::SharePages::all);
  state_ = std::make_unique<State>(platform, settings, config);
  for (World& world : state_->worlds) {
    if (config.check_mpi) world.mpi().want_check();
    if (config.message_pairs) {
      world.mpi().messages().want_pairs();
      world.shmem().messages().want_pairs();
    }
    if (config.debug_rank) world.stop_before_main(host::RankId{*config.debug_rank});
  }
}

ProgramRun::~ProgramRun() = default;

void ProgramRun::run() {
  try {
    run_ranks();
  } catch (const RunError&) {
    // What went wrong is what a trace is looked at for.
    finish_trace(state_->simulation.now());
    throw;
  }
  finish_trace(end());
}

void ProgramRun::run_ranks() {
  const host::CrashHandler crashes;
  host::Waiters& waiters = state_->worlds.front().job().shared().waiters();
  const host::SpinWatch watch(waiters, {state_->params.spin_patience, state_->max_step});
  const host::Ticker ticker(state_->processor_use, state_->ticked);
  std::optional<host::ProcessorCounter> counter;
  if (state_->any(&host::HostedProgram::reads_counter)) counter.emplace();
  if (state_->loops) state_->loops->handle_traps();
  const host::RankStreams streams(state_->worlds.front().job().shared(), state_->lines);
  std::optional<host::RawSystemCalls> calls;
  if (state_->any(&host::HostedProgram::waits_by_itself)) calls.emplace();
  if (state_->threads > 1 && state_->one_thread.empty()) {
    state_->fibers.run_ahead(state_->threads);
    state_->fibers.ahead()->disturb(static_cast<std::uint64_t>(state_->params.disturb_threads));
  }
  try {
    do {
      state_->fibers.run_events();
    } while (waiters.spinners.last_resort());
    state_->fibers.run();
    streams.check();
  } catch (const DeadlockError& error) {
    flush_lines();
    throw DeadlockError(error.what() + circumstances());
  } catch (const RunError&) {
    flush_lines();
    throw;
  }
}

void ProgramRun::flush_lines() {
  for (World& world : state_->worlds) world.job().flush_lines();
}

/// What else is known of a deadlock.
std::string ProgramRun::circumstances() {
  std::string text;
  for (World& world : state_->worlds) {
    const std::string circle = world.mpi().waiting_circle();
    if (!circle.empty()) text += "\n  in a circle: " + circle;
    text += failed_ranks(world);
    const std::string stuck = world.portals().adapters().stuck();
    if (!stuck.empty()) text += "\n" + stuck;
  }
  return text;
}

void ProgramRun::finish_trace(Time end) {
  if (state_->recorder != nullptr) state_->recorder->finish();
  if (state_->recording != nullptr) state_->recording->finish(end);
}

const std::string& ProgramRun::one_thread() const {
  return state_->one_thread;
}

const std::string& ProgramRun::network() const {
  return state_->model;
}

std::vector<host::SampledLoop> ProgramRun::sampled_loops() const {
  return state_->loops ? state_->loops->report() : std::vector<host::SampledLoop>{};
}

Bytes ProgramRun::kept_once() const {
  return Bytes(static_cast<std::int64_t>(state_->kept.saved().bytes));
}

network::Losses ProgramRun::losses() const {
  return state_->network->losses();
}

network::PacketCounts ProgramRun::packets() const {
  return state_->network->packets_arrived();
}

Simulation& ProgramRun::simulation() {
  return state_->simulation;
}
std::deque<World>& ProgramRun::worlds() {
  return state_->worlds;
}

std::string ProgramRun::privatization() const {
  std::set<std::string> ways;
  for (const World& world : state_->worlds) {
    for (const auto& program : world.programs()) {
      const host::Privatization how = program->privatization();
      ways.insert(how == host::Privatization::copies ? "copies"
                  : how == host::Privatization::swap ? "swap"
                                                     : "none");
    }
    if (world.has_processes()) ways.insert("processes");
  }
  return ways.empty() ? "none" : joined({ways.begin(), ways.end()});
}

Time ProgramRun::end() const {
  Time end;
  for (World& world : state_->worlds) end = std::max(end, world.end());
  return end;
}

int ProgramRun::status() const {
  for (World& world : state_->worlds) {
    if (const int status = world.status()) return status;
  }
  return 0;
}

std::uint32_t ProgramRun::ended_ranks() const {
  return state_->ended;
}

Computation ProgramRun::computation() const {
  Computation sum;
  sum.model = state_->params.compute;
  for (World& world : state_->worlds) {
    host::Job& job = world.job();
    sum.ranks += job.size();
    for (std::uint32_t r = 0; r < job.size(); ++r) {
      const host::Rank& rank = job.rank(host::RankId{r});
      sum.charged += rank.account().times().computing;
      sum.simulated = std::max(sum.simulated,
                               rank.fiber().finished() ? rank.account().times().end : rank.now());
    }
  }
  sum.here = state_->processor_use.totals(0, sum.ranks);
  sum.spent = Time::us(static_cast<std::int64_t>(host_use().processor_seconds * 1e6));
  return sum;
}

HostUse ProgramRun::host_use() const {
  const HostUse now = usage();
  // The kernel counts a page for each who has it.
  const Bytes again(static_cast<std::int64_t>(state_->kept.saved().counted));
  return {now.processor_seconds - state_->before.processor_seconds,
          now.memory - state_->before.memory - again};
}

}  // namespace heddle::run
