// Numbers of ranks.
#pragma once

#include "core/ids.hpp"

namespace heddle::host {

using heddle::RankId;

}  // namespace heddle::host
