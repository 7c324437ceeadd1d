// How the algorithms of collectives are chosen: parameters of the section `mpi`.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "coll/rules/rules_file.hpp"
#include "core/params.hpp"

namespace heddle::coll {

struct CollConfig {
  std::string selector;                   ///< One of libraries().
  std::string rules;                      ///< A file of Open MPI's dynamic rules, or empty.
  OpenMpi rules_version = OpenMpi::v4_1;  ///< Whose numbers that has.
  Bytes segment;
  std::int64_t radix = 0;
  // Names of algorithms; "auto": as the rules say.
  std::string barrier, bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall,
      alltoallv, alltoallw, reduce, allreduce, reduce_scatter, reduce_scatter_block, scan, exscan,
      neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
      neighbor_alltoallw;

  static constexpr const char* kAuto = "auto";
};

/// The members for the names, by collective.
inline constexpr std::array<std::string CollConfig::*, kCollectives> kAlgorithmMembers = {
    &CollConfig::barrier,
    &CollConfig::bcast,
    &CollConfig::gather,
    &CollConfig::gatherv,
    &CollConfig::scatter,
    &CollConfig::scatterv,
    &CollConfig::allgather,
    &CollConfig::allgatherv,
    &CollConfig::alltoall,
    &CollConfig::alltoallv,
    &CollConfig::alltoallw,
    &CollConfig::reduce,
    &CollConfig::allreduce,
    &CollConfig::reduce_scatter,
    &CollConfig::reduce_scatter_block,
    &CollConfig::scan,
    &CollConfig::exscan,
    &CollConfig::neighbor_allgather,
    &CollConfig::neighbor_allgatherv,
    &CollConfig::neighbor_alltoall,
    &CollConfig::neighbor_alltoallv,
    &CollConfig::neighbor_alltoallw,
};

}  // namespace heddle::coll
