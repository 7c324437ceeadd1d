#include "replay/result.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::replay {
namespace {

std::string list(const Schedule& schedule, std::string_view what, const std::vector<OpRef>& ops) {
  constexpr std::size_t kShown = 5;
  if (ops.empty()) return {};
  std::string text = fmt::format("\n  {} {}:", ops.size(), what);
  for (std::size_t i = 0; i < std::min(ops.size(), kShown); ++i)
    text += "\n    " + schedule.describe(ops[i].rank, ops[i].op);
  if (ops.size() > kShown) text += fmt::format("\n    and {} more", ops.size() - kShown);
  return text;
}

std::string explain(const Schedule& schedule, const Leftovers& left, std::uint64_t events) {
  return fmt::format("the replay stalled after {} events", events) +
         list(schedule, "receives without a message", left.receives) +
         list(schedule, "messages that nobody received", left.sends) +
         list(schedule,
              left.receives.empty() && left.sends.empty()
                  ? "operations wait for each other in a cycle, or for one that does"
                  : "operations wait for others",
              left.waiting);
}

}  // namespace

std::uint32_t ReplayResult::last_rank() const {
  return static_cast<std::uint32_t>(std::max_element(finish.begin(), finish.end()) -
                                    finish.begin());
}

StallError::StallError(const Schedule& schedule, Leftovers leftovers, std::uint64_t events)
    : RunError(explain(schedule, leftovers, events)), leftovers_(std::move(leftovers)) {}

void throw_too_late(std::uint32_t rank) {
  throw RunError(fmt::format("rank {} works longer than simulated time reaches (26 days)", rank));
}

}  // namespace heddle::replay
