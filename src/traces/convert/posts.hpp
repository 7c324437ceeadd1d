// Messages between two ranks, as the ranks post them, and which send belongs to which receive.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/trace.hpp"

namespace heddle::traces {

inline constexpr std::uint32_t kNoPost = UINT32_MAX;

/// A send or receive that a rank posts.
struct Post {
  bool sends = false;
  std::uint32_t call = 0;  ///< That posts it.
  std::uint32_t comm = 0;
  std::uint32_t peer = 0;  ///< Rank of the schedule, or kAnySource.
  std::int32_t tag = 0;    ///< Or kAnyPeer.
  bool synchronous = false;
};

/// That a call does not end before a post is complete.
struct Completion {
  std::uint32_t call;
  std::uint32_t post;
};

struct RankPosts {
  std::vector<Post> posts;
  std::vector<Completion> completions;  ///< In the order of calls.
};

/// The other end of a post.
struct Counterpart {
  std::uint32_t rank = 0;
  std::uint32_t post = kNoPost;
  /// Whether it can be no other: MPI leaves no choice.
  bool certain = false;
};

/// By rank and post. Receives take, in the order they are posted, the first message of each source
/// that fits; one from any source takes the one that was sent first by the ranks' clocks.
std::vector<std::vector<Counterpart>> pair_up(const Trace& trace,
                                              const std::vector<RankPosts>& ranks);

}  // namespace heddle::traces
