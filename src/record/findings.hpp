// What limits a run, in words and numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/critical_path.hpp"
#include "record/overview.hpp"

namespace heddle::record {

/// What a better machine or program could give. A bound: another chain of activities may then be
/// the longest.
struct WhatIf {
  std::string key;   ///< For programs: "overhead", "link", ...
  std::string what;  ///< For people: "software overheads halved".
  Time gain;         ///< At most.
};

struct LinkFact {
  std::uint32_t link = 0;
  std::string name;
  std::int64_t bytes = 0;
  double utilisation = 0;  ///< Of its bandwidth, over the run.
  double peak = 0;         ///< In its busiest slice of time.
};

struct Findings {
  std::string cause;                   ///< The key of what limits the run most.
  std::vector<std::string> sentences;  ///< First the most important.
  std::vector<WhatIf> what_if;         ///< Largest gain first.
};

/// `links` are those that were used, busiest first.
Findings find_limits(const CriticalPath& path, const Overview& overview,
                     const std::vector<LinkFact>& links);

/// "rank 3", "ranks 3 to 7", "ranks 1, 4 and 9", "16 ranks".
std::string ranks_text(const std::vector<std::uint32_t>& ranks);

}  // namespace heddle::record
