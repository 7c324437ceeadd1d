// Writes the operations of one rank.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "goal/schedule.hpp"
#include "traces/convert/collectives.hpp"
#include "traces/convert/communicators.hpp"
#include "traces/convert/config.hpp"
#include "traces/convert/pinned_memory.hpp"
#include "traces/convert/posts.hpp"
#include "traces/convert/tags.hpp"

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

/// What the converters of all ranks share.
struct ConversionContext {
  const Trace& trace;
  const ConvertConfig& config;
  const Communicators& communicators;
  const Collectives& collectives;
  Tags& tags;
  ConversionReport& report;
  /// By rank: the transfers that come to it or that it answers others with, in their order; empty
  /// without any.
  const std::vector<std::vector<std::uint32_t>>& one_sided;
};

class RankConverter {
 public:
  /// With a plan follows it; without, the messages are as the rank's own trace has them.
  RankConverter(const ConversionContext& context, std::uint32_t rank, goal::ScheduleBuilder& out,
                const RankPlan* plan);

  /// Writes the rank between begin_rank() and end_rank(); gives the messages it posted.
  RankPosts run();

 private:
  /// A request under way.
  struct Active {
    std::uint32_t op;    ///< That ends when the request is complete.
    std::uint32_t post;  ///< Or kNoPost.
    std::uint32_t order;
    std::uint32_t maybe_op = kNoPost;  ///< The last call that may have found it complete.
    std::uint32_t maybe_call = 0;
  };
  using Requests = std::map<std::uint64_t, Active>;
  /// A message, and what ends when it does.
  struct Posted {
    std::uint32_t op;
    std::uint32_t end;
  };

  // Time and order.
  std::uint64_t units(std::int64_t ps) const;
  void work(std::int64_t ps);
  std::uint32_t add_calc(std::uint64_t value);
  void after_frontier(std::uint32_t op);
  void only(std::uint32_t op);
  void before_messages();
  void after_messages();
  std::int64_t planned_before() const;
  void pin(std::uint64_t address, std::uint64_t bytes);

  // Calls.
  void convert(const Call& call);
  void convert_message(const Call& call);
  void convert_sendrecv(const Call& call);
  void convert_start(const Call& call);
  void convert_wait(const Call& call);
  void convert_choice(const Call& call);
  void convert_test(const Call& call);
  void convert_request_free(const Call& call);
  void convert_collective(const Call& call);
  void convert_one_sided();
  void convert_put(const Call& call);
  void convert_see(const Call& call);
  void pin_collective(const Call& call);

  // Messages and requests.
  std::uint32_t world_rank(const Call& call, std::int32_t peer) const;
  std::optional<Posted> post_send(const Call& call);
  std::optional<Posted> post_recv(const Call& call, std::int32_t peer, std::int32_t tag,
                                  std::uint64_t bytes);
  Acknowledged acknowledged() const;
  std::uint32_t await_acknowledgement(std::uint32_t send);
  void acknowledge(std::uint32_t recv);
  void activate(std::uint64_t request, std::uint32_t op, std::uint32_t post);
  std::int64_t sent(const Active& active) const;
  void settle(const Active& active);
  void complete(const Active& active);
  template <class Visitor>
  void for_requests(const Call& call, Visitor visit);
  void find_cancelled();

  const ConversionContext& context_;
  const RankTrace& trace_;
  std::uint32_t rank_;
  goal::ScheduleBuilder& out_;
  const RankPlan* plan_;
  RankPosts posts_;
  std::uint32_t call_ = 0;             ///< Index of the call being converted.
  std::vector<std::uint32_t> ends_;    ///< What comes next waits for the end of these,
  std::vector<std::uint32_t> starts_;  ///< and for the start of these.
  Requests requests_;
  std::map<std::uint64_t, std::uint32_t> persistent_;  ///< Request to the call that made it.
  std::uint32_t activated_ = 0;
  std::map<std::uint32_t, std::uint32_t> collective_numbers_;  ///< By communicator.
  std::vector<bool> cancelled_;                                ///< By call.
  /// By the number of a one-sided transfer: what ends when it is there.
  std::unordered_map<std::uint32_t, std::uint32_t> transfers_;
  /// By the number of a question for data: that of the answer.
  std::unordered_map<std::uint32_t, std::uint32_t> answers_;
  PinnedMemory pinned_;
  std::uint64_t messages_ = 0;  ///< Of the call being converted.
  std::uint64_t bytes_ = 0;
};

}  // namespace heddle::traces
