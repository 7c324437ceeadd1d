// What an engine is given to replay.
#pragma once

#include <cstdint>

#include "replay/engine/parts.hpp"
#include "replay/engine/shared_networks.hpp"
#include "replay/options.hpp"

namespace heddle::replay {

/// All ranks of a schedule, or those of a part. At most one of the networks is there; none: LogGOPS
/// carries the messages. Whatever is named outlives the engine.
struct EngineInput {
  const goal::Schedule& schedule;
  const ReplayOptions& options;
  UnitPairs units;
  const Parts* parts = nullptr;  ///< None: all ranks are replayed here.
  std::size_t me = 0;            ///< Of the parts.
  Carrier* carrier = nullptr;
  const SharedFabric* fabric = nullptr;
  SharedPackets* packets = nullptr;

  /// The length of a window: what happens here reaches other parts later than that.
  Time window() const {
    if (fabric != nullptr) return fabric->window();
    if (packets != nullptr) return packets->window;
    return CostModel(options.parameters).lookahead();
  }
};

}  // namespace heddle::replay
