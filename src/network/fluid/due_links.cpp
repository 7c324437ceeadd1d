#include "network/fluid/due_links.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// Loads that differ by less than this part of the capacity are the same: it is rounding.
constexpr double kSameLoad = 1e-13;

/// Of a tolerance, what is for the level and for the load. Variables that a constraint holds load
/// it by no more than 1 + kMostTolerance of its capacity: together they are not more than all of
/// the tolerance.
constexpr double kLevelPart = 0.8;
constexpr double kLoadPart = 0.1;
static_assert(kLevelPart * (1 + DueLinks::kMostTolerance) + kLoadPart < 1);

/// Whether a link can sleep is tried after so many changes of its users, and one more per so many
/// users; with few users it is not worth the while.
constexpr std::size_t kChangesToSleep = 2;
constexpr std::size_t kUsersPerChange = 16;
constexpr std::size_t kFewUsers = 4;

}  // namespace

DueLinks::DueLinks(SharingGraph& graph, double tolerance)
    : graph_(graph),
      queue_(graph.constraints()),
      same_level_(std::max(kSameLevel, kLevelPart * tolerance)),
      same_load_(std::max(kSameLoad, kLoadPart * tolerance)) {}

void DueLinks::begin() {
  work_ = 0;
  for (const Constraint constraint : noted_) enqueue(constraint);
}

/// Whether the constraint was not due, but is: its sums no longer give its level.
bool DueLinks::becomes_due(Constraint constraint) {
  SharingGraph::Link& link = graph_.link(constraint);
  if (link.due || (link.asleep && !wakes_up(constraint))) return false;
  if (is_out_of_date(constraint)) {
    set(link);
    return true;
  }
  const std::size_t users = graph_.users(constraint).size();
  if (link.held == 0 && users > kFewUsers &&
      link.changes > kChangesToSleep + users / kUsersPerChange) {
    let_sleep(constraint);
  }
  return false;
}

bool DueLinks::wakes_up(Constraint constraint) {
  if (graph_.link(constraint).gap >= 0) return false;
  graph_.wake(constraint);
  work_ += graph_.users(constraint).size();
  return true;
}

bool DueLinks::has_room_to_sleep(Constraint constraint) const {
  return graph_.link(constraint).gap > SharingGraph::kRoomToSleep * graph_.capacity(constraint);
}

/// Lets a constraint that holds nobody sleep if it is far from full.
void DueLinks::let_sleep(Constraint constraint) {
  graph_.sum_up(constraint);
  work_ += graph_.users(constraint).size();
  if (!has_room_to_sleep(constraint)) return;
  graph_.sleep(constraint);
  if (graph_.link(constraint).gap < 0) graph_.wake(constraint);
}

}  // namespace heddle::network
