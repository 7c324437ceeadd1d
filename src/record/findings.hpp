// What limits a run, in words and numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/critical_path.hpp"
#include "record/efficiency.hpp"
#include "record/overview.hpp"

namespace heddle::record {

/// What a better machine or program could give.
struct WhatIf {
  std::string key;   ///< For programs: "overhead", "link", ...
  std::string what;  ///< For people: "software overheads halved".
  Time gain;         ///< What the critical path would be shorter by; another may then be longer.
  /// What the run can gain: messages that are held up may be so by others then, for longer, too.
  Time at_least;
  Time at_most;
  bool sure = true;  ///< These are not far from each other: the gain is what a rerun would show.
};

struct LinkFact {
  std::uint32_t link = 0;
  std::string name;
  std::int64_t bytes = 0;
  double utilisation = 0;  ///< Of its bandwidth, over the run.
  double peak = 0;         ///< In its busiest slice of time.
  bool bus = false;        ///< Between memory and adapter.
};

/// What is known of links besides the path.
struct LinkFacts {
  std::vector<LinkFact> used;   ///< Busiest first.
  std::uint32_t of_fabric = 0;  ///< How many there are, used or not; 0: not known.
};

struct Findings {
  std::string cause;                   ///< The key of what limits the run most.
  std::vector<std::string> sentences;  ///< First the most important.
  std::vector<WhatIf> what_if;         ///< Largest gain first.
  Time floor;                          ///< What bytes alone take at the busiest link or bus,
  std::string floor_at;                ///< and its name; "": none was used.
};

Findings find_limits(const CriticalPath& path, const Overview& overview, const LinkFacts& links,
                     const Efficiency& efficiency = {});

/// "rank 3", "ranks 3 to 7", "ranks 1, 4 and 9", "16 ranks".
std::string ranks_text(const std::vector<std::uint32_t>& ranks);

}  // namespace heddle::record
