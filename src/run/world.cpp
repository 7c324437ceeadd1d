#include "run/world.hpp"

#include <algorithm>

#include "platform/noise.hpp"

namespace heddle::run {
namespace {

using Programs = std::vector<std::unique_ptr<host::HostedProgram>>;

Programs load(const WorldConfig& config, const host::HostParams& params) {
  Programs programs;
  if (config.played != nullptr) return programs;
  std::uint32_t first = 0;
  for (const ProgramPart& part : config.parts) {
    programs.push_back(host::load_program({part.path, part.arguments, params.privatize, part.ranks,
                                           config.private_libraries, first}));
    first += part.ranks;
  }
  return programs;
}

/// Nothing is measured where no program runs.
host::HostParams host_params(const Surroundings& around, const WorldConfig& config) {
  host::HostParams params = around.settings.get(host::host_table());
  if (config.played != nullptr) params.compute = host::ComputeModel::none;
  return params;
}

mpi::MpiConfig mpi_config(const Surroundings& around, const WorldConfig& config) {
  mpi::MpiConfig mpi = around.settings.get(mpi::mpi_table());
  if (config.played != nullptr) mpi.copy_payload = false;
  return mpi;
}

/// Of the ranks of the first program; the others are added.
host::JobConfig first_of(const Surroundings& around, const WorldConfig& config) {
  const std::uint32_t ranks = config.parts.front().ranks;
  return {.ranks = ranks,
          .host = host_params(around, config),
          .nodes = {config.nodes.begin(), config.nodes.begin() + ranks},
          .noise = around.settings.get(platform::noise_table()),
          .number = config.number,
          .beside = config.beside};
}

/// Adds the ranks of the other programs, for what is made next wants to know their number.
host::Job& complete(host::Job& job, const WorldConfig& config, const Programs& programs) {
  for (std::size_t i = 1; i < programs.size(); ++i) {
    const std::span<const NodeId> nodes(config.nodes);
    job.add_ranks(*programs[i], nodes.subspan(job.size(), config.parts[i].ranks));
  }
  return job;
}

}  // namespace

World::World(const Surroundings& around, const WorldConfig& config)
    : programs_(load(config, host_params(around, config))),
      player_(config.played == nullptr ? nullptr : std::make_unique<TracePlayer>(*config.played)),
      job_(around.fibers, around.platform, first_program(), first_of(around, config)),
      portals_(complete(job_, config, programs_), around.network,
               around.settings.get(portals::portals_table()), around.faults, around.observer),
      mpi_(job_, around.network, mpi_config(around, config), &portals_),
      shmem_(job_, around.network, around.settings.get(shmem::shmem_table()), &portals_) {
  if (config.recorded) {
    calls_ = std::make_unique<TraceRecorder>(job_, *config.recorded);
    mpi_.set_call_log(calls_.get());
  }
  job_.set_pid_of([this](const host::Rank& rank) {
    return portals_.physical(static_cast<std::uint32_t>(rank.id())).phys.pid;
  });
}

host::Program& World::first_program() const {
  if (player_ != nullptr) return *player_;
  return *programs_.front();
}

void World::stop_before_main(host::RankId rank) {
  for (const auto& program : programs_) program->stop_before_main(rank);
}

Time World::end() {
  Time end;
  for (std::uint32_t r = 0; r < job_.size(); ++r) {
    end = std::max(end, job_.rank(host::RankId{r}).times().end);
  }
  return end;
}

int World::status() {
  for (std::uint32_t r = 0; r < job_.size(); ++r) {
    if (const int status = job_.status(host::RankId{r})) return status;
  }
  return 0;
}

std::uint32_t World::nodes() const {
  std::uint32_t used = 0;
  for (std::uint32_t n = 0; n < job_.platform().nodes(); ++n) {
    used += job_.ranks_on(NodeId{n}).empty() ? 0 : 1;
  }
  return used;
}

nic::AdapterStatistics World::traffic() {
  nic::AdapterStatistics all;
  for (std::uint32_t n = 0; n < job_.platform().nodes(); ++n) {
    all = sum(all, portals_.adapters().statistics(NodeId{n}));
  }
  return all;
}

nic::AdapterStatistics sum(const nic::AdapterStatistics& a, const nic::AdapterStatistics& b) {
  return {.commands = a.commands + b.commands,
          .requests = a.requests + b.requests,
          .retransmissions = a.retransmissions + b.retransmissions,
          .given_up = a.given_up + b.given_up,
          .dropped = a.dropped + b.dropped,
          .corrupted = a.corrupted + b.corrupted};
}

}  // namespace heddle::run
