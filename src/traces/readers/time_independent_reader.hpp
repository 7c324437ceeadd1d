// SimGrid's time-independent traces: one line per action, "rank action arguments".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "traces/readers/time_independent_actions.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// Adds the actions of time-independent traces to those of the ranks they name.
class TimeIndependentReader {
 public:
  /// `speed` turns flops into time.
  TimeIndependentReader(std::uint32_t ranks, Speed speed);
  void read(std::string_view text, const std::string& file);
  /// The traces, once all files are read. Throws InputError if a rank has none.
  std::vector<RankTrace> finish(const std::string& source);

 private:
  void read_line(std::string_view line, std::uint32_t number, const std::string& file);
  void read_remark(std::string_view line, ActionFields& fields, std::uint32_t number);
  Action begin(ActionFields& fields, std::uint32_t line);
  Action read_action(ActionFields& fields, std::uint32_t line);
  void read_among(ActionFields& fields, std::uint32_t line);
  void read_end(ActionFields& fields, std::uint32_t line);
  void read_mark(ActionFields& fields, std::uint32_t line, bool RankActions::*mark);

  Speed speed_;
  std::vector<RankActions> ranks_;
};

/// The highest rank that a time-independent trace names, plus one. Throws InputError beyond `most`.
std::uint32_t count_ranks(std::string_view text, const std::string& file, std::uint32_t most);

}  // namespace heddle::traces
