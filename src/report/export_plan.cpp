#include "report/export_plan.hpp"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <charconv>

#include "core/error.hpp"
#include "core/units.hpp"
#include "record/overview.hpp"

namespace heddle::report {
namespace {

using record::Kind;
using record::Record;

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == between) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

[[noreturn]] void refuse_filter(const std::string& option, const std::string& part) {
  throw InputError({option}, "'" + part +
                                 "' is not accepted: accepted are ranks=0-7+12, time=1ms:2ms and "
                                 "kinds=activities+calls+messages+links, with commas between");
}

constexpr std::uint32_t kMostNumber = 1 << 26;

std::uint32_t rank_number(const std::string& option, const std::string& word) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value > kMostNumber) {
    refuse_filter(option, word);
  }
  return value;
}

void read_ranks(ExportFilter& filter, const std::string& option, const std::string& text) {
  for (const std::string& range : parts_of(text, '+')) {
    const std::vector<std::string> ends = parts_of(range, '-');
    if (ends.size() > 2) refuse_filter(option, range);
    const std::uint32_t first = rank_number(option, ends.front());
    const std::uint32_t last = rank_number(option, ends.back());
    if (last < first) refuse_filter(option, range);
    if (filter.ranks.size() <= last) filter.ranks.resize(last + 1);
    for (std::uint32_t r = first; r <= last; ++r) filter.ranks[r] = true;
  }
}

void read_time(ExportFilter& filter, const std::string& option, const std::string& text) {
  const std::vector<std::string> ends = parts_of(text, ':');
  if (ends.size() != 2) refuse_filter(option, text);
  const auto instant = [&](const std::string& word, Time otherwise) {
    if (word.empty()) return otherwise;
    const auto time = parse_time(word);
    if (!time) refuse_filter(option, word);
    return *time;
  };
  filter.from = instant(ends[0], Time::zero());
  filter.to = instant(ends[1], Time::never());
  if (filter.to < filter.from) {
    throw InputError({option}, "'" + text + "' ends before it begins: accepted is FROM:TO");
  }
}

void read_kinds(ExportFilter& filter, const std::string& option, const std::string& text) {
  filter.activities = filter.calls = filter.messages = filter.links = false;
  for (const std::string& kind : parts_of(text, '+')) {
    bool* const wanted = kind == "activities" ? &filter.activities
                         : kind == "calls"    ? &filter.calls
                         : kind == "messages" ? &filter.messages
                         : kind == "links"    ? &filter.links
                                              : nullptr;
    if (wanted == nullptr) refuse_filter(option, kind);
    *wanted = true;
  }
}

}  // namespace

bool ExportFilter::wants(const Record& r) const {
  if (r.end < from || r.begin > to) return false;
  switch (r.kind) {
    case Kind::span:
    case Kind::wait:
      return activities && r.end > r.begin && wants_rank(r.rank);
    case Kind::call:
      return calls && wants_rank(r.rank);
    case Kind::message:
      return messages && (wants_rank(r.rank) || wants_rank(r.peer));
    case Kind::step:
      return false;
  }
  return false;
}

ExportFilter parse_filter(const std::string& text, const std::string& option) {
  ExportFilter filter;
  if (text.empty()) return filter;
  for (const std::string& part : parts_of(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (equals == part.npos) refuse_filter(option, part);
    const std::string value = part.substr(equals + 1);
    if (name == "ranks") {
      read_ranks(filter, option, value);
    } else if (name == "time") {
      read_time(filter, option, value);
    } else if (name == "kinds") {
      read_kinds(filter, option, value);
    } else {
      refuse_filter(option, part);
    }
  }
  return filter;
}

bool ExportPlan::takes(const Record& r) const {
  if (r.kind == Kind::message) return r.number % every_message == 0;
  return r.end - r.begin >= shortest;
}

std::string ExportPlan::text() const {
  std::string text;
  if (left_out > 0) {
    text =
        fmt::format("{} intervals shorter than {} are left out", left_out, format_time(shortest));
  }
  if (every_message > 1) {
    text += fmt::format("{}one of {} messages is shown", text.empty() ? "" : "; ", every_message);
  }
  return text;
}

void visit_wanted(const record::Recording& recorder, const ExportFilter& filter,
                  const std::function<void(const Record&)>& visit) {
  recorder.for_each([&](Record r) {
    if (record::is_message(r, recorder)) {
      r.kind = Kind::message;
      r.number = r.step;
    }
    if (filter.wants(r)) visit(r);
  });
}

/// An eighth of the file is left for the rest; half of that room is for intervals, the longest
/// first, and half for messages.
ExportPlan plan_export(const record::Recording& recorder, const ExportFilter& filter,
                       const ExportSizes& sizes) {
  std::array<std::uint64_t, 65> by_length{};
  std::uint64_t messages = 0;
  visit_wanted(recorder, filter, [&](const Record& r) {
    if (r.kind == Kind::message) {
      ++messages;
    } else {
      ++by_length[std::bit_width(static_cast<std::uint64_t>((r.end - r.begin).ps()))];
    }
  });
  const std::int64_t half = (filter.most_bytes - filter.most_bytes / 8) / 2;
  const auto room = static_cast<std::uint64_t>(half / sizes.interval);
  const auto for_messages = static_cast<std::uint64_t>(half / sizes.message);
  ExportPlan plan;
  plan.every_message = std::max<std::uint64_t>(
      1, (messages + for_messages - 1) / std::max<std::uint64_t>(1, for_messages));
  std::uint64_t taken = 0;
  std::size_t k = by_length.size();
  while (k > 0 && taken + by_length[k - 1] <= room) taken += by_length[--k];
  for (std::size_t i = 0; i < k; ++i) plan.left_out += by_length[i];
  if (k > 0) plan.shortest = Time::ps(static_cast<std::int64_t>(std::uint64_t{1} << (k - 1)));
  return plan;
}

}  // namespace heddle::report
