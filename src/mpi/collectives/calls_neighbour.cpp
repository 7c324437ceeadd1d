// Collective calls among the neighbours of a topology.
#include "mpi/collectives/call_arguments.hpp"
#include "mpi/comm/topology.hpp"

namespace heddle::mpi::collectives {
namespace {

void exchange(Communicator& comm, const How& how, Collective collective, const Uses& uses,
              const Neighbourhood& near, const Blocks& out, const Blocks& in) {
  perform(comm, collective, how, uses, [&](Steps& s) {
    const Neighbours work{near.sources, near.destinations, out, in, near.cartesian};
    run_chosen(s, comm.process(), collective, neighbour_algorithms(), work);
  });
}

int count(const std::vector<int>& list) {
  return static_cast<int>(list.size());
}
Neighbourhood near(const Communicator& comm) {
  return topology_of(comm).neighbourhood(comm.rank());
}
/// The same data for every destination: blocks that all lie in one place.
Blocks same_for_all(const Buffer& data) {
  return Blocks::scattered(data.address, PerRank(data.count), PerRank(), *data.type);
}

}  // namespace

void neighbor_allgather(Communicator& comm, const How& how, const Given& send,
                        const Given& receive) {
  const Neighbourhood around = near(comm);
  const Buffer own = data_of(comm, send, "sendbuf");
  const Blocks in = blocks_of(comm, receive, "recvbuf");
  exchange(comm, how, Collective::neighbor_allgather, {{own.type, in.type()}}, around,
           same_for_all(own), in);
}

void neighbor_allgatherv(Communicator& comm, const How& how, const Given& send,
                         const GivenBlocks& receive) {
  const Neighbourhood around = near(comm);
  const Buffer own = data_of(comm, send, "sendbuf");
  const Blocks in = blocks_of(comm, receive, count(around.sources), "recvbuf");
  exchange(comm, how, Collective::neighbor_allgatherv, {{own.type, in.type()}}, around,
           same_for_all(own), in);
}

void neighbor_alltoall(Communicator& comm, const How& how, const Given& send,
                       const Given& receive) {
  const Neighbourhood around = near(comm);
  const Blocks out = blocks_of(comm, send, "sendbuf");
  const Blocks in = blocks_of(comm, receive, "recvbuf");
  exchange(comm, how, Collective::neighbor_alltoall, {{out.type(), in.type()}}, around, out, in);
}

void neighbor_alltoallv(Communicator& comm, const How& how, const GivenBlocks& send,
                        const GivenBlocks& receive) {
  const Neighbourhood around = near(comm);
  const Blocks out = blocks_of(comm, send, count(around.destinations), "sendbuf");
  const Blocks in = blocks_of(comm, receive, count(around.sources), "recvbuf");
  exchange(comm, how, Collective::neighbor_alltoallv, {{out.type(), in.type()}}, around, out, in);
}

void neighbor_alltoallw(Communicator& comm, const How& how, const GivenMixed& send,
                        const GivenMixed& receive) {
  const Neighbourhood around = near(comm);
  const MixedBlocks out(comm, send, count(around.destinations), "sendbuf");
  const MixedBlocks in(comm, receive, count(around.sources), "recvbuf");
  exchange(comm, how, Collective::neighbor_alltoallw, {{}, nullptr, {&out.types(), &in.types()}},
           around, out.blocks(), in.blocks());
}

}  // namespace heddle::mpi::collectives
