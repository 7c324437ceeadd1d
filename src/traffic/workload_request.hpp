// A message that a node wants to send.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/quantity.hpp"
#include "core/time.hpp"

namespace heddle::traffic {

/// What a message belongs to.
enum class FlowKind : std::uint8_t { pattern, incast, outcast };

/// A message that a node wants to send.
struct Request {
  static constexpr std::uint64_t kUnnumbered = UINT64_MAX;
  Time created;
  NodeId destination;
  Bytes size;
  Bandwidth rate_cap = Bandwidth::unlimited();
  std::uint64_t id = kUnnumbered;  ///< Unnumbered messages are numbered as they start.
  std::uint8_t traffic_class = 0;
  FlowKind kind = FlowKind::pattern;
};

}  // namespace heddle::traffic
