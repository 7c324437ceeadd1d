// Calls on virtual topologies.
#include <algorithm>

#include "mpi/api/call.hpp"
#include "mpi/comm/communicator.hpp"
#include "mpi/topology/create.hpp"

using namespace heddle::mpi;

namespace {

std::span<const int> list(const int* first, int count, const char* argument) {
  if (count < 0) bad_argument(MPI_ERR_ARG, argument, "it is negative");
  return {first, static_cast<std::size_t>(count)};
}
/// At most `room` of the numbers.
void copy_some(std::span<const int> from, int room, int* to) {
  std::copy_n(from.begin(),
              std::min<std::size_t>(from.size(), static_cast<std::size_t>(std::max(room, 0))), to);
}
bool has_weights(const int* weights) {
  return weights != MPI_UNWEIGHTED;
}
/// Weights of edges, one each where there are none.
std::vector<int> weights_of(const int* weights, int count) {
  if (!has_weights(weights) || weights == MPI_WEIGHTS_EMPTY || weights == nullptr) {
    return std::vector<int>(static_cast<std::size_t>(count), 1);
  }
  return {weights, weights + count};
}
/// A call on a communicator.
template <class Body>
int on(const char* name, MPI_Comm comm, const Body& body) {
  return call(name, on_comm(comm), [&](Process& process) { body(communicator(process, comm)); });
}

}  // namespace

extern "C" {

int PMPI_Topo_test(MPI_Comm comm, int* status) {
  return on("MPI_Topo_test", comm, [&](Communicator& c) {
    *status = MPI_UNDEFINED;
    if (c.topology() == nullptr) return;
    constexpr int kKinds[] = {MPI_GRAPH, MPI_CART, MPI_DIST_GRAPH};
    *status = kKinds[static_cast<std::size_t>(topology_of(c).kind())];
  });
}

int PMPI_Dims_create(int nnodes, int ndims, int dims[]) {
  return call("MPI_Dims_create", [&](Process&) {
    if (nnodes < 1) bad_argument(MPI_ERR_ARG, "nnodes", "it is not positive");
    list(dims, ndims, "ndims");
    for (int d = 0; d < ndims; ++d) {
      if (dims[d] < 0) bad_argument(MPI_ERR_DIMS, "dims", "a size is negative");
    }
    if (ndims > 0 && !divide_among_dimensions(nnodes, {dims, static_cast<std::size_t>(ndims)})) {
      bad_argument(MPI_ERR_DIMS, "dims", "the sizes that are given do not divide nnodes");
    }
  });
}

int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int,
                     MPI_Comm* comm_cart) {
  return on("MPI_Cart_create", comm_old, [&](Communicator& c) {
    need(comm_cart, "comm_cart");
    *comm_cart = MPI_COMM_NULL;
    *comm_cart = create_cartesian(c, list(dims, ndims, "ndims"), list(periods, ndims, "ndims"));
  });
}

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int[], int* newrank) {
  return on("MPI_Cart_map", comm, [&](Communicator& c) {
    need(newrank, "newrank");
    std::int64_t nodes = 1;
    for (const int size : list(dims, ndims, "ndims")) nodes *= size;
    if (nodes > c.size()) bad_argument(MPI_ERR_DIMS, "dims", "the grid is larger than comm");
    *newrank = c.rank() < nodes ? c.rank() : MPI_UNDEFINED;
  });
}

int PMPI_Cartdim_get(MPI_Comm comm, int* ndims) {
  return on("MPI_Cartdim_get", comm, [&](Communicator& c) {
    need(ndims, "ndims");
    *ndims = cartesian_of(c).dimensions();
  });
}

int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return on("MPI_Cart_get", comm, [&](Communicator& c) {
    const CartesianTopology& grid = cartesian_of(c);
    const std::vector<int> place = grid.coordinates(c.rank());
    for (int d = 0; d < std::min(maxdims, grid.dimensions()); ++d) {
      dims[d] = grid.size(d);
      periods[d] = grid.periodic(d) ? 1 : 0;
      coords[d] = place[static_cast<std::size_t>(d)];
    }
  });
}

int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int* rank) {
  return on("MPI_Cart_rank", comm, [&](Communicator& c) {
    need(rank, "rank");
    const CartesianTopology& grid = cartesian_of(c);
    *rank = grid.rank(list(coords, grid.dimensions(), "coords"));
    if (*rank == MPI_PROC_NULL) {
      bad_argument(MPI_ERR_ARG, "coords",
                   "they are outside of the grid, which is not periodic there");
    }
  });
}

int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  return on("MPI_Cart_coords", comm, [&](Communicator& c) {
    const CartesianTopology& grid = cartesian_of(c);
    if (rank < 0 || rank >= c.size()) bad_argument(MPI_ERR_RANK, "rank", "there is no such rank");
    copy_some(grid.coordinates(rank), maxdims, coords);
  });
}

int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest) {
  return on("MPI_Cart_shift", comm, [&](Communicator& c) {
    need(rank_source, "rank_source");
    need(rank_dest, "rank_dest");
    const CartesianTopology& grid = cartesian_of(c);
    if (direction < 0 || direction >= grid.dimensions()) {
      bad_argument(MPI_ERR_ARG, "direction", "there is no such dimension");
    }
    *rank_dest = grid.shifted(c.rank(), direction, disp);
    *rank_source = grid.shifted(c.rank(), direction, -disp);
  });
}

int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  return on("MPI_Cart_sub", comm, [&](Communicator& c) {
    need(newcomm, "newcomm");
    *newcomm = create_subgrid(c, list(remain_dims, cartesian_of(c).dimensions(), "remain_dims"));
  });
}

int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int,
                      MPI_Comm* comm_graph) {
  return on("MPI_Graph_create", comm_old, [&](Communicator& c) {
    need(comm_graph, "comm_graph");
    *comm_graph = create_graph(c, list(index, nnodes, "nnodes"), edges);
  });
}

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int[], const int[], int* newrank) {
  return on("MPI_Graph_map", comm, [&](Communicator& c) {
    need(newrank, "newrank");
    if (nnodes < 1 || nnodes > c.size()) {
      bad_argument(MPI_ERR_ARG, "nnodes", "it is not between 1 and the size of comm");
    }
    *newrank = c.rank() < nnodes ? c.rank() : MPI_UNDEFINED;
  });
}

int PMPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return on("MPI_Graphdims_get", comm, [&](Communicator& c) {
    need(nnodes, "nnodes");
    need(nedges, "nedges");
    *nnodes = static_cast<int>(graph_of(c).ends().size());
    *nedges = static_cast<int>(graph_of(c).edges().size());
  });
}

int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]) {
  return on("MPI_Graph_get", comm, [&](Communicator& c) {
    copy_some(graph_of(c).ends(), maxindex, index);
    copy_some(graph_of(c).edges(), maxedges, edges);
  });
}

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return on("MPI_Graph_neighbors_count", comm, [&](Communicator& c) {
    need(nneighbors, "nneighbors");
    if (rank < 0 || rank >= c.size()) bad_argument(MPI_ERR_RANK, "rank", "there is no such rank");
    *nneighbors = static_cast<int>(graph_of(c).neighbours(rank).size());
  });
}

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return on("MPI_Graph_neighbors", comm, [&](Communicator& c) {
    if (rank < 0 || rank >= c.size()) bad_argument(MPI_ERR_RANK, "rank", "there is no such rank");
    copy_some(graph_of(c).neighbours(rank), maxneighbors, neighbors);
  });
}

int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info, int,
                           MPI_Comm* comm_dist_graph) {
  return on("MPI_Dist_graph_create", comm_old, [&](Communicator& c) {
    need(comm_dist_graph, "comm_dist_graph");
    const bool weighted = has_weights(weights);
    *comm_dist_graph = create_distributed_graph(
        c,
        {list(sources, n, "n"), list(degrees, n, "n"), destinations, weighted ? weights : nullptr},
        weighted);
  });
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                    const int sourceweights[], int outdegree,
                                    const int destinations[], const int destweights[], MPI_Info,
                                    int, MPI_Comm* comm_dist_graph) {
  return on("MPI_Dist_graph_create_adjacent", comm_old, [&](Communicator& c) {
    need(comm_dist_graph, "comm_dist_graph");
    const auto in = list(sources, indegree, "indegree");
    const auto out = list(destinations, outdegree, "outdegree");
    DistributedGraphTopology::Edges edges{{in.begin(), in.end()},
                                          weights_of(sourceweights, indegree),
                                          {out.begin(), out.end()},
                                          weights_of(destweights, outdegree)};
    *comm_dist_graph = create_adjacent_graph(c, std::move(edges), has_weights(sourceweights));
  });
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return on("MPI_Dist_graph_neighbors_count", comm, [&](Communicator& c) {
    need(indegree, "indegree");
    need(outdegree, "outdegree");
    need(weighted, "weighted");
    const DistributedGraphTopology& graph = distributed_graph_of(c);
    *indegree = static_cast<int>(graph.edges(c.rank()).sources.size());
    *outdegree = static_cast<int>(graph.edges(c.rank()).destinations.size());
    *weighted = graph.weighted() ? 1 : 0;
  });
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                              int maxoutdegree, int destinations[], int destweights[]) {
  return on("MPI_Dist_graph_neighbors", comm, [&](Communicator& c) {
    const DistributedGraphTopology& graph = distributed_graph_of(c);
    const DistributedGraphTopology::Edges& own = graph.edges(c.rank());
    copy_some(own.sources, maxindegree, sources);
    copy_some(own.destinations, maxoutdegree, destinations);
    if (!graph.weighted()) return;
    if (has_weights(sourceweights)) copy_some(own.source_weights, maxindegree, sourceweights);
    if (has_weights(destweights)) copy_some(own.destination_weights, maxoutdegree, destweights);
  });
}

}  // extern "C"
