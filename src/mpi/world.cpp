#include "mpi/world.hpp"

#include <fmt/core.h>

#include "mpi/process.hpp"

namespace heddle::mpi {

World::World(host::Job& job, network::Network& network, const MpiConfig& config,
             portals::Machine* portals)
    : job_(job),
      simulation_(job.simulation()),
      network_(network),
      config_(config.resolved()),
      adapters_(config.transport == TransportKind::portals ? portals : nullptr),
      processes_(job.size()) {
  job.extensions().at(Process::slot) = this;
}

Process& World::make_process(std::uint32_t id) {
  host::Rank& rank = job_.rank(host::RankId{id});
  auto process = std::make_unique<Process>(*this, rank);
  Process& made = *process;
  rank.extensions().at(Process::slot) = std::move(process);
  return made;
}

World::~World() {
  job_.extensions().at(Process::slot) = nullptr;
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
  return static_cast<World*>(job.extensions().at(Process::slot));
}

}  // namespace heddle::mpi
