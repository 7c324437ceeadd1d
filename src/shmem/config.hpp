// What OpenSHMEM costs: section `shmem` of the parameters.
#pragma once

#include <cstdint>
#include <optional>

#include "coll/costs/piecewise.hpp"
#include "coll/costs/transport_config.hpp"
#include "coll/rules/coll_config.hpp"
#include "core/params.hpp"

namespace heddle::shmem {

using coll::TransportKind;

/// Who carries out collectives.
enum class CollectivesBy : std::uint8_t { software, adapters };

/// Collectives take the algorithms of MPI's, so they are chosen by the same parameters.
struct ShmemConfig : coll::CollConfig, coll::TransportConfig {
  CollectivesBy collectives = CollectivesBy::adapters;
  Bytes triggered_limit;
  std::optional<Bytes> heap;
  Bytes copy_limit;
  coll::Overheads put_overhead;
  coll::Overheads get_overhead;
  coll::Overheads atomic_overhead;
  coll::Overheads receive_overhead;
  Time quiet_overhead;
  Time trigger_overhead;
};

const ParamTable<ShmemConfig>& shmem_table();

}  // namespace heddle::shmem
