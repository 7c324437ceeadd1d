// Virtual topologies: who the neighbours of ranks are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

/// What MPI_Topo_test says of a communicator.
enum class TopologyKind : std::uint8_t { graph, cartesian, distributed_graph };

/// Neighbours of a rank; what goes to destination i is its block i, what comes from source i too.
struct Neighbourhood {
  std::vector<int> sources;
  std::vector<int> destinations;
  bool cartesian = false;  ///< Below and above in each dimension, in turn.
};

/// What every kind can say.
class VirtualTopology : public Topology {
 public:
  virtual TopologyKind kind() const = 0;
  virtual Neighbourhood neighbourhood(int rank) const = 0;
};

/// A grid, whose last dimension varies fastest.
class CartesianTopology final : public VirtualTopology {
 public:
  CartesianTopology(std::vector<int> sizes, std::vector<bool> periodic)
      : sizes_(std::move(sizes)), periodic_(std::move(periodic)) {}
  TopologyKind kind() const override { return TopologyKind::cartesian; }
  Neighbourhood neighbourhood(int rank) const override;

  int dimensions() const { return static_cast<int>(sizes_.size()); }
  int size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }
  bool periodic(int dimension) const { return periodic_[static_cast<std::size_t>(dimension)]; }
  std::vector<int> coordinates(int rank) const;
  /// Coordinates outside of a periodic dimension are brought inside; answers MPI_PROC_NULL if they
  /// are outside of another.
  int rank(std::span<const int> coordinates) const;
  /// The rank `distance` farther along a dimension, or MPI_PROC_NULL.
  int shifted(int rank, int dimension, int distance) const;

 private:
  std::vector<int> sizes_;
  std::vector<bool> periodic_;
};

/// A graph that every rank knows: rank r's neighbours are edges[ends[r - 1]] to edges[ends[r] - 1].
class GraphTopology final : public VirtualTopology {
 public:
  GraphTopology(std::vector<int> ends, std::vector<int> edges)
      : ends_(std::move(ends)), edges_(std::move(edges)) {}
  TopologyKind kind() const override { return TopologyKind::graph; }
  Neighbourhood neighbourhood(int rank) const override;

  const std::vector<int>& ends() const { return ends_; }
  const std::vector<int>& edges() const { return edges_; }
  std::span<const int> neighbours(int rank) const;

 private:
  std::vector<int> ends_;
  std::vector<int> edges_;
};

/// A graph of which each rank knows its own edges.
class DistributedGraphTopology final : public VirtualTopology {
 public:
  struct Edges {
    std::vector<int> sources;
    std::vector<int> source_weights;
    std::vector<int> destinations;
    std::vector<int> destination_weights;
  };
  DistributedGraphTopology(std::vector<Edges> edges, bool weighted)
      : edges_(std::move(edges)), weighted_(weighted) {}
  TopologyKind kind() const override { return TopologyKind::distributed_graph; }
  Neighbourhood neighbourhood(int rank) const override;
  const Edges& edges(int rank) const { return edges_[static_cast<std::size_t>(rank)]; }
  // While it is being made:
  void add(int source, int destination, int weight);
  void set(int rank, Edges edges) { edges_[static_cast<std::size_t>(rank)] = std::move(edges); }
  bool weighted() const { return weighted_; }

 private:
  std::vector<Edges> edges_;  ///< By rank.
  bool weighted_;
};

/// Divides `nodes` among dimensions, those that are not 0 already fixed, as evenly as can be, in
/// descending order. False if the fixed ones do not divide it.
bool divide_among_dimensions(int nodes, std::span<int> sizes);

/// The topology of a communicator; throws MPI_ERR_TOPOLOGY if it has none (of the kind).
const VirtualTopology& topology_of(const Communicator& communicator);
const CartesianTopology& cartesian_of(const Communicator& communicator);
const GraphTopology& graph_of(const Communicator& communicator);
const DistributedGraphTopology& distributed_graph_of(const Communicator& communicator);

}  // namespace heddle::mpi
