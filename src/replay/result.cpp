#include "replay/result.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace heddle::replay {
namespace {

std::string list(const goal::Schedule& schedule, std::string_view what,
                 const std::vector<goal::OpRef>& ops) {
  constexpr std::size_t kShown = 5;
  if (ops.empty()) return {};
  std::string text = fmt::format("\n  {} {}:", ops.size(), what);
  for (std::size_t i = 0; i < std::min(ops.size(), kShown); ++i) {
    text += "\n    " + schedule.describe(ops[i].rank, ops[i].op);
  }
  if (ops.size() > kShown) text += fmt::format("\n    and {} more", ops.size() - kShown);
  return text;
}

std::string explain(const goal::Schedule& schedule, const Leftovers& left, std::uint64_t events,
                    const std::string& stuck) {
  return fmt::format("the replay stalled after {} events", events) +
         (stuck.empty() ? "" : "\n  in the network, " + stuck) +
         list(schedule, "receives without a message", left.receives) +
         list(schedule, "messages that nobody received", left.sends) +
         list(schedule,
              stuck.empty() && left.receives.empty() && left.sends.empty()
                  ? "operations wait for each other in a cycle, or for one that does"
                  : "operations wait for others",
              left.waiting);
}

}  // namespace

RankId ReplayResult::last_rank() const {
  return RankId{
      static_cast<std::uint32_t>(std::max_element(finish.begin(), finish.end()) - finish.begin())};
}

std::uint64_t ReplayResult::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, a word at a time
  const auto add = [&hash](Time value) {
    hash = (hash ^ static_cast<std::uint64_t>(value.ps())) * 0x100000001b3;
  };
  for (std::size_t r = 0; r < finish.size(); ++r) {
    for (const Time time : {finish[r], adapters_free[r]}) add(time);
    for (const auto part : {times[r].compute, times[r].overhead, times[r].gap, times[r].noise}) {
      add(part);
    }
  }
  return hash;
}

StallError::StallError(const goal::Schedule& schedule, Leftovers leftovers, std::uint64_t events,
                       const std::string& stuck)
    : RunError(explain(schedule, leftovers, events, stuck)), leftovers_(std::move(leftovers)) {}

void throw_too_late(RankId rank) {
  throw RunError(
      fmt::format("rank {} works longer than simulated time reaches (26 days)", raw(rank)));
}

}  // namespace heddle::replay
