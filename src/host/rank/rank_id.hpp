// Numbers of ranks.
#pragma once

#include <cstdint>

namespace heddle::host {

/// Of a rank among those of its job.
enum class RankId : std::uint32_t {};

}  // namespace heddle::host
