#include "host/rank/cores.hpp"

#include <algorithm>

namespace heddle::host {

Time Cores::reserve(const Member& member, Time now, Time duration) {
  const auto cores = static_cast<std::size_t>(platform_.node(member.node).cores);
  const bool crowded = member.on_node * per_rank_ > cores;
  Time begin = now;
  Time* core = nullptr;
  Time* turn = nullptr;
  if (crowded) {
    Free& free = cores_of(member.node);
    core = &*std::min_element(free.begin(), free.end());
    begin = std::max(begin, *core);
  }
  if (member.has_threads) {
    Free& free = turns_of(member.rank);
    turn = &*std::min_element(free.begin(), free.end());
    begin = std::max(begin, *turn);
  }
  const Time end = begin + duration;
  if (core != nullptr) *core = end;
  if (turn != nullptr) *turn = end;
  return end;
}

double Cores::slowness(NodeId node) {
  if (fastest_.flops() == 0) {
    for (std::uint32_t i = 0; i < platform_.nodes(); ++i) {
      fastest_ = std::max(fastest_, platform_.node(NodeId{i}).speed);
    }
  }
  return static_cast<double>(fastest_.flops()) /
         static_cast<double>(platform_.node(node).speed.flops());
}

Cores::Free& Cores::cores_of(NodeId node) {
  Free& free = cores_[node];
  if (free.empty()) free.resize(static_cast<std::size_t>(platform_.node(node).cores));
  return free;
}

Cores::Free& Cores::turns_of(std::uint32_t rank) {
  Free& free = turns_[rank];
  if (free.empty()) free.resize(per_rank_);
  return free;
}

}  // namespace heddle::host
