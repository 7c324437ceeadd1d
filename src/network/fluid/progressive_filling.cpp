#include "network/fluid/progressive_filling.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

using Link = SharingGraph::Link;
using Share = SharingGraph::Share;
using Use = SharingGraph::Use;
using User = SharingGraph::User;

/// The heap takes the candidates of this part of the way from the least level to the mean.
constexpr double kHeapShare = 0.25;

}  // namespace

void ProgressiveFilling::clear() {
  ++run_;
  reached_.clear();
  opened_.clear();
  waiting_.clear();
  heap_.clear();
}

void ProgressiveFilling::open(Variable variable) {
  graph_.release(variable);
  graph_.find_limit(variable, true);
  const Share& share = graph_.share(variable);
  opened_.push_back(variable);
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared()) reach(use.constraint);
  }
  if (share.limit == SharingGraph::kUnbounded) return;
  const auto constraints = static_cast<std::uint32_t>(graph_.constraints());
  const bool bounded = share.limited_by == SharingGraph::kBound;
  waiting_.push_back({share.limit, bounded ? constraints + variable : share.limited_by});
}

void ProgressiveFilling::reach(Constraint constraint) {
  if (reached_in_[constraint] == run_) return;
  reached_in_[constraint] = run_;
  reached_.push_back(constraint);
}

/// Opens what is connected to the constraints reached so far. A variable is open once one of its
/// constraints has been read; the others find it marked by its first use.
void ProgressiveFilling::gather() {
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    Link& link = graph_.link(reached_[i]);
    graph_.let_go(reached_[i]);
    open_[reached_[i]] = static_cast<std::uint32_t>(graph_.users(reached_[i]).size());
    for (const User& user : graph_.users(reached_[i])) {
      if (!is_open(user.variable)) open(user.variable);
      link.slope += user.coefficient * graph_.share(user.variable).rise;
    }
    waiting_.push_back({0, reached_[i]});
  }
}

/// The level at which a constraint is full only rises while others hold variables of it, so the
/// candidates' levels are lower bounds that are corrected when they come up.
void ProgressiveFilling::run() {
  gather();
  double level = 0;
  for (still_open_ = opened_.size(); still_open_ > 0;) {
    if (heap_.empty()) refill();
    if (heap_.empty()) break;
    consider(heap_.top(), level);
  }
  for (std::size_t o = 0; still_open_ > 0; ++o) {
    if (is_open(opened_[o])) {
      freeze_at_limit(opened_[o], graph_.share(opened_[o]).limit);
    }
  }
}

/// The variable that has its limit at the candidate, or kNobody.
ProgressiveFilling::Variable ProgressiveFilling::limited(std::uint32_t id) const {
  const auto constraints = static_cast<std::uint32_t>(graph_.constraints());
  return id >= constraints ? id - constraints : graph_.seat(id).only;
}

void ProgressiveFilling::consider(const Candidate& top, double& level) {
  const std::uint32_t id = top.id;
  if (const Variable variable = limited(id); variable != SharingGraph::kNobody) {
    level = std::max(level, top.level);
    heap_.pop();
    if (is_open(variable)) freeze_at_limit(variable, level);
  } else if (open_[id] == 0) {
    heap_.pop();
  } else if (const double now = std::max(level, level_of(id)); now > heap_end_) {
    heap_.pop();
    waiting_.push_back({now, id});
  } else if (now > top.level) {
    heap_.replace_top({now, id});
  } else {
    heap_.pop();
    level = now;
    freeze(id, level);
  }
}

/// Moves the lower part of the candidates that wait to the heap, which is empty. Most of them have
/// nothing open any more before their turn comes, and are never put in order.
void ProgressiveFilling::refill() {
  std::size_t kept = 0;
  double least = SharingGraph::kUnbounded;
  double sum = 0;
  for (Candidate candidate : waiting_) {
    if (limited(candidate.id) == SharingGraph::kNobody) {
      if (open_[candidate.id] == 0) continue;
      candidate.level = level_of(candidate.id);
    }
    least = std::min(least, candidate.level);
    sum += candidate.level;
    waiting_[kept++] = candidate;
  }
  heap_end_ = std::max(least, least + kHeapShare * (sum / static_cast<double>(kept) - least));
  waiting_.resize(kept);
  kept = 0;
  for (const Candidate& candidate : waiting_) {
    if (candidate.level <= heap_end_) {
      heap_.append(candidate);
    } else {
      waiting_[kept++] = candidate;
    }
  }
  waiting_.resize(kept);
  heap_.order();
}

/// The constraint is full: it holds all of its users that are still open.
void ProgressiveFilling::freeze(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  double slope = 0;
  const std::span<const User> users = graph_.users(constraint);
  for (std::uint32_t place = 0; place < users.size(); ++place) {
    const User user = users[place];
    if (!is_open(user.variable)) continue;
    freeze(user.variable, constraint, level);
    graph_.take_in(constraint, place);
    slope += user.coefficient * graph_.share(user.variable).rise;
  }
  link.slope = slope;
  link.level = level;
  link.gap -= slope * level;
}

void ProgressiveFilling::freeze_at_limit(Variable variable, double level) {
  const Share& share = graph_.share(variable);
  freeze(variable, share.limited_by, level);
  graph_.note_limit(share, level);
}

void ProgressiveFilling::freeze(Variable variable, Constraint holder, double level) {
  Share& share = graph_.share(variable);
  share.held_by = holder;
  --still_open_;
  for (const Use& use : graph_.uses(share)) {
    if (!use.is_shared() || use.constraint == holder) continue;
    Link& link = graph_.link(use.constraint);
    const double load = use.coefficient * share.rise;
    link.gap -= load * level;
    link.highest = std::max(link.highest, level);
    link.slope = --open_[use.constraint] == 0 ? 0 : link.slope - load;
  }
}

}  // namespace heddle::network
