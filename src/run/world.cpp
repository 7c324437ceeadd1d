#include "run/world.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/error.hpp"
#include "host/program/load_program.hpp"
#include "platform/noise.hpp"

namespace heddle::run {
namespace {

using Programs = std::vector<std::unique_ptr<host::HostedProgram>>;

bool is_played(const WorldConfig& config) {
  return config.played != nullptr || config.schedule != nullptr || config.functions != nullptr;
}

/// Nothing is measured where no program runs.
host::HostParams host_params(const Surroundings& around, const WorldConfig& config) {
  host::HostParams params = around.settings.get(host::host_table());
  if (is_played(config)) params.compute = host::ComputeModel::none;
  return params;
}

mpi::MpiConfig mpi_config(const Surroundings& around, const WorldConfig& config) {
  mpi::MpiConfig mpi = around.settings.get(mpi::mpi_table());
  if (is_played(config)) mpi.copy_payload = false;
  return mpi;
}

/// Where a program to be started is: as it is named, or in one of the folders to search.
std::string find_program(const mpi::SpawnCommand& command) {
  if (command.program.find('/') != std::string::npos) return command.program;
  std::string folder;
  for (std::istringstream folders(command.search + ":."); std::getline(folders, folder, ':');) {
    const std::filesystem::path place = std::filesystem::path(folder) / command.program;
    if (!folder.empty() && std::filesystem::exists(place)) return place.string();
  }
  return command.program;
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
host::Job& complete(host::Job& job, const WorldConfig& config,
                    const std::vector<host::Program*>& programs) {
  for (std::size_t i = 1; i < programs.size(); ++i) {
    const std::span<const NodeId> nodes(config.nodes);
    job.add_ranks(*programs[i], nodes.subspan(job.size(), config.parts[i].ranks));
  }
  return job;
}

}  // namespace

Hosting hosting_of(const std::string& path) {
  const std::string found = processes::find_program(path);
  return found.empty() || host::can_be_loaded(found) ? Hosting::inside : Hosting::processes;
}

World::World(const Surroundings& around, const WorldConfig& config)
    : fibers_(around.fibers),
      params_(host_params(around, config)),
      private_libraries_(config.private_libraries),
      patches_(around.patches),
      nodes_(config.nodes),
      place_(config.place),
      job_(around.fibers, around.platform, load(around, config), first_of(around, config)),
      portals_(complete(job_, config, all_programs_), around.network,
               around.settings.get(portals::portals_table()), around.faults, around.observer),
      mpi_(job_, around.network, mpi_config(around, config), &portals_),
      shmem_(job_, around.network, around.settings.get(shmem::shmem_table()), &portals_) {
  if (config.fidelity.wanted()) make_levels(around, config.fidelity);
  if (config.recorded) {
    calls_ = std::make_unique<TraceRecorder>(job_, *config.recorded);
    mpi_.log_calls(*calls_);
  }
  mpi_.set_spawner(*this);
  std::vector<std::uint32_t> first_ranks;
  std::uint32_t ranks = 0;
  for (const ProgramPart& part : config.parts) {
    first_ranks.push_back(ranks);
    ranks += part.ranks;
  }
  mpi_.set_applications(std::move(first_ranks));
  job_.set_pid_of([this](const host::Rank& rank) {
    return portals_.directory().physical(static_cast<std::uint32_t>(rank.id())).phys.pid;
  });
}

World::~World() {
  job_.shared().turn().leave();
  fibers_.end();
}

/// Levels share networks of one model, and messages of different ones do not meet.
void World::make_levels(const Surroundings& around, const mpi::FidelityPlan& plan) {
  mpi_.set_levels(plan, [&](const std::string& model) -> network::Network& {
    if (model == around.network_model) return around.network;
    auto& own = networks_[model];
    if (own == nullptr) {
      own = network::make_network(model, job_.simulation(), around.platform, around.settings);
    }
    return *own;
  });
}

/// Answers the first of the programs.
host::Program& World::load(const Surroundings& around, const WorldConfig& config) {
  if (config.functions != nullptr) return *config.functions;
  if (config.schedule != nullptr) {
    player_ = std::make_unique<SchedulePlayer>(*config.schedule,
                                               around.settings.get(replay::replay_table()));
    return *player_;
  }
  if (config.played != nullptr) {
    player_ = std::make_unique<TracePlayer>(*config.played);
    return *player_;
  }
  std::uint32_t first = 0;
  for (const ProgramPart& part : config.parts) {
    if (part.hosting == Hosting::processes) {
      processes_.push_back(std::make_unique<processes::ProcessProgram>(processes::ProcessConfig{
          part.path, part.arguments, part.ranks, first, config.processes.environment,
          config.processes.parallel, config.processes.max_step, config.processes.counts}));
      all_programs_.push_back(processes_.back().get());
    } else {
      programs_.push_back(host::load_program({part.path,
                                              part.arguments,
                                              params_.privatize,
                                              part.ranks,
                                              config.private_libraries,
                                              first,
                                              {},
                                              config.own_threads,
                                              around.patches}));
      all_programs_.push_back(programs_.back().get());
    }
    first += part.ranks;
  }
  return *all_programs_.front();
}

std::vector<NodeId> World::places_for(std::uint32_t more) const {
  const std::uint32_t before = job_.size();
  std::vector<NodeId> all = nodes_;
  try {
    if (place_) all = place_(before + more);
  } catch (const InputError&) {
    // The machine is full.
  }
  std::vector<NodeId> places;
  for (std::uint32_t r = before; r < before + more; ++r) places.push_back(all[r % all.size()]);
  return places;
}

void World::spawn(const std::vector<mpi::SpawnCommand>& commands) {
  if (calls_ != nullptr) {
    throw InputError({}, "a run that is recorded cannot start further processes");
  }
  // The loader and the C library are the simulator's own meanwhile.
  job_.shared().turn().leave();
  const std::uint32_t first = job_.size();
  Programs loaded;
  std::uint32_t next = first;
  for (const mpi::SpawnCommand& command : commands) {
    loaded.push_back(host::load_program({find_program(command), command.arguments,
                                         params_.privatize, command.processes, private_libraries_,
                                         next, command.folder, false, patches_}));
    next += command.processes;
  }
  const std::vector<NodeId> places = places_for(next - first);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    job_.add_ranks(*loaded[i],
                   std::span(places).subspan(job_.size() - first, commands[i].processes));
    programs_.push_back(std::move(loaded[i]));
  }
  portals_.grow();
}

void World::stop_before_main(host::RankId rank) {
  for (const auto& program : programs_) program->stop_before_main(rank);
}

Time World::end() {
  Time end;
  for (std::uint32_t r = 0; r < job_.size(); ++r) {
    end = std::max(end, job_.rank(host::RankId{r}).account().times().end);
  }
  return end;
}

int World::status() {
  for (std::uint32_t r = 0; r < job_.size(); ++r) {
    if (const int status = job_.ends().status(host::RankId{r})) return status;
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
    all += portals_.adapters().statistics(NodeId{n});
  }
  return all;
}

}  // namespace heddle::run
