// Collective calls on intercommunicators: between two groups.
#pragma once

#include <span>

#include "mpi/collectives/calls.hpp"

namespace heddle::mpi::collectives {

// Kept out of their callers, which are the calls on all communicators: what these need of the stack
// would make that of every rank in a collective a page deeper.

[[gnu::noinline]] void inter_barrier(Communicator& comm, const How& how);
[[gnu::noinline]] void inter_bcast(Communicator& comm, const How& how, const Given& data, int root);
[[gnu::noinline]] void inter_gather(Communicator& comm, const How& how, const Given& send,
                                    const Given& receive, int root);
[[gnu::noinline]] void inter_gatherv(Communicator& comm, const How& how, const Given& send,
                                     const GivenBlocks& receive, int root);
[[gnu::noinline]] void inter_scatter(Communicator& comm, const How& how, const Given& send,
                                     const Given& receive, int root);
[[gnu::noinline]] void inter_scatterv(Communicator& comm, const How& how, const GivenBlocks& send,
                                      const Given& receive, int root);
[[gnu::noinline]] void inter_allgather(Communicator& comm, const How& how, const Given& send,
                                       const Given& receive);
[[gnu::noinline]] void inter_allgatherv(Communicator& comm, const How& how, const Given& send,
                                        const GivenBlocks& receive);
[[gnu::noinline]] void inter_alltoall(Communicator& comm, const How& how, const Given& send,
                                      const Given& receive);
/// Block i goes to, and comes from, rank i of the remote group.
[[gnu::noinline]] void inter_exchange(Communicator& comm, const How& how, Collective collective,
                                      const Uses& uses, const Blocks& out, const Blocks& in);
[[gnu::noinline]] void inter_reduce(Communicator& comm, const How& how, const GivenReduction& data,
                                    int root);
[[gnu::noinline]] void inter_allreduce(Communicator& comm, const How& how,
                                       const GivenReduction& data);
/// `counts` are of the ranks of this group.
[[gnu::noinline]] void inter_reduce_scatter(Communicator& comm, const How& how,
                                            Collective collective, const GivenReduction& data,
                                            std::span<const std::int64_t> counts);

}  // namespace heddle::mpi::collectives
