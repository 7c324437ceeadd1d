#include "mpi/collectives/inter.hpp"

#include <numeric>

#include "coll/algorithms/parts.hpp"
#include "mpi/collectives/call_arguments.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::collectives {
namespace {

/// The own group, whose ranks the steps count behind those of the remote one.
class OwnGroup {
 public:
  OwnGroup(Steps& s, const Communicator& comm)
      : members_(static_cast<std::size_t>(comm.size())), team_(s, fill(comm), comm.rank()) {}
  TeamSteps& team() { return team_; }
  bool leads() const { return team_.rank() == 0; }
  void bcast(const Buffer& data) { bcast_along(team_, binomial_tree({team_, 0}), data, 0); }
  /// To rank 0, in the order of ranks.
  void reduce(const Buffer& data, const Buffer& result, bool commutative) {
    reduce_algorithms().front().run(team_, {data, result, 0, commutative}, {});
  }

 private:
  std::span<const int> fill(const Communicator& comm) {
    std::iota(members_.begin(), members_.end(), comm.peers().size());
    return members_;
  }
  std::vector<int> members_;
  TeamSteps team_;
};

/// Everybody in the remote group sends one block to `MPI_ROOT`.
void gather_at(Communicator& comm, const How& how, Collective collective, const Buffer& own,
               const Blocks& blocks, int root) {
  perform(comm, collective, how, {{own.type, blocks.type()}}, [&](Steps& s) {
    if (root == MPI_ROOT) {
      for (int r = 0; r < comm.peers().size(); ++r) s.receive(blocks[r], r);
    } else if (root != MPI_PROC_NULL) {
      s.send(own, root);
    }
    s.wait();
  });
}
void scatter_from(Communicator& comm, const How& how, Collective collective, const Blocks& blocks,
                  const Buffer& own, int root) {
  perform(comm, collective, how, {{own.type, blocks.type()}}, [&](Steps& s) {
    if (root == MPI_ROOT) {
      for (int r = 0; r < comm.peers().size(); ++r) s.send(blocks[r], r);
    } else if (root != MPI_PROC_NULL) {
      s.receive(own, root);
    }
    s.wait();
  });
}

void gather_from_all(Communicator& comm, const How& how, Collective collective, const Buffer& own,
                     const Blocks& blocks) {
  perform(comm, collective, how, {{own.type, blocks.type()}}, [&](Steps& s) {
    for (int r = 0; r < comm.peers().size(); ++r) s.receive(blocks[r], r);
    for (int r = 0; r < comm.peers().size(); ++r) s.send(own, r);
    s.wait();
  });
}

}  // namespace

void inter_barrier(Communicator& comm, const How& how) {
  perform(comm, Collective::barrier, how, {}, [&](Steps& s) {
    OwnGroup own(s, comm);
    const Tree tree = binomial_tree({own.team(), 0});
    for (const int child : tree.children()) own.team().receive(nothing(), child);
    s.wait();
    if (!own.leads()) own.team().send_now(nothing(), tree.parent);
    if (own.leads()) s.exchange(nothing(), 0, nothing(), 0);
    own.bcast(nothing());
  });
}

void inter_bcast(Communicator& comm, const How& how, const Given& given, int root) {
  check_inter_root(comm, root);
  const Buffer data = root == MPI_PROC_NULL ? Buffer{} : data_of(comm, given, "buffer");
  perform(comm, Collective::bcast, how, {{data.type}}, [&](Steps& s) {
    if (root == MPI_PROC_NULL) return;
    if (root == MPI_ROOT) return s.send_now(data, 0);
    OwnGroup own(s, comm);
    if (own.leads()) s.receive_now(data, root);
    own.bcast(data);
  });
}

void inter_gather(Communicator& comm, const How& how, const Given& send, const Given& receive,
                  int root) {
  check_inter_root(comm, root);
  const bool sends = root >= 0;
  gather_at(comm, how, Collective::gather, sends ? data_of(comm, send, "sendbuf") : Buffer{},
            root == MPI_ROOT ? blocks_of(comm, receive, "recvbuf") : Blocks{}, root);
}

void inter_gatherv(Communicator& comm, const How& how, const Given& send,
                   const GivenBlocks& receive, int root) {
  check_inter_root(comm, root);
  const bool sends = root >= 0;
  gather_at(comm, how, Collective::gatherv, sends ? data_of(comm, send, "sendbuf") : Buffer{},
            root == MPI_ROOT ? blocks_of(comm, receive, comm.peers().size(), "recvbuf") : Blocks{},
            root);
}

void inter_scatter(Communicator& comm, const How& how, const Given& send, const Given& receive,
                   int root) {
  check_inter_root(comm, root);
  const bool receives = root >= 0;
  scatter_from(comm, how, Collective::scatter,
               root == MPI_ROOT ? blocks_of(comm, send, "sendbuf") : Blocks{},
               receives ? data_of(comm, receive, "recvbuf") : Buffer{}, root);
}

void inter_scatterv(Communicator& comm, const How& how, const GivenBlocks& send,
                    const Given& receive, int root) {
  check_inter_root(comm, root);
  const bool receives = root >= 0;
  scatter_from(comm, how, Collective::scatterv,
               root == MPI_ROOT ? blocks_of(comm, send, comm.peers().size(), "sendbuf") : Blocks{},
               receives ? data_of(comm, receive, "recvbuf") : Buffer{}, root);
}

void inter_allgather(Communicator& comm, const How& how, const Given& send, const Given& receive) {
  gather_from_all(comm, how, Collective::allgather, data_of(comm, send, "sendbuf"),
                  blocks_of(comm, receive, "recvbuf"));
}
void inter_allgatherv(Communicator& comm, const How& how, const Given& send,
                      const GivenBlocks& receive) {
  gather_from_all(comm, how, Collective::allgatherv, data_of(comm, send, "sendbuf"),
                  blocks_of(comm, receive, comm.peers().size(), "recvbuf"));
}

void inter_alltoall(Communicator& comm, const How& how, const Given& send, const Given& receive) {
  const Blocks out = blocks_of(comm, send, "sendbuf");
  const Blocks in = blocks_of(comm, receive, "recvbuf");
  inter_exchange(comm, how, Collective::alltoall, {{in.type(), out.type()}}, out, in);
}

void inter_exchange(Communicator& comm, const How& how, Collective collective, const Uses& uses,
                    const Blocks& out, const Blocks& in) {
  perform(comm, collective, how, uses, [&](Steps& s) {
    for (int r = 0; r < comm.peers().size(); ++r) s.receive(in[r], r);
    for (int r = 0; r < comm.peers().size(); ++r) s.send(out[r], r);
    s.wait();
  });
}

void inter_reduce(Communicator& comm, const How& how, const GivenReduction& given, int root) {
  check_inter_root(comm, root);
  if (root == MPI_PROC_NULL) return perform(comm, Collective::reduce, how, {}, [](Steps&) {});
  GivenReduction data = given;
  if (root == MPI_ROOT) data.send = MPI_IN_PLACE;
  const Reduction r(comm, data, root == MPI_ROOT);
  perform(comm, Collective::reduce, how, {{r.type}, r.op}, [&](Steps& s) {
    if (root == MPI_ROOT) return s.receive_now(r.result, 0);
    OwnGroup own(s, comm);
    const Buffer sum = own.leads() ? s.scratch(r.own) : Buffer{};
    own.reduce(r.own, sum, r.op->commutative());
    if (own.leads()) s.send_now(sum, root);
  });
}

void inter_allreduce(Communicator& comm, const How& how, const GivenReduction& given) {
  if (given.in_place()) refuse_in_place("sendbuf");
  const Reduction r(comm, given);
  perform(comm, Collective::allreduce, how, {{r.type}, r.op}, [&](Steps& s) {
    OwnGroup own(s, comm);
    const Buffer sum = own.leads() ? s.scratch(r.own) : Buffer{};
    own.reduce(r.own, sum, r.op->commutative());
    if (own.leads()) s.exchange(sum, 0, r.result, 0);
    own.bcast(r.result);
  });
}

void inter_reduce_scatter(Communicator& comm, const How& how, Collective collective,
                          const GivenReduction& given, std::span<const std::int64_t> counts) {
  if (given.in_place()) refuse_in_place("sendbuf");
  GivenReduction whole = given;
  whole.count = checked_size(std::accumulate(counts.begin(), counts.end(), Wide{0}), MPI_ERR_COUNT);
  Reduction r(comm, whole);
  r.result.count = counts[static_cast<std::size_t>(comm.rank())];
  perform(comm, collective, how, {{r.type}, r.op}, [&](Steps& s) {
    OwnGroup own(s, comm);
    const Buffer sum = own.leads() ? s.scratch(r.own) : Buffer{};
    own.reduce(r.own, sum, r.op->commutative());
    if (!own.leads()) return own.team().receive_now(r.result, 0);
    const Buffer theirs = s.scratch(r.own);
    s.exchange(sum, 0, theirs, 0);
    const Blocks blocks = Blocks::packed(theirs.address, counts, *r.type);
    for (int k = 1; k < own.team().size(); ++k) own.team().send(blocks[k], k);
    s.copy(blocks[0], r.result);
    s.wait();
  });
}

}  // namespace heddle::mpi::collectives
