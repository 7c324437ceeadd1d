#include "network/fluid/level_propagation.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// Sums are found anew after so many changes, and so many more per user.
constexpr std::size_t kChanges = 256;
constexpr std::size_t kChangesPerUser = 4;

}  // namespace

bool LevelPropagation::run(std::span<const Variable> newcomers, std::size_t most_work) {
  due_.begin();
  for (const Variable variable : newcomers) place(variable);
  while (!due_.empty()) {
    if (due_.work() > most_work) return false;
    look_at(due_.pop());
  }
  return true;
}

/// Puts a new variable to the constraint that is likely to hold it lowest.
void LevelPropagation::place(Variable variable) {
  const Share& share = graph_.share(variable);
  graph_.find_limit(variable, false);
  if (share.lone) return hold_at_limit(variable);
  double least = share.limit;
  Constraint holder = share.limited_by;
  double load = 0;
  for (const Use& use : graph_.uses(share)) {
    if (!use.is_shared()) continue;
    const Link& link = graph_.link(use.constraint);
    const double own = use.coefficient * share.rise;
    double level = link.level_for(link.room(), link.slope + own);
    if (link.asleep && level < least) {
      graph_.wake(use.constraint);
      level = link.level_for(link.room(), own);
    }
    if (level < least) {
      least = level;
      holder = use.constraint;
      load = own;
    }
  }
  if (holder == share.limited_by) {
    move(variable, 0, holder, least);
  } else if (least > graph_.link(holder).level) {  // It is due, and will rise for both.
    move(variable, 0, holder, graph_.link(holder).level);
  } else {
    Link& link = graph_.link(holder);
    const bool was_due = link.due;
    DueLinks::set(link);
    fall(holder, least, {variable, load, 0});
    if (!was_due) due_.clear(holder);
  }
  // Levels that are still to rise may be lower than this; a rise does not look for those above it.
  least = graph_.level(share);
  const Other other = elsewhere(share, holder);
  if (other.level < least * (1 - DueLinks::kSameLevel)) {
    move(variable, least, other.holder, other.level);
  }
}

void LevelPropagation::look_at(Constraint constraint) {
  Link& link = graph_.link(constraint);
  const std::size_t users = graph_.users(constraint).size();
  if ((link.held == 0 && due_.is_out_of_date(constraint)) ||
      link.changes > kChanges + kChangesPerUser * users) {
    graph_.sum_up(constraint);
    due_.count_work(users);
  }
  if (link.held == 0) {
    if (due_.is_out_of_date(constraint)) fall(constraint, 0, {SharingGraph::kNobody, 0, 0});
  } else {
    const double level = link.closed ? 0 : link.full_level();
    if (level > link.level * (1 + due_.same_level())) {
      rise(constraint, level);
    } else if (level < link.level * (1 - due_.same_level())) {
      fall(constraint, level, {SharingGraph::kNobody, 0, 0});
    }
  }
  due_.clear(constraint);
}

/// `level` is what the constraint would allow if all that it holds rose with it. What those leave
/// that another holds lower raises it further.
void LevelPropagation::rise(Constraint constraint, double level) {
  const Link& link = graph_.link(constraint);
  while (set_level(constraint, level) < level * (1 - DueLinks::kSameLevel)) {
    drop_those_held_lower(constraint);
    if (link.held == 0) return;
    level = link.full_level();
  }
}

/// Variables that another constraint holds lower go over to it.
void LevelPropagation::drop_those_held_lower(Constraint constraint) {
  const Link& link = graph_.link(constraint);
  const double level = link.level;
  for (std::uint32_t place = link.held; place-- > 0;) {
    const Variable variable = graph_.users(constraint)[place].variable;
    const Share& share = graph_.share(variable);
    const Other other = elsewhere(share, constraint);
    due_.count_work(share.count);
    if (other.level < level * (1 - DueLinks::kSameLevel)) {
      move(variable, level, other.holder, other.level);
    }
  }
}

LevelPropagation::Other LevelPropagation::elsewhere(const Share& share,
                                                    Constraint constraint) const {
  Other least{share.limit, share.limited_by};
  for (const Use& use : graph_.uses(share)) {
    if (!use.is_shared() || use.constraint == constraint) continue;
    const double level = graph_.link(use.constraint).level;
    if (level < least.level) least = {level, use.constraint};
  }
  return least;
}

/// `level` is what the constraint would allow if it took over nobody but the newcomer.
void LevelPropagation::fall(Constraint constraint, double level, Joiner newcomer) {
  level = find_joiners(constraint, level, newcomer);
  // One that holds nobody and takes over nobody is too full by rounding alone.
  if (joiners_.empty() && graph_.link(constraint).held == 0) return;
  set_level(constraint, level);
  for (const Joiner& joiner : joiners_) move(joiner.variable, joiner.level, constraint, level);
}

/// Notes those among the joiners; and the highest of the others.
void LevelPropagation::add_those_held_higher(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  const std::span<const User> users = graph_.users(constraint);
  due_.count_work(users.size());
  const std::size_t first = joiners_.size();
  std::size_t count = first;
  joiners_.resize(count + users.size() - link.held + 1);
  double highest = 0;
  for (std::size_t place = link.held; place < users.size(); ++place) {
    const User& user = users[place];
    const double held_at = graph_.level(user);
    joiners_[count] = {user.variable, user.coefficient, held_at};
    count += held_at > level;
    highest = std::max(highest, held_at);
  }
  link.highest = highest;
  joiners_.resize(count);
  for (std::size_t i = first; i < count; ++i) {
    joiners_[i].load *= graph_.share(joiners_[i].variable).rise;
  }
}

/// Finds the variables held higher than the constraint allows with them: all that are held higher
/// than a level too low, which raises it, and so on until no more drop out.
double LevelPropagation::find_joiners(Constraint constraint, double level, const Joiner& newcomer) {
  Link& link = graph_.link(constraint);
  joiners_.clear();
  if (newcomer.variable != SharingGraph::kNobody) joiners_.push_back(newcomer);
  if (level >= link.highest) return level;
  const std::size_t sure = joiners_.size();
  add_those_held_higher(constraint, level);
  for (;;) {
    double slope = link.slope;
    double room = link.room();
    for (const Joiner& joiner : joiners_) {
      slope += joiner.load;
      room += joiner.load * joiner.level;
    }
    level = link.level_for(room, slope);
    const auto stay = std::remove_if(joiners_.begin() + static_cast<std::ptrdiff_t>(sure),
                                     joiners_.end(), [level](const Joiner& joiner) {
                                       return joiner.level <= level * (1 + DueLinks::kSameLevel);
                                     });
    if (stay == joiners_.end()) return level;
    joiners_.erase(stay, joiners_.end());
  }
}

/// All that the constraint holds gets another level. Gives the lowest level at which something else
/// would hold one of them, if it is a higher level.
double LevelPropagation::set_level(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  const double more = level - link.level;
  link.gap -= link.slope * more;
  link.level = level;
  changes_.note_level(constraint);
  if (level > link.least_limit) find_least_limit(constraint);
  const std::span<const HeldLoads::Sum> loads = graph_.held_loads(constraint).awake();
  due_.count_work(loads.size());
  if (stale_.size() < loads.size()) stale_.resize(loads.size());
  double least = SharingGraph::kUnbounded;
  if (more > 0) {
    least = raise(loads, level, more);
  } else {
    lower(loads, -more);
  }
  touch_stale();
  const double ceiling = graph_.ceiling(constraint);
  if (level > ceiling || level * SharingGraph::kTooHighCeiling < ceiling) set_ceiling(constraint);
  return std::min(link.least_limit, least);
}

/// Constraints are loaded more because the level of what loads them has risen to `level`, by
/// `more`. Notes those that have to be looked at: without a branch, as which it is is as good as
/// random.
double LevelPropagation::raise(std::span<const HeldLoads::Sum> loads, double level, double more) {
  double least = SharingGraph::kUnbounded;
  std::size_t stale = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    Link& link = graph_.link(loads[i].constraint);
    link.gap -= loads[i].load * more;
    least = std::min(least, link.level);
    link.highest = std::max(link.highest, level);
    stale_[stale] = loads[i].constraint;
    stale += static_cast<std::size_t>((link.gap < link.least_gap) | (link.gap > link.most_gap));
  }
  stale_count_ = stale;
  return least;
}

/// Likewise, because the level has fallen: whatever holds variables of theirs holds them as it did.
void LevelPropagation::lower(std::span<const HeldLoads::Sum> loads, double less) {
  std::size_t stale = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    Link& link = graph_.link(loads[i].constraint);
    link.gap += loads[i].load * less;
    stale_[stale] = loads[i].constraint;
    stale += static_cast<std::size_t>((link.gap < link.least_gap) | (link.gap > link.most_gap));
  }
  stale_count_ = stale;
}

/// Puts the ceiling of a constraint that holds variables somewhat above its level.
void LevelPropagation::set_ceiling(Constraint constraint) {
  const std::size_t asleep = graph_.held_loads(constraint).asleep().size();
  due_.count_work(asleep);
  if (stale_.size() < asleep) stale_.resize(asleep);
  const double ceiling = SharingGraph::kCeiling * graph_.link(constraint).level;
  const std::size_t overfull = graph_.set_ceiling(constraint, ceiling, stale_);
  for (std::size_t i = 0; i < overfull; ++i) due_.touch(stale_[i]);
}

void LevelPropagation::touch_stale() {
  for (std::size_t i = 0; i < stale_count_; ++i) {
    DueLinks::set(graph_.link(stale_[i]));
    due_.enqueue(stale_[i]);
  }
}

/// Of the variables that the constraint holds: what was known may be that of one it held before.
void LevelPropagation::find_least_limit(Constraint constraint) {
  Link& link = graph_.link(constraint);
  due_.count_work(link.held);
  link.least_limit = SharingGraph::kUnbounded;
  for (const User& user : graph_.users(constraint).first(link.held)) {
    link.least_limit = std::min(link.least_limit, graph_.share(user.variable).limit);
  }
}

void LevelPropagation::move(Variable variable, double from, Constraint holder, double to) {
  graph_.hold(variable, from, holder, to);
  changes_.note_holder(variable);
  const Share& share = graph_.share(variable);
  if (holder == share.limited_by && holder != SharingGraph::kBound) changes_.note_level(holder);
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared()) due_.touch(use.constraint);
  }
}

}  // namespace heddle::network
