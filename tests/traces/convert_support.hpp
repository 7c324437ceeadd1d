// Tiny traces, and schedules as text that is easy to compare.
#pragma once

#include <string>
#include <vector>

#include "goal/check.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/allprof_reader.hpp"

namespace heddle::traces {

/// Traces of liballprof from lines in which `C` stands for the world communicator of the rank and
/// `I` for the datatype of a 4-byte integer.
inline Trace allprof(const std::vector<std::string>& texts) {
  Trace trace;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    std::string text = "MPI_Init:-:1:2:1000\n";
    for (std::size_t i = 0; i < texts[r].size(); ++i) {
      const char c = texts[r][i];
      const bool alone = i > 0 && texts[r][i - 1] == ':' && texts[r][i + 1] == ':';
      if (alone && c == 'C') {
        text += "77," + std::to_string(r) + "," + std::to_string(texts.size());
      } else if (alone && c == 'I') {
        text += "1,4,4";
      } else {
        text += c;
      }
    }
    trace.ranks.push_back(parse_allprof(text, "rank" + std::to_string(r)));
  }
  trace.source = "test";
  return trace;
}

inline ConvertConfig defaults() {
  ConvertConfig config = convert_table().defaults();
  config.unit = Time::us(1);
  return config;
}

inline goal::Schedule schedule_of(const std::vector<std::string>& texts,
                                  const ConvertConfig& config = defaults()) {
  return convert(allprof(texts), config).schedule;
}

/// "calc 5", "send 40 to 1 tag 7", "recv 40 from * tag *"; tags of collectives as LogGOPSim has
/// them, without what sets them apart.
inline std::string text_of(const goal::Op& op) {
  if (op.kind == goal::OpKind::calc) return "calc " + std::to_string(op.value);
  const auto number = [](std::uint32_t n) { return n == UINT32_MAX ? "*" : std::to_string(n); };
  return std::string(op.kind == goal::OpKind::send ? "send " : "recv ") + std::to_string(op.value) +
         (op.kind == goal::OpKind::send ? " to " : " from ") + number(op.peer) + " tag " +
         number(op.tag == goal::kAnyTag ? goal::kAnyTag : op.tag % goal::kFirstCollectiveTag);
}

/// The operations of a rank in the order they are given.
inline std::vector<std::string> ops(const goal::Schedule& schedule, std::uint32_t rank) {
  std::vector<std::string> list;
  const goal::RankView view = schedule.rank(rank);
  for (std::uint32_t i = 0; i < view.size(); ++i) list.push_back(text_of(view.op(i)));
  return list;
}

/// The dependencies of a rank: "send 40 to 1 tag 7 after calc 5", "... starts after ...".
inline std::vector<std::string> dependencies(const goal::Schedule& schedule, std::uint32_t rank) {
  std::vector<std::string> list;
  const goal::RankView view = schedule.rank(rank);
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    for (const goal::Edge edge : view.successors(i)) {
      list.push_back(text_of(view.op(edge.target)) +
                     (edge.from_start ? " after start of " : " after ") + text_of(view.op(i)));
    }
  }
  return list;
}

/// Sends and receives only.
inline std::vector<std::string> messages(const goal::Schedule& schedule, std::uint32_t rank) {
  std::vector<std::string> list = ops(schedule, rank);
  std::erase_if(list, [](const std::string& op) { return op.starts_with("calc"); });
  return list;
}

}  // namespace heddle::traces
