// How much operations of a schedule may ask for, so that no replay of it leaves simulated time.
#pragma once

#include <cstdint>
#include <string>

#include "core/time.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

/// Instants beyond this (2^61 ps, 26 days) are errors, so that sums of a few never overflow.
inline constexpr std::int64_t kLatest = INT64_MAX / 4;

/// The most that one operation may take of a replay: less than simulated time, whatever the unit.
struct ValueLimits {
  std::uint64_t calc = kLatest / 1000;  ///< In the schedule's time unit; here nanoseconds.
  std::uint64_t bytes = std::uint64_t{1} << 48;
};
/// Those of a schedule whose calcs count `unit`.
ValueLimits limits_for(Time unit);
/// What is wrong with the value of a calc or a send, or nothing.
std::string beyond(const PackedOp& op, std::uint64_t value, const ValueLimits& limits);
/// Throws InputError with rank, label and line of the first operation beyond the limits.
void require_within(const Schedule& schedule, const ValueLimits& limits);

}  // namespace heddle::goal
