// Whether a schedule that is to be generated can be held.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::goal {

/// Refuses at once what would run for hours and end without memory: throws InputError for more
/// operations than there can be or than the machine has memory for. A double, as it may be more
/// than any schedule holds.
void require_room(std::string_view pattern, std::int64_t ranks, double operations);

}  // namespace heddle::goal
