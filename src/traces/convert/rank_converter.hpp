// Writes the operations of one rank.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "goal/schedule_builder.hpp"
#include "traces/convert/acknowledgements.hpp"
#include "traces/convert/active_requests.hpp"
#include "traces/convert/collectives.hpp"
#include "traces/convert/communicators.hpp"
#include "traces/convert/config.hpp"
#include "traces/convert/one_sided_ops.hpp"
#include "traces/convert/pinned_memory.hpp"
#include "traces/convert/posts.hpp"
#include "traces/convert/rank_frontier.hpp"
#include "traces/convert/rank_plan.hpp"
#include "traces/convert/tags.hpp"

namespace heddle::traces {

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
  /// A message, and what ends when it does.
  struct Posted {
    std::uint32_t op;
    std::uint32_t end;
  };

  // Time and order.
  std::uint64_t units(std::int64_t ps) const;
  void work(std::int64_t ps);
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

  // Messages and requests.
  std::uint32_t world_rank(const Call& call, std::int32_t peer) const;
  std::optional<Posted> post_send(const Call& call);
  std::optional<Posted> post_recv(const Call& call, std::int32_t peer, std::int32_t tag,
                                  std::uint64_t bytes);
  void activate(std::uint64_t request, std::uint32_t op, std::uint32_t post);
  std::int64_t sent(const ActiveRequest& active) const;
  void settle(const ActiveRequest& active);
  void complete(const ActiveRequest& active);

  const ConversionContext& context_;
  const RankTrace& trace_;
  std::uint32_t rank_;
  goal::ScheduleBuilder& out_;
  const RankPlan* plan_;
  RankPosts posts_;
  std::uint32_t call_ = 0;  ///< Index of the call being converted.
  RankFrontier frontier_;
  ActiveRequests requests_;
  std::map<std::uint64_t, std::uint32_t> persistent_;  ///< Request to the call that made it.
  std::map<std::uint32_t, std::uint32_t> collective_numbers_;  ///< By communicator.
  std::vector<bool> cancelled_;                                ///< By call, or empty.
  OneSidedOps one_sided_;
  Acknowledgements acknowledgements_;
  PinnedMemory pinned_;
  std::uint64_t messages_ = 0;  ///< Of the call being converted.
  std::uint64_t bytes_ = 0;
};

}  // namespace heddle::traces
