#include "mpi/topology/topology.hpp"

#include <mpi.h>

#include <algorithm>

#include "mpi/error.hpp"

namespace heddle::mpi {

std::vector<int> CartesianTopology::coordinates(int rank) const {
  std::vector<int> place(sizes_.size());
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    place[d] = rank % sizes_[d];
    rank /= sizes_[d];
  }
  return place;
}

int CartesianTopology::rank(std::span<const int> coordinates) const {
  int number = 0;
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    int place = coordinates[d];
    if (place < 0 || place >= sizes_[d]) {
      if (!periodic_[d]) return MPI_PROC_NULL;
      place = (place % sizes_[d] + sizes_[d]) % sizes_[d];
    }
    number = number * sizes_[d] + place;
  }
  return number;
}

int CartesianTopology::shifted(int rank, int dimension, int distance) const {
  std::vector<int> place = coordinates(rank);
  const auto d = static_cast<std::size_t>(dimension);
  // Distances may be as large as a number can be.
  const std::int64_t wanted = std::int64_t{place[d]} + distance;
  if (wanted < 0 || wanted >= sizes_[d]) {
    if (!periodic_[d]) return MPI_PROC_NULL;
    place[d] = static_cast<int>((wanted % sizes_[d] + sizes_[d]) % sizes_[d]);
  } else {
    place[d] = static_cast<int>(wanted);
  }
  return this->rank(place);
}

Neighbourhood CartesianTopology::neighbourhood(int rank) const {
  Neighbourhood near;
  near.cartesian = true;
  for (int d = 0; d < dimensions(); ++d) {
    for (const int step : {-1, 1}) near.sources.push_back(shifted(rank, d, step));
  }
  near.destinations = near.sources;
  return near;
}

std::span<const int> GraphTopology::neighbours(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  const auto first = static_cast<std::size_t>(r == 0 ? 0 : ends_[r - 1]);
  return std::span(edges_).subspan(first, static_cast<std::size_t>(ends_[r]) - first);
}

Neighbourhood GraphTopology::neighbourhood(int rank) const {
  const std::span<const int> all = neighbours(rank);
  const std::vector<int> list(all.begin(), all.end());
  return {list, list, false};
}

Neighbourhood DistributedGraphTopology::neighbourhood(int rank) const {
  return {edges(rank).sources, edges(rank).destinations, false};
}

void DistributedGraphTopology::add(int source, int destination, int weight) {
  Edges& from = edges_[static_cast<std::size_t>(source)];
  from.destinations.push_back(destination);
  from.destination_weights.push_back(weight);
  Edges& to = edges_[static_cast<std::size_t>(destination)];
  to.sources.push_back(source);
  to.source_weights.push_back(weight);
}

bool divide_among_dimensions(int nodes, std::span<int> sizes) {
  std::vector<std::size_t> open;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) {
      open.push_back(d);
    } else if (nodes % sizes[d] != 0) {
      return false;
    } else {
      nodes /= sizes[d];
    }
  }
  if (open.empty()) return nodes == 1;
  // Prime factors, the largest first, each to the dimension that is smallest so far.
  std::vector<int> factors;
  for (int factor = 2; factor <= nodes / factor; ++factor) {
    for (; nodes % factor == 0; nodes /= factor) factors.push_back(factor);
  }
  if (nodes > 1) factors.push_back(nodes);
  std::vector<int> found(open.size(), 1);
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
    *std::min_element(found.begin(), found.end()) *= *factor;
  std::sort(found.begin(), found.end(), std::greater<>());
  for (std::size_t i = 0; i < open.size(); ++i) sizes[open[i]] = found[i];
  return true;
}

namespace {

template <class Kind>
const Kind& topology_as(const Communicator& communicator, const char* what) {
  const auto* found = dynamic_cast<const Kind*>(communicator.topology());
  if (found == nullptr)
    bad_argument(MPI_ERR_TOPOLOGY, "comm", communicator.label() + " has no " + what);
  return *found;
}

}  // namespace

const VirtualTopology& topology_of(const Communicator& communicator) {
  return topology_as<VirtualTopology>(communicator, "topology");
}
const CartesianTopology& cartesian_of(const Communicator& communicator) {
  return topology_as<CartesianTopology>(communicator, "Cartesian topology");
}
const GraphTopology& graph_of(const Communicator& communicator) {
  return topology_as<GraphTopology>(communicator, "graph topology");
}
const DistributedGraphTopology& distributed_graph_of(const Communicator& communicator) {
  return topology_as<DistributedGraphTopology>(communicator, "distributed graph topology");
}

}  // namespace heddle::mpi
