// What OpenSHMEM costs: section `shmem` of the parameters.
#pragma once

#include <cstdint>
#include <optional>

#include "core/params.hpp"
#include "mpi/coll/coll_config.hpp"
#include "mpi/transport/piecewise.hpp"

namespace heddle::shmem {

/// What operations travel by.
enum class TransportKind : std::uint8_t { hybrid, portals };

/// Who carries out collectives.
enum class CollectivesBy : std::uint8_t { software, adapters };

/// Collectives take the algorithms of MPI's, so they are chosen by the same parameters.
struct ShmemConfig : mpi::coll::CollConfig {
  TransportKind transport = TransportKind::hybrid;
  CollectivesBy collectives = CollectivesBy::adapters;
  Bytes triggered_limit;
  std::optional<Bytes> heap;
  Bytes copy_limit;
  mpi::Overheads put_overhead;
  mpi::Overheads get_overhead;
  mpi::Overheads atomic_overhead;
  mpi::Overheads receive_overhead;
  Time quiet_overhead;
  Time trigger_overhead;
  Time init_cost;
  Bytes envelope;
  mpi::Factors latency_factors;
  mpi::Factors bandwidth_factors;
  std::optional<Time> node_latency;
  std::optional<Bandwidth> node_bandwidth;
};

const ParamTable<ShmemConfig>& shmem_table();

}  // namespace heddle::shmem
