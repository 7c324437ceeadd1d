// Where the time of a rank went, by calls.
#pragma once

#include <cstdint>

#include "core/time.hpp"

namespace heddle::record {

/// What a rank did in calls of one name.
struct CallProfile {
  const char* name = "";
  std::uint64_t calls = 0;
  std::int64_t bytes = 0;  ///< Of the messages that were started in them.
  Time time = {};
  Time waiting = {};  ///< Of that, for others.
};

}  // namespace heddle::record
