#include "host/cores.hpp"

#include <algorithm>

#include "host/job.hpp"
#include "host/rank.hpp"

namespace heddle::host {

Time Cores::reserve(const Rank& rank, Time now, Time duration) {
  const auto cores = static_cast<std::size_t>(platform_.node(rank.node()).cores);
  const bool crowded = rank.job().ranks_on(rank.node()).size() * per_rank_ > cores;
  Time begin = now;
  Time* core = nullptr;
  Time* turn = nullptr;
  if (crowded) {
    Free& free = cores_of(rank.node());
    core = &*std::min_element(free.begin(), free.end());
    begin = std::max(begin, *core);
  }
  if (rank.has_threads()) {
    Free& free = turns_of(rank);
    turn = &*std::min_element(free.begin(), free.end());
    begin = std::max(begin, *turn);
  }
  const Time end = begin + duration;
  if (core != nullptr) *core = end;
  if (turn != nullptr) *turn = end;
  return end;
}

Cores::Free& Cores::cores_of(NodeId node) {
  Free& free = cores_[node];
  if (free.empty()) free.resize(static_cast<std::size_t>(platform_.node(node).cores));
  return free;
}

Cores::Free& Cores::turns_of(const Rank& rank) {
  Free& free = turns_[static_cast<std::uint32_t>(rank.id())];
  if (free.empty()) free.resize(per_rank_);
  return free;
}

}  // namespace heddle::host
