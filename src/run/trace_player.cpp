#include "run/trace_player.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace heddle::run {
namespace {

using traces::Call;
using traces::CallKind;
using traces::RankTrace;

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
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    std::int64_t clock = 0;
    for (const Call& call : trace_.calls) {
      compute(call.start - clock);
      clock = call.end;
      if (const int result = play(call); result != MPI_SUCCESS) fail(call, result);
    }
    PMPI_Finalize();
  }

 private:
  /// What MPI refuses is wrong in the trace.
  [[noreturn]] void fail(const Call& call, int code) const {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    PMPI_Error_string(code, text.data(), &length);
    throw InputError(trace_.where(call),
                     std::string(traces::name_of(call.kind)) + ": " +
                         std::string(text.data(), static_cast<std::size_t>(length)));
  }

  void compute(std::int64_t ps) {
    if (ps <= 0) return;
    const host::Call mark(rank_);
    rank_.thread().work().compute(Time::ps(ps));
  }

  int play(const Call& call) {
    switch (call.kind) {
      case CallKind::send:
        return send(call);
      case CallKind::recv:
        return receive(call);
      case CallKind::sendrecv:
        return PMPI_Sendrecv_c(out_, elements(call, call.bytes), type_of(call), peer(call.peer),
                               call.tag, in_, elements(call, call.recv_bytes), type_of(call),
                               peer(call.source), call.recv_tag < 0 ? MPI_ANY_TAG : call.recv_tag,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      case CallKind::wait:
        return wait(call);
      case CallKind::test:
        return test(call);
      case CallKind::finalize:
        return MPI_SUCCESS;
      default:
        return call.per_member ? uneven(call) : even(call);
    }
  }

  static int peer(std::int32_t peer) {
    return peer == traces::kAnyPeer  ? MPI_ANY_SOURCE
           : peer == traces::kNoPeer ? MPI_PROC_NULL
                                     : peer;
  }

  int send(const Call& call) {
    const auto count = static_cast<MPI_Count>(call.bytes);
    const int to = peer(call.peer);
    if (call.buffered) {
      provide_buffer();
      return PMPI_Bsend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD);
    }
    if (call.nonblocking) {
      MPI_Request& request = requests_[call.request];
      return call.synchronous
                 ? PMPI_Issend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD, &request)
                 : PMPI_Isend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD, &request);
    }
    return call.synchronous ? PMPI_Ssend_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD)
                            : PMPI_Send_c(out_, count, MPI_BYTE, to, call.tag, MPI_COMM_WORLD);
  }

  /// For any number of buffered sends: nothing is written to it.
  void provide_buffer() {
    if (!std::exchange(has_buffer_, true)) {
      PMPI_Buffer_attach_c(out_, std::numeric_limits<MPI_Count>::max());
    }
  }

  int receive(const Call& call) {
    const auto count = static_cast<MPI_Count>(call.bytes);
    const int from = peer(call.peer);
    const int tag = call.tag < 0 ? MPI_ANY_TAG : call.tag;
    if (call.nonblocking) {
      MPI_Request& request = requests_[call.request];
      return PMPI_Irecv_c(in_, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
    }
    return PMPI_Recv_c(in_, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  int wait(const Call& call) {
    if (call.list == traces::kNoList) return wait_for(call.request);
    std::vector<MPI_Request> list;
    for (const std::uint64_t id : trace_.lists[call.list]) {
      const auto found = requests_.find(id);
      if (found == requests_.end()) continue;
      list.push_back(found->second);
      requests_.erase(found);
    }
    std::vector<MPI_Status> statuses(list.size());
    const int result = PMPI_Waitall(static_cast<int>(list.size()), list.data(), statuses.data());
    if (result != MPI_ERR_IN_STATUS) return result;
    const auto failed = std::ranges::find_if(
        statuses, [](const MPI_Status& status) { return status.MPI_ERROR != MPI_SUCCESS; });
    return failed == statuses.end() ? result : failed->MPI_ERROR;
  }
  int wait_for(std::uint64_t id) {
    const auto found = requests_.find(id);
    if (found == requests_.end()) return MPI_SUCCESS;
    const int result = PMPI_Wait(&found->second, MPI_STATUS_IGNORE);
    requests_.erase(found);
    return result;
  }
  int test(const Call& call) {
    const auto found = requests_.find(call.request);
    int flag = 0;
    if (found == requests_.end()) return MPI_SUCCESS;
    return PMPI_Test(&found->second, &flag, MPI_STATUS_IGNORE);
  }

  int even(const Call& call) {
    const MPI_Count n = elements(call, call.bytes);
    const MPI_Count m = call.others == traces::kUnsaid ? n : elements(call, call.others);
    const MPI_Datatype type = type_of(call);
    constexpr MPI_Comm kAll = MPI_COMM_WORLD;
    switch (call.kind) {
      case CallKind::barrier:
        return PMPI_Barrier(kAll);
      case CallKind::bcast:
        return PMPI_Bcast_c(in_, n, type, call.peer, kAll);
      case CallKind::reduce:
        return PMPI_Reduce_c(out_, in_, n, type, op_of(call), call.peer, kAll);
      case CallKind::allreduce:
        return PMPI_Allreduce_c(out_, in_, n, type, op_of(call), kAll);
      case CallKind::scan:
        return PMPI_Scan_c(out_, in_, n, type, op_of(call), kAll);
      case CallKind::exscan:
        return PMPI_Exscan_c(out_, in_, n, type, op_of(call), kAll);
      case CallKind::gather:
        return PMPI_Gather_c(out_, n, type, in_, m, type, call.peer, kAll);
      case CallKind::scatter:
        return PMPI_Scatter_c(out_, m, type, in_, n, type, call.peer, kAll);
      case CallKind::allgather:
        return PMPI_Allgather_c(out_, n, type, in_, m, type, kAll);
      case CallKind::alltoall:
        return PMPI_Alltoall_c(out_, n, type, in_, m, type, kAll);
      default:
        return MPI_SUCCESS;
    }
  }

  /// What each member's part has, in elements; none where the trace does not say.
  std::vector<MPI_Count> each(const Call& call, std::uint32_t list) const {
    std::vector<MPI_Count> counts(ranks_);
    if (list == traces::kNoList) return counts;
    for (std::size_t r = 0; r < ranks_; ++r) counts[r] = elements(call, trace_.lists[list][r]);
    return counts;
  }

  int uneven(const Call& call) {
    const MPI_Count n = elements(call, call.bytes);
    const MPI_Datatype type = type_of(call);
    const std::vector<MPI_Aint> places(ranks_);
    const std::vector<MPI_Count> mine = each(call, call.list);
    const std::vector<MPI_Count> others = each(call, call.others_list);
    constexpr MPI_Comm kAll = MPI_COMM_WORLD;
    switch (call.kind) {
      case CallKind::gather:
        return PMPI_Gatherv_c(out_, n, type, in_, others.data(), places.data(), type, call.peer,
                              kAll);
      case CallKind::scatter:
        return PMPI_Scatterv_c(out_, others.data(), places.data(), type, in_, n, type, call.peer,
                               kAll);
      case CallKind::allgather:
        return PMPI_Allgatherv_c(out_, n, type, in_, others.data(), places.data(), type, kAll);
      case CallKind::reduce_scatter:
        return PMPI_Reduce_scatter_c(out_, in_, mine.data(), type, op_of(call), kAll);
      default:
        return PMPI_Alltoallv_c(out_, mine.data(), places.data(), type, in_, others.data(),
                                places.data(), type, kAll);
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
  return call.comm == 0 && !call.persistent && !traces::creates_communicator(call.kind) &&
         (call.kind <= CallKind::sendrecv || call.kind == CallKind::wait ||
          call.kind == CallKind::test || call.kind == CallKind::finalize ||
          traces::is_collective(call.kind)) &&
         !(traces::is_collective(call.kind) && call.nonblocking);
}

}  // namespace

TracePlayer::TracePlayer(const traces::Trace& trace) : trace_(trace) {
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
