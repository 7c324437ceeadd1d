// Operations that became free together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/schedule.hpp"

namespace heddle::replay {

/// Of one rank. They start by kind, else as they came: each kind has its own list, and nothing is
/// sorted.
class FreedOps {
 public:
  void add(OpKind kind, std::uint32_t op) {
    by_kind_[static_cast<std::size_t>(kind)].push_back(op);
  }
  /// Calls `start(op)` for all of a kind, which then are no longer here; it adds none.
  template <class Start>
  void take(OpKind kind, Start start) {
    std::vector<std::uint32_t>& ops = by_kind_[static_cast<std::size_t>(kind)];
    if (ops.empty()) return;
    for (const std::uint32_t op : ops) start(op);
    ops.clear();
  }

 private:
  std::vector<std::uint32_t> by_kind_[3];
};

}  // namespace heddle::replay
