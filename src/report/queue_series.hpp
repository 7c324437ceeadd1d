// Queues, pauses, marks and rates as time went by.
#pragma once

#include "platform/platform.hpp"
#include "record/wait_samples.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// Of all links together, and of those with most of each, until `end`. Null where nothing waited,
/// as in networks without packets.
Json queues_json(const record::WaitSamples& waits, const platform::Platform& platform, Time end);

}  // namespace heddle::report
