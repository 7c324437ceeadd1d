#include "shmem/world.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace heddle::shmem {
namespace {

const host::Slot slot;  ///< Of OpenSHMEM, in jobs.

/// Collectives that OpenSHMEM does not have are chosen by nobody.
ShmemConfig complete(const ShmemConfig& config) {
  ShmemConfig all = config;
  for (const auto member : coll::kAlgorithmMembers) {
    std::string& name = all.*member;
    if (name.empty()) name = coll::CollConfig::kAuto;
  }
  return all;
}

std::size_t heap_size(const ShmemConfig& config, std::size_t pes) {
  constexpr std::size_t kMost = std::size_t{256} << 20;
  constexpr std::size_t kTogether = std::size_t{16} << 40;
  if (config.heap) return static_cast<std::size_t>(config.heap->count());
  return std::min(kMost, kTogether / pes);
}

}  // namespace

World::World(host::Job& job, network::Network& network, const ShmemConfig& config)
    : job_(job),
      network_(network),
      config_(complete(config)),
      selector_(config_),
      pes_(job.size()),
      teams_(job) {
  job.extensions().at(slot) = this;
  job.ends().tell([this](host::Rank& rank) {
    // Ranks that programs have started are no PEs.
    if (index(rank.id()) >= pes_.size()) return;
    if (Pe* pe = pes_[index(rank.id())].get()) pe->gone = true;
  });
}

World::~World() {
  job_.extensions().at(slot) = nullptr;
}

World* World::of(host::Job& job) {
  return static_cast<World*>(job.extensions().at(slot));
}

Pe& World::pe(std::uint32_t number) {
  if (number >= pes_.size()) {
    job_.rank(host::RankId{number})
        .ending()
        .fail_job(
            fmt::format("rank {}: OpenSHMEM: MPI_Comm_spawn has started it after the PEs", number));
  }
  std::unique_ptr<Pe>& place = pes_[number];
  if (place == nullptr) place = std::make_unique<Pe>(*this, job_.rank(host::RankId{number}));
  return *place;
}

SymmetricMemory& World::memory(std::optional<std::size_t> heap) {
  if (memory_ == nullptr) {
    constexpr std::size_t kPage = 4096;
    const std::size_t size = heap.value_or(heap_size(config_, job_.size()));
    memory_ = std::make_unique<SymmetricMemory>(job_, (size + kPage - 1) / kPage * kPage);
  }
  return *memory_;
}

}  // namespace heddle::shmem
