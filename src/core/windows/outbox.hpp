// What one part of a simulation has for the others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/large_vector.hpp"

namespace heddle {

/// A box per part. What a window puts in can be read from settle() on, while the next window puts
/// in more; until the settle() after that.
template <class Message>
class Outbox {
 public:
  explicit Outbox(std::size_t parts) {
    for (auto& boxes : boxes_) boxes.resize(parts);
  }
  void put(std::size_t part, const Message& message) {
    boxes_[closed_ ^ 1][part].push_back(message);
  }
  std::span<const Message> to(std::size_t part) const { return boxes_[closed_][part]; }
  /// A window is over: calls `change` for every message of it.
  template <class Change>
  void settle(Change change) {
    closed_ ^= 1;
    for (auto& box : boxes_[closed_]) {
      for (Message& message : box) change(message);
    }
    clear(boxes_[closed_ ^ 1]);
  }
  /// All has been copied: its memory serves the next window.
  void forget() {
    clear(boxes_[closed_]);
    closed_ ^= 1;
  }

 private:
  using Boxes = std::vector<LargeVector<Message>>;
  static void clear(Boxes& boxes) {
    for (auto& box : boxes) box.clear();
  }

  Boxes boxes_[2];
  unsigned closed_ = 0;  ///< Which of the two can be read.
};

}  // namespace heddle
