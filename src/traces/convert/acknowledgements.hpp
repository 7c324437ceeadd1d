// What tells the sender of a synchronous message that it was received.
#pragma once

#include <cstddef>
#include <cstdint>

#include "goal/schedule_builder.hpp"
#include "traces/convert/config.hpp"
#include "traces/convert/rank_plan.hpp"

namespace heddle::traces {

/// Those of one rank, with the plan that says which of its messages are synchronous.
class Acknowledgements {
 public:
  Acknowledgements(const RankPlan* plan, goal::ScheduleBuilder& out, ConversionReport& report)
      : plan_(plan), out_(out), report_(report) {}

  /// What ends when the message of `send` was received; `post` is its number among those posted.
  std::uint32_t await(std::uint32_t send, std::size_t post);
  /// Sends one when `recv` ends, if its message waits for that.
  void answer(std::uint32_t recv, std::size_t post);

 private:
  Acknowledged of(std::size_t post) const;

  const RankPlan* plan_;
  goal::ScheduleBuilder& out_;
  ConversionReport& report_;
};

}  // namespace heddle::traces
