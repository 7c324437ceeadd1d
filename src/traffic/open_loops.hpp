// The open loop of a run, or those of its parts.
#pragma once

#include <utility>
#include <vector>

#include "traffic/workload.hpp"

namespace heddle::traffic {

/// Each has nodes of its own; sums of all.
class OpenLoops {
 public:
  explicit OpenLoops(std::vector<OpenLoop> loops) : loops_(std::move(loops)) {}

  OpenLoop& operator[](std::size_t part) { return loops_[part]; }
  const OpenLoop& operator[](std::size_t part) const { return loops_[part]; }
  std::size_t size() const { return loops_.size(); }

  void move_to(Window window) {
    for (OpenLoop& loop : loops_) loop.move_to(window);
  }
  void close(Time end) {
    for (OpenLoop& loop : loops_) loop.close(end);
  }
  Bytes created_before(Time end) const {
    return sum<Bytes>([end](const OpenLoop& loop) { return loop.created_before(end); });
  }
  std::uint64_t offered_messages() const {
    return sum<std::uint64_t>([](const OpenLoop& loop) { return loop.offered_messages(); });
  }
  Bytes offered_bytes() const {
    return sum<Bytes>([](const OpenLoop& loop) { return loop.offered_bytes(); });
  }
  std::size_t nodes_past_window() const {
    return sum<std::size_t>([](const OpenLoop& loop) { return loop.nodes_past_window(); });
  }

 private:
  template <class Sum, class Of>
  Sum sum(Of of) const {
    Sum sum{};
    for (const OpenLoop& loop : loops_) sum += of(loop);
    return sum;
  }

  std::vector<OpenLoop> loops_;
};

}  // namespace heddle::traffic
