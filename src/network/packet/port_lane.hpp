// One virtual lane of an output.
#pragma once

#include <memory>

#include "network/packet/fifo_buffer.hpp"
#include "network/packet/input_queues.hpp"
#include "network/packet/lane_credits.hpp"

namespace heddle::network {

/// Who waits for it, and the credits of the buffer at the far end. What a packet needs that passes
/// is in three lines of the cache, and news of credits is in the third.
struct alignas(64) PortLane {
  static constexpr std::size_t kPassing = 3;  ///< Those lines.

  InputQueues queues;
  std::int64_t packets = 0;  ///< That have passed, and their bytes.
  std::int64_t bytes = 0;
  LaneCredits credits;
  std::unique_ptr<FifoBuffer> buffer;  ///< The far one, if packets leave it in order.
};

}  // namespace heddle::network
