// The collective operations there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::coll {

enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
inline constexpr int kCollectives = 22;

/// "allreduce".
std::string_view name_of(Collective collective);
std::optional<Collective> collective_named(std::string_view name);

}  // namespace heddle::coll
