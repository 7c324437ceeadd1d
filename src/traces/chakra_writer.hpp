// Writes schedules as Chakra execution traces, for others' tools to look at.
#pragma once

#include <cstdint>
#include <string>

#include "core/time.hpp"
#include "goal/schedule.hpp"

namespace heddle::traces {

/// One rank's file: a node per operation, which depends on those that it waits for; `unit` is what
/// 1 means in a calc. Durations are whole microseconds, as the format has them; an attribute of our
/// own, duration_picos, says them exactly. What waits for the start of another operation waits for
/// what that waits for. Throws InputError for receives from any rank, which the format does not
/// have.
std::string chakra_file_of(const goal::Schedule& schedule, std::uint32_t rank, Time unit);

}  // namespace heddle::traces
