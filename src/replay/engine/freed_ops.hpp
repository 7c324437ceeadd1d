// Operations that became free together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "replay/schedule.hpp"

namespace heddle::replay {

/// Of one rank. They start by kind, else as they came: each kind has its own list, and nothing is
/// sorted.
class FreedOps {
 public:
  void add(OpKind kind, std::uint32_t op) {
    List& list = by_kind_[static_cast<std::size_t>(kind)];
    if (list.size == list.ops.size()) list.ops.resize(2 * list.size + 16);
    list.ops[list.size++] = op;
  }
  /// Calls `start(op)` for all of a kind, which then are no longer here; it adds none.
  template <class Start>
  void take(OpKind kind, Start start) {
    List& list = by_kind_[static_cast<std::size_t>(kind)];
    const std::size_t size = std::exchange(list.size, 0);
    for (std::size_t i = 0; i < size; ++i) start(list.ops[i]);
  }

 private:
  struct List {
    std::size_t size = 0;
    std::vector<std::uint32_t> ops;  ///< Room for more than that.
  };
  List by_kind_[3];
};

}  // namespace heddle::replay
