// What a program did, call by call: the common form of the traces that can be converted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "traces/call.hpp"
#include "traces/call_list.hpp"
#include "traces/rank_list.hpp"

namespace heddle::traces {

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
  CallList calls;
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
