// Operations that became free together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "goal/schedule.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Of one rank. They start by kind, else as they came: each kind has its own list, and nothing is
/// sorted.
class FreedOps {
 public:
  bool empty() const { return size_ == 0; }
  [[gnu::always_inline]] void add(goal::OpKind kind, OpId op) {
    ++size_;
    List& list = by_kind_[static_cast<std::size_t>(kind)];
    if (list.size == list.room) return add_with_room(list, op);
    list.ops[list.size++] = op;
  }
  /// Calls `work(kind, op)` for sends and calcs, `receive(op)` for receives, which then are no
  /// longer here; neither adds any.
  template <class Work, class Receive>
  [[gnu::always_inline]] void take_all(Work work, Receive receive) {
    size_ = 0;
    take(goal::OpKind::send, [&](OpId op) { work(goal::OpKind::send, op); });
    take(goal::OpKind::recv, receive);
    take(goal::OpKind::calc, [&](OpId op) { work(goal::OpKind::calc, op); });
  }

 private:
  struct List {
    std::size_t size = 0;
    std::size_t room = 0;
    std::vector<OpId> ops;  ///< `room` of them, of which `size` are here.
  };
  template <class Start>
  void take(goal::OpKind kind, Start start) {
    List& list = by_kind_[static_cast<std::size_t>(kind)];
    const std::size_t size = std::exchange(list.size, 0);
    for (std::size_t i = 0; i < size; ++i) start(list.ops[i]);
  }
  [[gnu::noinline]] static void add_with_room(List& list, OpId op) {
    list.room = 2 * list.size + 16;
    list.ops.resize(list.room);
    list.ops[list.size++] = op;
  }

  List by_kind_[3];
  std::size_t size_ = 0;  ///< Of all three.
};

}  // namespace heddle::replay
