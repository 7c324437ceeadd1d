// One row of a trace of operations, and the names of its columns.
//
// A trace is a CSV file without quotes: the header below, then a row per activity that has ended,
// in the order in which their ends became known. Times are exact, in picoseconds. A rank is empty
// where the process is not a rank of the job, the virtual network where none is used.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/quantity.hpp"
#include "core/time.hpp"
#include "nic/observer.hpp"

namespace heddle::trace {

inline constexpr std::array<std::string_view, 11> kColumns = {
    "operation",  "activity", "initiator_rank", "initiator_nid", "target_rank", "target_nid",
    "size_bytes", "vn",       "start_ps",       "end_ps",        "failed"};

/// One end of an activity.
struct End {
  std::optional<std::uint32_t> rank;
  std::uint32_t nid = 0;
  bool operator==(const End&) const = default;
};

/// One activity; the fields mean what those of nic::ActivityRecord mean.
struct Row {
  std::uint64_t operation = 0;
  nic::Activity activity{};
  End initiator;
  End target;
  Bytes size;
  std::optional<std::uint8_t> virtual_network = 0;
  Time start;
  Time end;
  bool failed = false;
  bool operator==(const Row&) const = default;
};

}  // namespace heddle::trace
