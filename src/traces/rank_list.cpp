#include "traces/rank_list.hpp"

#include <fmt/core.h>

#include "traces/readers/fields.hpp"

namespace heddle::traces {

RankList::RankList(std::span<const std::uint32_t> ranks) {
  for (std::size_t i = 0; i < ranks.size();) {
    Run run{ranks[i], 1, 1};
    if (i + 1 < ranks.size()) run.step = std::int64_t{ranks[i + 1]} - ranks[i];
    while (i + run.count < ranks.size() && ranks[i + run.count] == run.last() + run.step) {
      ++run.count;
    }
    i += run.count;
    runs_.push_back(run);
  }
}

std::optional<RankList::Run> RankList::read_run(std::string_view text, std::uint32_t ranks) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    const auto number = whole_number<std::int64_t>(text.substr(at, end - at));
    if (!number || *number <= -std::int64_t{ranks} || *number >= ranks) return std::nullopt;
    numbers.push_back(*number);
    at = end + 1;
  }
  constexpr std::size_t kOfRun = 3;
  if (numbers.size() != 1 && numbers.size() != kOfRun) return std::nullopt;
  if (numbers.front() < 0) return std::nullopt;
  Run run{static_cast<std::uint32_t>(numbers.front()), 1, 1};
  if (numbers.size() == 1) return run;
  run.step = numbers[2];
  const std::int64_t way = numbers[1] - numbers[0];
  if (numbers[1] < 0 || run.step == 0 || way % run.step != 0 || way / run.step < 1) {
    return std::nullopt;
  }
  run.count = static_cast<std::uint32_t>(way / run.step) + 1;
  return run;
}

std::optional<RankList> RankList::read(std::string_view text, std::uint32_t ranks) {
  RankList list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::optional<Run> run = read_run(text.substr(at, end - at), ranks);
    if (!run) return std::nullopt;
    list.runs_.push_back(*run);
    at = end + 1;
  }
  return list;
}

std::string RankList::text() const {
  std::string text;
  for (const Run& run : runs_) {
    if (!text.empty()) text += ',';
    text += run.count == 1 ? fmt::format("{}", run.first)
                           : fmt::format("{}:{}:{}", run.first, run.last(), run.step);
  }
  return text;
}

std::vector<std::uint32_t> RankList::ranks() const {
  std::vector<std::uint32_t> list;
  for (const Run& run : runs_) {
    for (std::uint32_t i = 0; i < run.count; ++i) {
      list.push_back(static_cast<std::uint32_t>(run.first + i * run.step));
    }
  }
  return list;
}

}  // namespace heddle::traces
