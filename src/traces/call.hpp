// One call of a program, as the common form of traces has it.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::traces {

/// MPI calls that matter to a schedule, by what they mean; all others only take time.
enum class CallKind : std::uint8_t {
  send,
  recv,
  sendrecv,
  start,      ///< Of persistent requests.
  wait,       ///< For all requests named.
  wait_any,   ///< For one of them.
  wait_some,  ///< For at least one of them.
  test,       ///< May have found any of them complete.
  request_free,
  cancel,
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  scatter,
  allgather,
  alltoall,
  scan,
  exscan,
  reduce_scatter,
  comm_dup,
  comm_split,
  comm_create,        ///< The trace does not say who is in the new communicator.
  comm_create_group,  ///< Nor here, but they are the ones who call it.
  finalize,
  put,  ///< A one-sided transfer.
  see,  ///< Goes on when some of those are there.
};
std::string_view name_of(CallKind kind);
constexpr bool is_collective(CallKind k) {
  return k >= CallKind::barrier && k <= CallKind::reduce_scatter;
}
constexpr bool creates_communicator(CallKind k) {
  return k >= CallKind::comm_dup && k <= CallKind::comm_create_group;
}
constexpr bool takes_requests(CallKind k) {
  return k >= CallKind::start && k <= CallKind::cancel;
}

inline constexpr std::int32_t kAnyPeer = -1;  ///< MPI_ANY_SOURCE, MPI_ANY_TAG.
inline constexpr std::int32_t kNoPeer = -2;   ///< MPI_PROC_NULL: nothing happens.
inline constexpr std::uint32_t kNoList = UINT32_MAX;
inline constexpr std::uint64_t kUnsaid = UINT64_MAX;

/// One call. Peers and roots are ranks of its communicator.
struct Call {
  CallKind kind = CallKind::finalize;
  bool nonblocking = false;
  bool persistent = false;   ///< Only makes a request that `start` begins.
  bool synchronous = false;  ///< Ends only when it is received, whatever its size.
  bool detached = false;     ///< Of a nonblocking send: its end is of no interest.
  bool buffered = false;     ///< A detached send that is a call like MPI_Bsend.
  bool per_member = false;   ///< A v-collective: the sizes differ from member to member.
  bool untyped = false;      ///< Its list counts elements of unknown size.
  std::uint8_t element = 1;  ///< Bytes of an element, where the trace says; they count as wholes.
  std::uint32_t line = 0;
  std::uint32_t comm = 0;  ///< Index in RankTrace::comms.
  std::int64_t start = 0;  ///< Picoseconds on the rank's own clock, which starts at 0.
  std::int64_t end = 0;
  /// Of a message; what a member adds to a collective, gets by a scatter or sends to each member.
  std::uint64_t bytes = 0;
  std::uint64_t recv_bytes = 0;  ///< Received by a sendrecv.
  /// What a call says of each other member's part: of what it gets from them, or as the root of a
  /// scatter sends to them; kUnsaid if nothing.
  std::uint64_t others = kUnsaid;
  std::uint64_t buffer = 0;  ///< Address; 0 if unknown.
  std::uint64_t recv_buffer = 0;
  /// Address of the (first) request; of a put its number in Trace::one_sided.
  std::uint64_t request = 0;
  std::uint32_t requests = 0;  ///< How many.
  /// In RankTrace::lists: bytes sent to each member, bytes of each member's part of a
  /// reduce_scatter, the requests, or the transfers that are seen.
  std::uint32_t list = kNoList;
  std::uint32_t others_list = kNoList;  ///< In RankTrace::lists, for each member: as `others`.
  std::int32_t peer = 0;                ///< Destination, source, root, or the colour of a split.
  std::int32_t source = 0;              ///< Of a sendrecv.
  std::int32_t tag = 0;                 ///< Or the key of a split.
  std::int32_t recv_tag = 0;

  std::int64_t duration() const { return end - start; }
};

/// To begin with: copying it is quicker than making another.
inline constexpr Call kNoCall;

/// Kinds as a set.
using CallKinds = std::uint32_t;
constexpr CallKinds set_of(CallKind k) {
  return CallKinds{1} << static_cast<unsigned>(k);
}
constexpr CallKinds set_of(CallKind first, CallKind last) {
  return (set_of(last) << 1) - set_of(first);
}
/// In a set of what calls are: one of which the trace leaves open what it waits for or gets.
inline constexpr CallKinds kOpenCalls = CallKinds{1} << 31;
constexpr bool is_open(const Call& call) {
  const bool chooses = call.kind == CallKind::wait_any || call.kind == CallKind::wait_some;
  const bool any_tag = (call.kind == CallKind::recv && call.tag < 0) ||
                       (call.kind == CallKind::sendrecv && call.recv_tag < 0);
  return chooses || any_tag || call.synchronous;
}

}  // namespace heddle::traces
