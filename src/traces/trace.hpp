// What a program did, call by call: the common form of the traces that can be converted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "traces/rank_list.hpp"

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

/// A communicator as one rank names it.
struct CommName {
  std::uint64_t handle = 0;
  std::int32_t rank = 0;
  std::int32_t size = 0;
  bool operator==(const CommName&) const = default;
};

/// A blocking collective of some ranks, whose messages are among the calls of each.
struct Among {
  Call call;                ///< What it is; its root is a number among the members.
  std::uint32_t group = 0;  ///< The members: RankTrace::groups.
  std::size_t first = 0;    ///< The first of its calls,
  std::size_t end = 0;      ///< and the one behind the last.
};

struct RankTrace {
  std::string file;
  std::vector<Call> calls;
  std::vector<Among> among = {};      ///< In their order.
  std::vector<RankList> groups = {};  ///< In the order of their first use.
  std::vector<CommName> comms;
  std::vector<std::vector<std::uint64_t>> lists;
  std::uint32_t request_size = 8;  ///< Bytes from one request of an array to the next.
  /// Functions that are not known to be local and have no counterpart in a schedule: how often.
  std::map<std::string, std::uint64_t> left_out;
  /// What else is to be known of it, in words of its reader: how often.
  std::map<std::string, std::uint64_t> remarks = {};
  std::uint64_t backwards = 0;  ///< Times that lie before the one before them.

  SourceLocation where(const Call& call) const { return {file, call.line}; }
};

/// A transfer that its receiver has no call for.
struct OneSided {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t bytes = 0;
  std::uint32_t number = 0;  ///< Among those between these ranks.
  /// The transfer whose arrival started it; kNoCause: a call of the sender's.
  std::uint32_t cause = kNoCause;
  bool costs = false;  ///< The sender's processor pays for it.
  bool gets = false;   ///< Asks for data, or has them in answer.
  /// What it answers, if it has data that were asked for.
  std::uint32_t question = kNoCause;

  static constexpr std::uint32_t kNoCause = UINT32_MAX;
};

/// The traces of all ranks, in their order.
struct Trace {
  std::vector<RankTrace> ranks;
  std::string source;  ///< What the user named.
  /// A communicator has the same handle on all its members, and each of them names it; the world's
  /// is the first of every rank.
  bool agreed_handles = false;
  std::vector<OneSided> one_sided = {};  ///< In the order of their starting.
};

}  // namespace heddle::traces
