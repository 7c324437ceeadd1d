#include "host/rank/shared_run.hpp"

#include <utility>

#include "host/rank/rank_site.hpp"

namespace heddle::host {

void GlobalsTurn::enter(RankSite& rank) {
  if (inside_ == &rank) return;
  leave();
  inside_ = &rank;
  rank.program().enter(rank.self());
  if (rank.process() != nullptr) rank.process()->enter();
}

void GlobalsTurn::leave() {
  if (inside_ == nullptr) return;
  RankSite& rank = *std::exchange(inside_, nullptr);
  if (rank.process() != nullptr) rank.process()->leave();
  rank.program().leave(rank.self());
}

}  // namespace heddle::host
