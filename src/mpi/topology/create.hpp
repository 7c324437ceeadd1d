// Making communicators with topologies.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "mpi/comm/topology.hpp"

namespace heddle::mpi {

// All are collective over `parent`, and answer MPI_COMM_NULL where the process is not in the new
// communicator. They throw Error for what cannot be.

int create_cartesian(Communicator& parent, std::span<const int> sizes,
                     std::span<const int> periods);
/// Of the dimensions that remain; one communicator for each place in the others.
int create_subgrid(Communicator& parent, std::span<const int> remain);
int create_graph(Communicator& parent, std::span<const int> ends, const int* edges);

/// Edges that a rank knows of: `sources[i]` has `degrees[i]` of the destinations.
struct KnownEdges {
  std::span<const int> sources;
  std::span<const int> degrees;
  const int* destinations = nullptr;
  const int* weights = nullptr;  ///< Null: unweighted.
};
int create_distributed_graph(Communicator& parent, const KnownEdges& edges, bool weighted);
/// The rank's own edges.
int create_adjacent_graph(Communicator& parent, DistributedGraphTopology::Edges edges,
                          bool weighted);

}  // namespace heddle::mpi
