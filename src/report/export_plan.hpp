// What of a recording goes to files for other tools, so that they are no larger than wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/recording.hpp"

namespace heddle::report {

/// What the user wants of it.
struct ExportFilter {
  std::vector<bool> ranks = {};  ///< Empty: all.
  Time from = Time::zero();
  Time to = Time::never();
  bool activities = true;
  bool calls = true;
  bool messages = true;
  bool links = true;
  std::int64_t most_bytes = std::int64_t{64} << 20;  ///< Of a file, about.

  bool wants(const record::Record& record) const;
  bool wants_rank(std::uint32_t rank) const {
    return ranks.empty() || (rank < ranks.size() && ranks[rank]);
  }
};

/// Reads "ranks=0-7+12,time=1ms:2ms,kinds=calls+messages". Throws InputError for `option`.
ExportFilter parse_filter(const std::string& text, const std::string& option);

/// What is left out of a file that would be too large: intervals shorter than `shortest`, and of
/// messages all but every so many.
struct ExportPlan {
  Time shortest;
  std::uint64_t every_message = 1;
  std::uint64_t left_out = 0;  ///< Intervals.

  bool takes(const record::Record& record) const;
  /// A sentence about what is missing, or "".
  std::string text() const;
};
/// What one of them takes in a file.
struct ExportSizes {
  std::int64_t interval;
  std::int64_t message;
};
/// Calls `visit` for what the filter wants; data that only adapters know of comes as messages.
void visit_wanted(const record::Recording& recorder, const ExportFilter& filter,
                  const std::function<void(const record::Record&)>& visit);
ExportPlan plan_export(const record::Recording& recorder, const ExportFilter& filter,
                       const ExportSizes& sizes);

}  // namespace heddle::report
