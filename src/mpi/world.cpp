#include "mpi/world.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "mpi/check/check.hpp"
#include "mpi/collectives/collectives.hpp"
#include "mpi/comm/dynamic.hpp"
#include "mpi/comm/registry.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/io/file.hpp"
#include "mpi/p2p/point_request.hpp"
#include "mpi/process.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/transport/fidelity.hpp"
#include "mpi/transport/hybrid.hpp"
#include "mpi/transport/portals.hpp"

namespace heddle::mpi {

namespace {

std::unique_ptr<Transport> make_transport(World& world, portals::Machine* portals) {
  if (world.config().transport == TransportKind::portals && portals != nullptr) {
    return std::make_unique<PortalsTransport>(world, *portals);
  }
  return std::make_unique<HybridTransport>(world, world.network());
}

}  // namespace

World::World(host::Job& job, network::Network& network, const MpiConfig& config,
             portals::Machine* portals)
    : job_(job),
      simulation_(job.simulation()),
      network_(network),
      config_(config.resolved()),
      processes_(job.size()),
      registry_(std::make_unique<Registry>(job.size())),
      point_requests_(std::make_unique<PointRequests>()),
      engine_(std::make_unique<Engine>(*this, make_transport(*this, portals))),
      collectives_(std::make_unique<collectives::Collectives>(*this)) {
  job.set_extension(host::Layer::mpi, this);
  job.at_end([this](host::Rank& rank) {
    if (Process* process = processes_[index(rank.id())]) engine_->ended(*process);
  });
}

Process& World::make_process(std::uint32_t id) {
  host::Rank& rank = job_.rank(host::RankId{id});
  auto process = std::make_unique<Process>(*this, rank);
  Process& made = *process;
  rank.extension(host::Layer::mpi) = std::move(process);
  return made;
}

World::~World() {
  job_.set_extension(host::Layer::mpi, nullptr);
}

void World::set_fidelity(std::unique_ptr<Fidelity> fidelity) {
  fidelity_ = std::move(fidelity);
}

RmaState& World::rma() {
  if (!rma_) rma_ = std::make_unique<RmaState>(*this);
  return *rma_;
}

IoState& World::io() {
  if (!io_) io_ = std::make_unique<IoState>(*this);
  return *io_;
}

Ports& World::ports() {
  if (!ports_) ports_ = std::make_unique<Ports>();
  return *ports_;
}

void World::spawn(const std::vector<SpawnCommand>& commands) {
  if (spawner_ == nullptr) throw InputError({}, "this run cannot start further processes");
  spawner_->spawn(commands);
  processes_.resize(job_.size());
}

void World::want_check() {
  check_ = std::make_unique<Check>();
}

std::string World::waiting_circle() const {
  constexpr std::uint32_t kNobody = UINT32_MAX;
  constexpr std::size_t kShown = 16;
  const auto awaited = [&](std::uint32_t id) {
    const Process* process = processes_[id];
    const Blocked* reason = process == nullptr ? nullptr : process->blocked();
    return reason == nullptr ? kNobody : reason->peer().value_or(kNobody);
  };
  // Whoever is met twice by those that started with the same rank stands in a circle.
  std::vector<std::uint32_t> seen(processes_.size(), kNobody);
  for (std::uint32_t start = 0; start < size(); ++start) {
    std::uint32_t at = start;
    for (; at != kNobody && seen[at] == kNobody; at = awaited(at)) seen[at] = start;
    if (at == kNobody || seen[at] != start) continue;
    std::string text = fmt::format("rank {} waits for rank {}", at, awaited(at));
    std::size_t shown = 1;
    for (std::uint32_t next = awaited(at); next != at; next = awaited(next)) {
      if (++shown <= kShown) text += fmt::format(", which waits for rank {}", awaited(next));
    }
    return shown <= kShown ? text : text + fmt::format(", and so on: {} ranks", shown);
  }
  return "";
}

bool World::ended_unfinalised(std::uint32_t id) const {
  const Process* process = processes_[id];
  return process != nullptr && process->phase == Phase::initialised &&
         process->rank().fiber().finished();
}

World* World::of(host::Job& job) {
  return static_cast<World*>(job.extension(host::Layer::mpi));
}

}  // namespace heddle::mpi
