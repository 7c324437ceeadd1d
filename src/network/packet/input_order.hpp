// Arbitration between the inputs that have packets for one lane of an output.
#pragma once

#include <cstddef>

#include "network/packet/input_queues.hpp"

namespace heddle::network {

/// In which order the inputs are asked: the first whose packet may pass has its turn. One for all
/// outputs: what it goes by stands in the queues.
class InputOrder {
 public:
  virtual ~InputOrder() = default;
  /// The queue that is asked first; there is one.
  virtual std::size_t first(const InputQueues& queues) const = 0;
  /// The one that is asked behind `asked`: each once before any is asked again.
  virtual std::size_t after(const InputQueues& queues, std::size_t asked) const = 0;
};

}  // namespace heddle::network
