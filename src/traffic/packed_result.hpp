// Results as bytes, to pass from a process to the one it is a copy of.
#pragma once

#include <string>

#include "traffic/traffic_result.hpp"

namespace heddle::traffic {

/// Means something only to processes that are copies of one another: names of statistics are passed
/// as the addresses of the literals that they are.
std::string packed(const TrafficResult& result);
TrafficResult unpacked(const std::string& bytes);

}  // namespace heddle::traffic
