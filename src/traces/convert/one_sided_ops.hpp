// What one-sided transfers are in a schedule.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "goal/schedule_builder.hpp"
#include "traces/convert/rank_frontier.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// Those of one rank.
class OneSidedOps {
 public:
  /// `all` are the transfers of the trace.
  OneSidedOps(const std::vector<OneSided>& all, std::uint32_t rank, goal::ScheduleBuilder& out,
              RankFrontier& frontier)
      : all_(all), rank_(rank), out_(out), frontier_(frontier) {}

  void add_unasked(std::span<const std::uint32_t> numbers);
  void put(std::uint32_t number);
  /// What comes next waits until these are there.
  void see(std::span<const std::uint64_t> numbers);

 private:
  const std::vector<OneSided>& all_;
  std::uint32_t rank_;
  goal::ScheduleBuilder& out_;
  RankFrontier& frontier_;
  /// By the number of a transfer: what ends when it is there.
  std::unordered_map<std::uint32_t, std::uint32_t> transfers_;
  /// By the number of a question for data: that of the answer.
  std::unordered_map<std::uint32_t, std::uint32_t> answers_;
};

}  // namespace heddle::traces
