#include "run/trace_player.hpp"

#include <mpi.h>

#include <limits>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace heddle::run {
namespace {

using replay::Call;
using replay::CallKind;
using replay::RankTrace;

MPI_Datatype type_of(const Call& call) {
  return call.element == 8 ? MPI_DOUBLE : call.element == 4 ? MPI_INT : MPI_BYTE;
}
MPI_Count elements(const Call& call, std::uint64_t bytes) {
  const std::uint64_t size = call.element == 8 || call.element == 4 ? call.element : 1;
  return static_cast<MPI_Count>(bytes / size);
}
MPI_Op op_of(const Call& call) {
  return type_of(call) == MPI_BYTE ? MPI_BOR : MPI_SUM;
}

/// One rank's part of a trace, played by that rank.
class RankPlayer {
 public:
  RankPlayer(const RankTrace& trace, std::size_t ranks, host::Rank& rank)
      : trace_(trace), ranks_(ranks), rank_(rank) {}

  void run() {
    PMPI_Init(nullptr, nullptr);
    std::int64_t clock = 0;
    for (const Call& call : trace_.calls) {
      compute(call.start - clock);
      clock = call.end;
      play(call);
    }
    PMPI_Finalize();
  }

 private:
  void compute(std::int64_t ps) {
    if (ps <= 0) return;
    const host::Call mark(rank_);
    rank_.compute(Time::ps(ps));
  }

  void play(const Call& call) {
    switch (call.kind) {
      case CallKind::send:
        return send(call);
      case CallKind::recv:
        return receive(call);
      case CallKind::sendrecv:
        PMPI_Sendrecv_c(out_, elements(call, call.bytes), type_of(call), peer(call.peer), call.tag,
                        in_, elements(call, call.recv_bytes), type_of(call), peer(call.source),
                        call.recv_tag < 0 ? MPI_ANY_TAG : call.recv_tag, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
        return;
      case CallKind::wait:
        return wait(call);
      case CallKind::test:
        return test(call);
      case CallKind::finalize:
        return;
      default:
        return call.per_member ? uneven(call) : even(call);
    }
  }

  static int peer(std::int32_t peer) {
    return peer == replay::kAnyPeer  ? MPI_ANY_SOURCE
           : peer == replay::kNoPeer ? MPI_PROC_NULL
                                     : peer;
  }

  void send(const Call& call) {
    const auto count = static_cast<MPI_Count>(call.bytes);
    const int to = peer(call.peer);
    if (call.buffered) {
      provide_buffer();
      PMPI_Bsend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD);
    } else if (call.nonblocking) {
      MPI_Request& request = requests_[call.request];
      call.synchronous
          ? PMPI_Issend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD, &request)
          : PMPI_Isend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD, &request);
    } else {
      call.synchronous ? PMPI_Ssend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD)
                       : PMPI_Send_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD);
    }
  }

  /// For any number of buffered sends: nothing is written to it.
  void provide_buffer() {
    if (!std::exchange(has_buffer_, true))
      PMPI_Buffer_attach_c(out_, std::numeric_limits<MPI_Count>::max());
  }

  void receive(const Call& call) {
    const auto count = static_cast<MPI_Count>(call.bytes);
    const int from = peer(call.peer);
    const int tag = call.tag < 0 ? MPI_ANY_TAG : call.tag;
    if (call.nonblocking) {
      PMPI_Irecv_c(in_, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_[call.request]);
    } else {
      PMPI_Recv_c(in_, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }

  void wait(const Call& call) {
    if (call.list == replay::kNoList) return wait_for(call.request);
    std::vector<MPI_Request> list;
    for (const std::uint64_t id : trace_.lists[call.list]) {
      const auto found = requests_.find(id);
      if (found == requests_.end()) continue;
      list.push_back(found->second);
      requests_.erase(found);
    }
    PMPI_Waitall(static_cast<int>(list.size()), list.data(), MPI_STATUSES_IGNORE);
  }
  void wait_for(std::uint64_t id) {
    const auto found = requests_.find(id);
    if (found == requests_.end()) return;
    PMPI_Wait(&found->second, MPI_STATUS_IGNORE);
    requests_.erase(found);
  }
  void test(const Call& call) {
    const auto found = requests_.find(call.request);
    int flag = 0;
    if (found != requests_.end()) PMPI_Test(&found->second, &flag, MPI_STATUS_IGNORE);
  }

  void even(const Call& call) {
    const MPI_Count n = elements(call, call.bytes);
    const MPI_Count m = call.others == replay::kUnsaid ? n : elements(call, call.others);
    const MPI_Datatype type = type_of(call);
    constexpr MPI_Comm kAll = MPI_COMM_WORLD;
    switch (call.kind) {
      case CallKind::barrier:
        PMPI_Barrier(kAll);
        return;
      case CallKind::bcast:
        PMPI_Bcast_c(in_, n, type, call.peer, kAll);
        return;
      case CallKind::reduce:
        PMPI_Reduce_c(out_, in_, n, type, op_of(call), call.peer, kAll);
        return;
      case CallKind::allreduce:
        PMPI_Allreduce_c(out_, in_, n, type, op_of(call), kAll);
        return;
      case CallKind::scan:
        PMPI_Scan_c(out_, in_, n, type, op_of(call), kAll);
        return;
      case CallKind::exscan:
        PMPI_Exscan_c(out_, in_, n, type, op_of(call), kAll);
        return;
      case CallKind::gather:
        PMPI_Gather_c(out_, n, type, in_, m, type, call.peer, kAll);
        return;
      case CallKind::scatter:
        PMPI_Scatter_c(out_, m, type, in_, n, type, call.peer, kAll);
        return;
      case CallKind::allgather:
        PMPI_Allgather_c(out_, n, type, in_, m, type, kAll);
        return;
      case CallKind::alltoall:
        PMPI_Alltoall_c(out_, n, type, in_, m, type, kAll);
        return;
      default:
        return;
    }
  }

  /// What each member's part has, in elements; none where the trace does not say.
  std::vector<MPI_Count> each(const Call& call, std::uint32_t list) const {
    std::vector<MPI_Count> counts(ranks_);
    if (list == replay::kNoList) return counts;
    for (std::size_t r = 0; r < ranks_; ++r) counts[r] = elements(call, trace_.lists[list][r]);
    return counts;
  }

  void uneven(const Call& call) {
    const MPI_Count n = elements(call, call.bytes);
    const MPI_Datatype type = type_of(call);
    const std::vector<MPI_Aint> places(ranks_);
    const std::vector<MPI_Count> mine = each(call, call.list);
    const std::vector<MPI_Count> others = each(call, call.others_list);
    constexpr MPI_Comm kAll = MPI_COMM_WORLD;
    switch (call.kind) {
      case CallKind::gather:
        PMPI_Gatherv_c(out_, n, type, in_, others.data(), places.data(), type, call.peer, kAll);
        return;
      case CallKind::scatter:
        PMPI_Scatterv_c(out_, others.data(), places.data(), type, in_, n, type, call.peer, kAll);
        return;
      case CallKind::allgather:
        PMPI_Allgatherv_c(out_, n, type, in_, others.data(), places.data(), type, kAll);
        return;
      case CallKind::reduce_scatter:
        PMPI_Reduce_scatter_c(out_, in_, mine.data(), type, op_of(call), kAll);
        return;
      default:
        PMPI_Alltoallv_c(out_, mine.data(), places.data(), type, in_, others.data(), places.data(),
                         type, kAll);
        return;
    }
  }

  const RankTrace& trace_;
  std::size_t ranks_;
  host::Rank& rank_;
  std::unordered_map<std::uint64_t, MPI_Request> requests_;
  bool has_buffer_ = false;
  // Addresses that nothing is read from or written to.
  char out_[1] = {};
  char in_[1] = {};
};

bool can_play(const Call& call) {
  return call.comm == 0 && !call.persistent && !replay::creates_communicator(call.kind) &&
         (call.kind <= CallKind::sendrecv || call.kind == CallKind::wait ||
          call.kind == CallKind::test || call.kind == CallKind::finalize ||
          replay::is_collective(call.kind)) &&
         !(replay::is_collective(call.kind) && call.nonblocking);
}

}  // namespace

TracePlayer::TracePlayer(const replay::Trace& trace) : trace_(trace) {
  for (const RankTrace& rank : trace.ranks) {
    for (const Call& call : rank.calls) {
      if (can_play(call)) continue;
      throw InputError(rank.where(call),
                       "a call that MPI cannot be given without the program: accepted are "
                       "time-independent traces; `heddle convert` makes a schedule of others");
    }
  }
}

int TracePlayer::run(host::Rank& rank) {
  const auto id = static_cast<std::size_t>(rank.id());
  RankPlayer(trace_.ranks[id], trace_.ranks.size(), rank).run();
  return 0;
}

}  // namespace heddle::run
