#include "mpi/topology/create.hpp"

#include <fmt/core.h>

#include "mpi/collectives/collectives.hpp"
#include "mpi/comm/create.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi {
namespace {

void check_intra(const Communicator& parent) {
  if (parent.inter()) {
    bad_argument(MPI_ERR_COMM, "comm", parent.label() + " is an intercommunicator");
  }
}

void check_rank(const Communicator& parent, const char* argument, int rank) {
  if (rank < 0 || rank >= parent.size()) {
    bad_argument(MPI_ERR_ARG, argument,
                 fmt::format("{} is not a rank of {}: accepted are 0 to {}", rank, parent.label(),
                             parent.size() - 1));
  }
}

/// A graph to which all members of a communicator add what they know.
class GraphUnderWay {
 public:
  GraphUnderWay(Communicator& parent, bool weighted)
      : common_(*collectives::membership(parent).common), number_(parent.next_collective()) {
    auto& place = common_.graphs[number_];
    if (!place) {
      place = std::make_shared<DistributedGraphTopology>(
          std::vector<DistributedGraphTopology::Edges>(static_cast<std::size_t>(parent.size())),
          weighted);
    }
    graph_ = std::static_pointer_cast<DistributedGraphTopology>(place);
    common_.attendance.enter(number_, static_cast<std::uint32_t>(parent.rank()),
                             coll::Collective::barrier);
    if (common_.attendance.complete(number_)) common_.graphs.erase(number_);
  }
  DistributedGraphTopology& graph() { return *graph_; }
  std::shared_ptr<const Topology> topology() const { return graph_; }

 private:
  collectives::Common& common_;
  std::uint32_t number_;
  std::shared_ptr<DistributedGraphTopology> graph_;
};

/// Those of a grid whose coordinates differ from a rank's in dimensions that remain alone.
GroupRef group_of_subgrid(const Communicator& parent, const CartesianTopology& grid,
                          std::span<const int> remain) {
  const auto stays = [&](int dimension) {
    return remain[static_cast<std::size_t>(dimension)] != 0;
  };
  std::int64_t size = 1;
  bool all = true;
  bool any = false;
  for (int d = 0; d < grid.dimensions(); ++d) {
    size *= stays(d) ? grid.size(d) : 1;
    all = all && stays(d);
    any = any || stays(d);
  }
  // A grid without dimensions has one place, which the first rank takes.
  if (!any) return Group::first_of(parent.data()->group, 1);
  if (all) return parent.data()->group;
  std::vector<int> place = grid.coordinates(parent.rank());
  std::vector<std::uint32_t> members;
  for (std::int64_t i = 0; i < size; ++i) {
    std::int64_t rest = i;
    for (int d = grid.dimensions(); d-- > 0;) {
      if (!stays(d)) continue;
      place[static_cast<std::size_t>(d)] = static_cast<int>(rest % grid.size(d));
      rest /= grid.size(d);
    }
    members.push_back(parent.group().process(grid.rank(place)));
  }
  return Group::of(std::move(members));
}

}  // namespace

int create_cartesian(Communicator& parent, std::span<const int> sizes,
                     std::span<const int> periods) {
  check_intra(parent);
  std::int64_t nodes = 1;
  for (const int size : sizes) {
    if (size <= 0) bad_argument(MPI_ERR_DIMS, "dims", fmt::format("{} is no size", size));
    nodes = std::min<std::int64_t>(nodes * size, INT32_MAX);
  }
  if (nodes > parent.size()) {
    bad_argument(MPI_ERR_DIMS, "dims",
                 fmt::format("a grid of {} ranks is larger than {}, which has {}", nodes,
                             parent.label(), parent.size()));
  }
  auto grid =
      std::make_shared<CartesianTopology>(std::vector<int>(sizes.begin(), sizes.end()),
                                          std::vector<bool>(periods.begin(), periods.end()));
  return create_communicator(parent, Group::first_of(parent.data()->group, static_cast<int>(nodes)),
                             std::move(grid));
}

int create_subgrid(Communicator& parent, std::span<const int> remain) {
  const CartesianTopology& grid = cartesian_of(parent);
  std::vector<int> sizes;
  std::vector<bool> periodic;
  for (int d = 0; d < grid.dimensions(); ++d) {
    if (remain[static_cast<std::size_t>(d)] == 0) continue;
    sizes.push_back(grid.size(d));
    periodic.push_back(grid.periodic(d));
  }
  return create_communicator(parent, group_of_subgrid(parent, grid, remain),
                             std::make_shared<CartesianTopology>(sizes, periodic));
}

int create_graph(Communicator& parent, std::span<const int> ends, const int* edges) {
  check_intra(parent);
  const auto nodes = static_cast<int>(ends.size());
  if (nodes > parent.size()) {
    bad_argument(MPI_ERR_ARG, "nnodes",
                 fmt::format("{} nodes are more than {} has ranks", nodes, parent.label()));
  }
  int last = 0;
  for (const int end : ends) {
    if (end < last) bad_argument(MPI_ERR_ARG, "index", "it does not ascend");
    last = end;
  }
  for (int i = 0; i < last; ++i) {
    if (edges[i] < 0 || edges[i] >= nodes) {
      bad_argument(MPI_ERR_ARG, "edges",
                   fmt::format("{} is no node: accepted are 0 to {}", edges[i], nodes - 1));
    }
  }
  auto graph = std::make_shared<GraphTopology>(std::vector<int>(ends.begin(), ends.end()),
                                               std::vector<int>(edges, edges + last));
  return create_communicator(parent, Group::first_of(parent.data()->group, nodes),
                             std::move(graph));
}

int create_distributed_graph(Communicator& parent, const KnownEdges& edges, bool weighted) {
  check_intra(parent);
  std::size_t edge = 0;
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    check_rank(parent, "sources", edges.sources[i]);
    if (edges.degrees[i] < 0) bad_argument(MPI_ERR_ARG, "degrees", "one is negative");
    for (int k = 0; k < edges.degrees[i]; ++k) {
      check_rank(parent, "destinations", edges.destinations[edge++]);
    }
  }
  GraphUnderWay under_way(parent, weighted);
  edge = 0;
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    for (int k = 0; k < edges.degrees[i]; ++k, ++edge) {
      const int weight = edges.weights == nullptr ? 1 : edges.weights[edge];
      under_way.graph().add(edges.sources[i], edges.destinations[edge], weight);
    }
  }
  return create_communicator(parent, parent.data()->group, under_way.topology());
}

int create_adjacent_graph(Communicator& parent, DistributedGraphTopology::Edges edges,
                          bool weighted) {
  check_intra(parent);
  for (const int rank : edges.sources) check_rank(parent, "sources", rank);
  for (const int rank : edges.destinations) check_rank(parent, "destinations", rank);
  GraphUnderWay under_way(parent, weighted);
  under_way.graph().set(parent.rank(), std::move(edges));
  return create_communicator(parent, parent.data()->group, under_way.topology());
}

}  // namespace heddle::mpi
