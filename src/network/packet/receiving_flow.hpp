// Which packets of a flow have arrived at its destination.
#pragma once

#include <cstdint>

#include "core/containers/ring.hpp"

namespace heddle::network {

/// Knows numbers only.
class ReceivingFlow {
 public:
  enum class Arrival : std::uint8_t {
    expected,  ///< The next one in order.
    early,     ///< Others before it are missing.
    again,     ///< It has been here before.
  };

  Arrival arrival(std::int64_t number) const {
    if (number == up_to_) return Arrival::expected;
    return number < up_to_ || has(number) ? Arrival::again : Arrival::early;
  }
  /// A packet that was not here before is taken.
  void take(std::int64_t number) {
    const auto place = static_cast<std::size_t>(number - up_to_);
    if (place == 0 && beyond_.empty()) {
      ++up_to_;
      told_of_gap_ = false;
      return;
    }
    while (place >= beyond_.size()) beyond_.push_back(false);
    beyond_[place] = true;
    for (; !beyond_.empty() && beyond_.front(); beyond_.pop_front()) {
      ++up_to_;
      told_of_gap_ = false;
    }
  }
  /// All below have arrived.
  std::int64_t up_to() const { return up_to_; }
  /// Whether this is the first time that a packet is missed; once for each place.
  bool tell_of_gap() {
    const bool first = !told_of_gap_;
    told_of_gap_ = true;
    return first;
  }
  /// Packets taken since the last acknowledgement, with this one.
  std::int64_t count_taken() { return ++taken_; }
  void acknowledge() { taken_ = 0; }

 private:
  bool has(std::int64_t number) const {
    const auto place = static_cast<std::size_t>(number - up_to_);
    return place < beyond_.size() && beyond_[place];
  }

  std::int64_t up_to_ = 0;
  std::int64_t taken_ = 0;
  bool told_of_gap_ = false;
  Ring<bool> beyond_;  ///< From up_to_ on.
};

}  // namespace heddle::network
