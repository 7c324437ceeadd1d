// What has arrived in a window, in the order in which one thread would have seen it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "traffic/parts/traffic_part.hpp"

namespace heddle::traffic {

/// Goes through the arrivals of all parts.
class ArrivalOrder {
 public:
  /// The parts are there when windows begin.
  explicit ArrivalOrder(const std::vector<TrafficPart*>& parts)
      : parts_(parts), taken_(parts.size()) {}

  /// A window is over.
  void restart() { std::ranges::fill(taken_, 0); }
  /// The next one, or null.
  const Arrived* next() {
    const Arrived* first = nullptr;
    std::size_t its_part = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::span<const Arrived> arrived = parts_[p]->arrived();
      if (taken_[p] == arrived.size()) continue;
      const Arrived& next = arrived[taken_[p]];
      if (first != nullptr && first->place < next.place) continue;
      first = &next;
      its_part = p;
    }
    if (first != nullptr) ++taken_[its_part];
    return first;
  }

 private:
  const std::vector<TrafficPart*>& parts_;
  std::vector<std::size_t> taken_;  ///< By part.
};

}  // namespace heddle::traffic
