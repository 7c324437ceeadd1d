// What is known of a rank's messages once those of all ranks have been seen.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/convert/posts.hpp"

namespace heddle::traces {

inline constexpr std::int64_t kNeverSent = INT64_MAX;

/// The other end of a synchronous message.
struct Acknowledged {
  std::uint32_t rank = 0;
  std::uint32_t number =
      kNoPost;  ///< Among such messages from and to the same ranks; if it is one.
};

/// What a rank is told by having looked at all of them.
struct RankPlan {
  std::vector<std::int32_t> tags;  ///< By post: the tag it turns out to have.
  /// By post: when its message was sent, by the sender's clock; kNeverSent if that is not known.
  std::vector<std::int64_t> sent;
  /// By call: how much of its duration passes before messages; empty: nothing of any.
  std::vector<std::int64_t> before;
  /// By post; empty if no message is synchronous.
  std::vector<Acknowledged> acknowledged;
};

}  // namespace heddle::traces
