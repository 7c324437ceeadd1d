#include "run/program_run.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "core/error.hpp"
#include "host/crash.hpp"
#include "host/hosted_program.hpp"
#include "host/streams.hpp"

namespace heddle::run {
namespace {

/// Each guarded stack takes two of the mappings that the kernel allows.
constexpr std::uint32_t kMostGuarded = 8192;

FiberConfig fiber_config(const host::HostParams& params, std::uint32_t ranks) {
  return {stack_size(params, ranks), ranks, ranks <= kMostGuarded};
}

host::ProgramConfig program_config(const RunConfig& config, const host::HostParams& params) {
  return {config.program, config.arguments, params.privatize, config.ranks};
}

rusage usage() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return use;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

double processor_seconds(const rusage& use) {
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace

Bytes stack_size(const host::HostParams& params, std::uint32_t ranks) {
  if (params.stack) return *params.stack;
  constexpr std::uint32_t kFew = 4096;
  constexpr std::uint32_t kMany = 65'536;
  if (ranks <= kFew) return Bytes(8 << 20);
  return ranks <= kMany ? Bytes(1 << 20) : Bytes(64 << 10);
}

/// In the order in which they are made: what comes later needs what comes before.
struct ProgramRun::State {
  State(const platform::Platform& platform, const Settings& settings, const RunConfig& config)
      : params(settings.get(host::host_table())),
        max_step(config.max_step),
        prefix(config.prefix_output),
        program(host::load_program(program_config(config, params))),
        simulation(config.seed),
        network(network::make_network(settings.get(network::network_choice_table()).model,
                                      simulation, platform, settings)),
        fibers(simulation, fiber_config(params, config.ranks)),
        job(fibers, platform, *program, {config.ranks, config.ranks_per_node, params}) {}

  rusage before = usage();
  host::HostParams params;
  Time max_step;
  bool prefix;
  std::unique_ptr<host::HostedProgram> program;
  Simulation simulation;
  std::unique_ptr<network::Network> network;
  FiberScheduler fibers;
  host::Job job;
};

ProgramRun::ProgramRun(const platform::Platform& platform, const Settings& settings,
                       const RunConfig& config)
    : state_(std::make_unique<State>(platform, settings, config)) {
  if (config.debug_rank) state_->program->stop_before_main(host::RankId{*config.debug_rank});
}

ProgramRun::~ProgramRun() = default;

void ProgramRun::run() {
  const host::CrashHandler crashes(state_->max_step);
  const host::RankStreams streams(state_->prefix);
  try {
    state_->fibers.run();
  } catch (...) {
    state_->job.flush_lines();
    throw;
  }
}

Simulation& ProgramRun::simulation() {
  return state_->simulation;
}
host::Job& ProgramRun::job() {
  return state_->job;
}

std::string ProgramRun::privatization() const {
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

HostUse ProgramRun::host_use() const {
  const rusage now = usage();
  constexpr std::int64_t kKiB = 1024;
  return {processor_seconds(now) - processor_seconds(state_->before),
          Bytes((now.ru_maxrss - state_->before.ru_maxrss) * kKiB)};
}

}  // namespace heddle::run
