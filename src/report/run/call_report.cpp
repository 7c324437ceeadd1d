#include "report/run/call_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/units.hpp"

namespace heddle::report {

using mpi::CallProfile;

std::vector<CallProfile> sum_by_name(const std::vector<const std::vector<CallProfile>*>& lists) {
  std::map<std::string_view, CallProfile> by_name;
  for (const std::vector<CallProfile>* list : lists) {
    for (const CallProfile& call : *list) {
      CallProfile& sum = by_name[call.name];
      sum.name = call.name;
      sum.calls += call.calls;
      sum.bytes += call.bytes;
      sum.time += call.time;
      sum.waiting += call.waiting;
    }
  }
  std::vector<CallProfile> calls;
  for (const auto& [name, call] : by_name) calls.push_back(call);
  std::ranges::stable_sort(calls, std::greater{}, &CallProfile::time);
  return calls;
}

std::string calls_text(const std::vector<CallProfile>& calls, const std::string& who) {
  constexpr std::size_t kShown = 6;
  const std::span shown(calls.data(), std::min(kShown, calls.size()));
  std::size_t width = 24;
  for (const CallProfile& call : shown) width = std::max(width, std::string_view(call.name).size());
  std::string text = fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>12}\n", "call, " + who, width,
                                 "calls", "sent", "time", "waiting");
  for (const CallProfile& call : shown) {
    text += fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>12}\n", call.name, width, call.calls,
                        format_bytes(Bytes(call.bytes)), format_time(call.time),
                        format_time(call.waiting));
  }
  if (calls.size() > kShown) text += fmt::format("  and {} more\n", calls.size() - kShown);
  return text;
}

Json calls_json(const std::vector<CallProfile>& calls) {
  Json list = Json::array();
  for (const CallProfile& call : calls) {
    Json& entry = list.emplace_back();
    entry["call"] = call.name;
    entry["calls"] = call.calls;
    put(entry, "sent", Bytes(call.bytes));
    put(entry, "time", call.time);
    put(entry, "waiting", call.waiting);
  }
  return list;
}

Json sizes_json(const record::MessageProfile& messages) {
  Json list = Json::array();
  const auto& sizes = messages.by_size();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k].messages == 0) continue;
    const std::int64_t from = k == 0 ? 0 : std::int64_t{1} << (k - 1);
    list.push_back({{"from_bytes", from},
                    {"to_bytes", k == 0 ? 0 : 2 * from - 1},
                    {"messages", sizes[k].messages},
                    {"bytes", sizes[k].bytes}});
  }
  return list;
}

Json pairs_json(const record::MessageProfile& messages) {
  Json list = Json::array();
  for (const auto& [pair, volume] : messages.by_pair()) {
    list.push_back({{"from", pair >> 32},
                    {"to", pair & UINT32_MAX},
                    {"messages", volume.messages},
                    {"bytes", volume.bytes}});
  }
  return list;
}

std::string calls_csv(std::uint32_t rank, const std::vector<CallProfile>& calls) {
  std::string text;
  for (const CallProfile& call : calls) {
    text += fmt::format("{},{},{},{},{},{}\n", rank, call.name, call.calls, call.bytes,
                        call.time.ps(), call.waiting.ps());
  }
  return text;
}

std::string pairs_csv(const record::MessageProfile& messages) {
  std::string text = "from,to,messages,bytes\n";
  for (const auto& [pair, volume] : messages.by_pair()) {
    text +=
        fmt::format("{},{},{},{}\n", pair >> 32, pair & UINT32_MAX, volume.messages, volume.bytes);
  }
  return text;
}

}  // namespace heddle::report
