// Where code writes, and whether that changes anything.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "host/rank/code/number_index.hpp"

namespace heddle::host {

/// The places in code at which it writes memory that others may read.
class Stores {
 public:
  static constexpr std::size_t kMost = 256;

  void clear() { at_.clear(); }
  /// Which place that is among those that write, counted as they come; kMost: there are too many.
  /// `changes`: memory is another one than before.
  std::size_t note(std::uint64_t place, bool first_round, bool changes) {
    const std::size_t before = at_.size();
    const std::size_t number = at_.of(place);
    if (number == kMost) return kMost;
    Store& store = stores_[number];
    if (number == before) store = {false, false};
    bool& changed = first_round ? store.at_first : store.still;
    changed = changed || changes;
    return number;
  }
  /// Whether what is written first changes something that is not changed again and again: others
  /// may wait for that, and it has not been written yet.
  bool leave_something_to_do() const {
    const auto end = stores_.begin() + static_cast<std::ptrdiff_t>(at_.size());
    return std::any_of(stores_.begin(), end,
                       [](const Store& store) { return store.at_first && !store.still; });
  }

 private:
  /// Whether memory changes by it, before the code has come round, and since.
  struct Store {
    bool at_first;
    bool still;
  };
  NumberIndex<kMost> at_;
  std::array<Store, kMost> stores_;
};

}  // namespace heddle::host
