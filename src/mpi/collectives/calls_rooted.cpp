// Collective calls with a root, and the barrier.
#include "mpi/collectives/call_arguments.hpp"
#include "mpi/collectives/inter.hpp"

namespace heddle::mpi::collectives {
namespace {

/// Of a gather or a scatter with blocks of different lengths.
template <class Work>
Uses uses_of_lists(const Work& work) {
  return {.types = {work.own.type, work.blocks.type()}, .common = {.root = work.root}};
}
/// The same where all blocks are alike.
template <class Work>
Uses uses_of(const Work& work) {
  Uses uses = uses_of_lists(work);
  uses.common.data[0] = work.own;
  if (work.blocks.type() != nullptr) uses.common.data[1] = work.blocks[0];
  return uses;
}

}  // namespace

void barrier(Communicator& comm, const How& how) {
  if (comm.inter()) return inter_barrier(comm, how);
  perform(comm, Collective::barrier, how, {}, [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::barrier, barrier_algorithms(), Barrier{});
  });
}

void bcast(Communicator& comm, const How& how, const Given& given, int root) {
  if (comm.inter()) return inter_bcast(comm, how, given, root);
  check_root(comm, root);
  const Buffer data = data_of(comm, given, "buffer");
  const Uses uses{.types = {data.type}, .common = {root, {data}}};
  perform(comm, Collective::bcast, how, uses, [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::bcast, bcast_algorithms(), Bcast{data, root},
               bytes(data));
  });
}

void gather(Communicator& comm, const How& how, const Given& send, const Given& receive, int root) {
  if (comm.inter()) return inter_gather(comm, how, send, receive, root);
  check_root(comm, root);
  const bool at_root = comm.rank() == root;
  Gather work;
  work.root = root;
  if (at_root) work.blocks = blocks_of(comm, receive, "recvbuf");
  if (!at_root || !send.in_place()) work.own = data_of(comm, send, "sendbuf");
  if (at_root) refuse_same(work.own, work.blocks[0]);
  const std::int64_t block = bytes(at_root ? work.blocks[root] : work.own);
  perform(comm, Collective::gather, how, uses_of(work), [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::gather, gather_algorithms(), work, block);
  });
}

void gatherv(Communicator& comm, const How& how, const Given& send, const GivenBlocks& receive,
             int root) {
  if (comm.inter()) return inter_gatherv(comm, how, send, receive, root);
  check_root(comm, root);
  const bool at_root = comm.rank() == root;
  Gather work;
  work.root = root;
  if (at_root) work.blocks = blocks_of(comm, receive, comm.size(), "recvbuf");
  if (!at_root || !send.in_place()) work.own = data_of(comm, send, "sendbuf");
  if (at_root) refuse_same(work.own, work.blocks[0]);
  perform(comm, Collective::gatherv, how, uses_of_lists(work), [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::gatherv, gatherv_algorithms(), work);
  });
}

void scatter(Communicator& comm, const How& how, const Given& send, const Given& receive,
             int root) {
  if (comm.inter()) return inter_scatter(comm, how, send, receive, root);
  check_root(comm, root);
  const bool at_root = comm.rank() == root;
  Scatter work;
  work.root = root;
  if (at_root) work.blocks = blocks_of(comm, send, "sendbuf");
  if (!at_root || !receive.in_place()) work.own = data_of(comm, receive, "recvbuf");
  if (at_root) refuse_same(work.blocks[0], work.own);
  const std::int64_t block = bytes(at_root ? work.blocks[root] : work.own);
  perform(comm, Collective::scatter, how, uses_of(work), [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::scatter, scatter_algorithms(), work, block);
  });
}

void scatterv(Communicator& comm, const How& how, const GivenBlocks& send, const Given& receive,
              int root) {
  if (comm.inter()) return inter_scatterv(comm, how, send, receive, root);
  check_root(comm, root);
  const bool at_root = comm.rank() == root;
  Scatter work;
  work.root = root;
  if (at_root) work.blocks = blocks_of(comm, send, comm.size(), "sendbuf");
  if (!at_root || !receive.in_place()) work.own = data_of(comm, receive, "recvbuf");
  if (at_root) refuse_same(work.blocks[0], work.own);
  perform(comm, Collective::scatterv, how, uses_of_lists(work), [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::scatterv, scatterv_algorithms(), work);
  });
}

}  // namespace heddle::mpi::collectives
