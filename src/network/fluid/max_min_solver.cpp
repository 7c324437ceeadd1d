#include "network/fluid/max_min_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heddle::network {
namespace {

/// Levels that differ by less than this part are the same, and so are loads that differ by less
/// than that part of the capacity: the difference is rounding.
constexpr double kSame = 1e-12;
constexpr double kSameLoad = 1e-13;

/// Sums are found anew after so many changes, and so many more per user.
constexpr std::size_t kChanges = 256;
constexpr std::size_t kChangesPerUser = 4;

/// Filling from nothing costs less than finding a place for more new variables than this, if they
/// are also more than a fourth of all; and less than looking at so many times all elements.
constexpr std::size_t kFewNew = 16;
constexpr std::size_t kManyNew = 4;
constexpr std::size_t kManyLooks = 6;

/// How many users ahead of the one that is read the next are fetched.
constexpr std::size_t kAhead = 6;

constexpr SharingGraph::Variable kNobody = ~SharingGraph::Variable{0};

}  // namespace

MaxMinSolver::MaxMinSolver(const std::vector<double>& capacities)
    : graph_(capacities), filling_(graph_), flows_(capacities.size()) {}

// --- Changes of the system -----------------------------------------------------------------------

MaxMinSolver::Variable MaxMinSolver::add(std::span<const Element> elements, double weight,
                                         double bound, std::uint32_t multiplicity) {
  assert(weight > 0 && bound > 0 && multiplicity > 0);
  const Variable variable = graph_.add(elements, weight * multiplicity, bound / weight);
  if (variable == records_.size()) records_.emplace_back();
  if (!records_[variable].listed) new_.push_back(variable);
  records_[variable] = {weight, bound, multiplicity, true};
  count_flows(graph_.share(variable), static_cast<std::int32_t>(multiplicity));
  ++live_;
  uses_ += graph_.share(variable).count;
  return variable;
}

void MaxMinSolver::count_flows(const Share& share, std::int32_t more) {
  for (const Use& use : graph_.uses(share)) flows_[use.constraint] += more;
}

void MaxMinSolver::remove(Variable variable) {
  const Share& share = graph_.share(variable);
  Record& record = records_[variable];
  count_flows(share, -static_cast<std::int32_t>(record.multiplicity));
  release(variable);
  --live_;
  uses_ -= share.count;
  record.multiplicity = 0;
  graph_.remove(variable);
}

/// The variable has no level any more, and the others on its constraints will feel it.
void MaxMinSolver::release(Variable variable) {
  const Share& share = graph_.share(variable);
  if (share.held_by == SharingGraph::kNothing) return;
  const double level = graph_.level(share);
  graph_.hold(variable, level, SharingGraph::kNothing, 0);
  for (const Use& use : graph_.uses(share)) touch(use.constraint, level);
}

void MaxMinSolver::set_multiplicity(Variable variable, std::uint32_t multiplicity) {
  Share& share = graph_.share(variable);
  Record& record = records_[variable];
  const auto more =
      static_cast<std::int32_t>(multiplicity) - static_cast<std::int32_t>(record.multiplicity);
  count_flows(share, more);
  record.multiplicity = multiplicity;
  const double rise = record.weight * multiplicity;
  const double level = graph_.level(share);
  for (const Use& use : graph_.uses(share)) {
    Link& link = graph_.link(use.constraint);
    const double load = use.coefficient * (rise - share.rise);
    ++link.changes;
    if (use.constraint == share.held_by) {
      link.slope += load;
    } else {
      link.taken += load * level;
    }
    touch(use.constraint, level);
  }
  share.rise = rise;
}

double MaxMinSolver::rate(Variable variable) const {
  const Share& share = graph_.share(variable);
  const Record& record = records_[variable];
  if (share.held_by == kBound) return record.bound;
  return std::min(record.weight * graph_.level(share), record.bound);
}

// --- Solving -------------------------------------------------------------------------------------

MaxMinSolver::Changes MaxMinSolver::solve() {
  for (const Constraint constraint : changed_) graph_.link(constraint).reported = false;
  changed_.clear();
  moved_.clear();
  std::erase_if(new_, [this](Variable variable) {
    records_[variable].listed = false;
    return records_[variable].multiplicity == 0;
  });
  if (fill_is_cheaper() || !propagate()) fill();
  new_.clear();
  return {changed_, moved_};
}

bool MaxMinSolver::fill_is_cheaper() const {
  return new_.size() > kFewNew && kManyNew * new_.size() > live_;
}

void MaxMinSolver::fill() {
  filling_.clear();
  for (const Variable variable : new_) filling_.open(variable);
  for (const Due& due : due_) filling_.reach(due.constraint);
  for (const Constraint constraint : touched_) filling_.reach(constraint);
  filling_.run();
  for (const Constraint constraint : filling_.constraints()) {
    graph_.link(constraint).due = false;
    report(constraint);
  }
  moved_.assign(filling_.variables().begin(), filling_.variables().end());
  due_.clear();
  touched_.clear();
}

/// Whether the levels were found; otherwise it takes too long.
bool MaxMinSolver::propagate() {
  work_ = 0;
  touched_.clear();
  for (const Due& due : due_) touched_.push_back(due.constraint);
  const std::size_t budget = kManyLooks * (uses_ + kChanges);
  for (const Variable variable : new_) place(variable);
  while (!due_.empty()) {
    if (work_ > budget) return false;
    const Constraint next = due_.front().constraint;
    std::pop_heap(due_.begin(), due_.end());
    due_.pop_back();
    look_at(next);
  }
  touched_.clear();
  return true;
}

/// Puts a new variable to the constraint that is likely to hold it lowest.
void MaxMinSolver::place(Variable variable) {
  const Share& share = graph_.share(variable);
  double least = share.limit;
  Constraint holder = kBound;
  double load = 0;
  for (const Use& use : graph_.uses(share)) {
    const Link& link = graph_.link(use.constraint);
    const double own = use.coefficient * share.rise;
    const double level = std::max(0.0, (link.capacity - link.taken) / (link.slope + own));
    if (level < least) {
      least = level;
      holder = use.constraint;
      load = own;
    }
  }
  if (holder == kBound) {
    move(variable, 0, kBound, least);
  } else if (least > graph_.link(holder).level) {  // It is due, and will rise for both.
    move(variable, 0, holder, graph_.link(holder).level);
  } else {
    Link& link = graph_.link(holder);
    const bool was_due = link.due;
    link.due = true;
    fall(holder, least, {variable, load, 0});
    link.due = was_due;
  }
  // Levels that are still to rise may be lower than this; a rise does not look for those above it.
  least = graph_.level(share);
  const Other other = elsewhere(share, holder);
  if (other.level < least * (1 - kSame)) move(variable, least, other.holder, other.level);
}

void MaxMinSolver::look_at(Constraint constraint) {
  Link& link = graph_.link(constraint);
  if ((link.held == 0 && is_out_of_date(link)) ||
      link.changes > kChanges + kChangesPerUser * link.users.size()) {
    graph_.sum_up(constraint);
    work_ += link.users.size();
  }
  if (link.held == 0) {
    if (is_out_of_date(link)) fall(constraint, 0, {kNobody, 0, 0});
  } else {
    const double level = std::max(0.0, (link.capacity - link.taken) / link.slope);
    if (level > link.level * (1 + kSame)) {
      rise(constraint, level);
    } else if (level < link.level * (1 - kSame)) {
      fall(constraint, level, {kNobody, 0, 0});
    }
  }
  link.due = false;
}

/// `level` is what the constraint would allow if all that it holds rose with it.
void MaxMinSolver::rise(Constraint constraint, double level) {
  if (some_are_held_lower(constraint, level)) level = drop_those_held_lower(constraint, level);
  set_level(constraint, level, graph_.link(constraint).held);
}

bool MaxMinSolver::some_are_held_lower(Constraint constraint, double level) {
  const Link& link = graph_.link(constraint);
  double least = kUnbounded;
  for (std::uint32_t place = 0; place < link.held; ++place) {
    graph_.prefetch(link.users[std::min<std::size_t>(place + kAhead, link.users.size() - 1)]);
    const Share& share = graph_.share(link.users[place].variable);
    work_ += share.count;
    least = std::min(least, share.limit);
    for (const Use& use : graph_.uses(share)) {
      const double other = graph_.link(use.constraint).level;
      least = std::min(least, use.constraint == constraint ? kUnbounded : other);
    }
  }
  return least < level * (1 - kSame);
}

/// Variables that another constraint holds lower go over to it; what they leave raises the level.
double MaxMinSolver::drop_those_held_lower(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  for (double least = 0; least < level * (1 - kSame);) {
    least = kUnbounded;
    for (std::uint32_t place = link.held; place-- > 0;) {
      const Variable variable = link.users[place].variable;
      const Share& share = graph_.share(variable);
      const Other other = elsewhere(share, constraint);
      work_ += share.count;
      if (other.level < level * (1 - kSame)) {
        move(variable, link.level, other.holder, other.level);
      } else {
        least = std::min(least, other.level);
      }
    }
    if (link.held == 0) return kNoLevel;
    level = (link.capacity - link.taken) / link.slope;
  }
  return level;
}

MaxMinSolver::Other MaxMinSolver::elsewhere(const Share& share, Constraint constraint) const {
  Other least{share.limit, kBound};
  for (const Use& use : graph_.uses(share)) {
    if (use.constraint == constraint) continue;
    const double level = graph_.link(use.constraint).level;
    if (level < least.level) least = {level, use.constraint};
  }
  return least;
}

/// `level` is what the constraint would allow if it took over nobody but the newcomer.
void MaxMinSolver::fall(Constraint constraint, double level, Joiner newcomer) {
  level = find_joiners(constraint, level, newcomer);
  const std::uint32_t before = graph_.link(constraint).held;
  for (const Joiner& joiner : joiners_) move(joiner.variable, joiner.level, constraint, level);
  set_level(constraint, level, before);
}

/// Finds the variables held higher than the constraint allows with them: all that are held higher
/// than a level too low, which raises it, and so on until no more drop out.
double MaxMinSolver::find_joiners(Constraint constraint, double level, const Joiner& newcomer) {
  const Link& link = graph_.link(constraint);
  joiners_.clear();
  if (newcomer.variable != kNobody) joiners_.push_back(newcomer);
  const std::size_t sure = joiners_.size();
  work_ += link.users.size();
  std::size_t count = sure;
  joiners_.resize(sure + link.users.size() - link.held + 1);
  for (std::size_t place = link.held; place < link.users.size(); ++place) {
    const User& user = link.users[place];
    const Share& share = graph_.share(user.variable);
    const double held_at = graph_.level(share);
    joiners_[count] = {user.variable, user.coefficient * share.rise, held_at};
    count += held_at > level;
  }
  joiners_.resize(count);
  for (;;) {
    double slope = link.slope;
    double taken = link.taken;
    for (const Joiner& joiner : joiners_) {
      slope += joiner.load;
      taken -= joiner.load * joiner.level;
    }
    level = std::max(0.0, (link.capacity - taken) / slope);
    const auto stay = std::remove_if(
        joiners_.begin() + static_cast<std::ptrdiff_t>(sure), joiners_.end(),
        [level](const Joiner& joiner) { return joiner.level <= level * (1 + kSame); });
    if (stay == joiners_.end()) return level;
    joiners_.erase(stay, joiners_.end());
  }
}

/// The first `before` variables that the constraint holds get another level; later ones have it.
void MaxMinSolver::set_level(Constraint constraint, double level, std::uint32_t before) {
  Link& link = graph_.link(constraint);
  const double more = level - link.level;
  link.level = level;
  report(constraint);
  for (std::uint32_t place = 0; place < before; ++place) {
    graph_.prefetch(link.users[std::min<std::size_t>(place + kAhead, link.users.size() - 1)]);
    const Share& share = graph_.share(link.users[place].variable);
    work_ += share.count;
    for (const Use& use : graph_.uses(share)) {
      if (use.constraint == constraint) continue;
      Link& other = graph_.link(use.constraint);
      other.taken += use.coefficient * share.rise * more;
      ++other.changes;
      if (stale_.size() < stale_count_ + 1) stale_.resize(stale_count_ + 64);
      stale_[stale_count_] = use.constraint;
      stale_count_ += !other.due & is_out_of_date(other);
    }
  }
  for (std::size_t i = 0; i < stale_count_; ++i) touch(stale_[i], level);
  stale_count_ = 0;
}

bool MaxMinSolver::is_out_of_date(const Link& link) {
  const double full = link.slope * link.level;
  const double gap = link.capacity - link.taken - full;
  const double same = kSame * full + kSameLoad * link.capacity;
  return (gap < -same) | ((gap > same) & (link.held > 0));
}

void MaxMinSolver::move(Variable variable, double from, Constraint holder, double to) {
  graph_.hold(variable, from, holder, to);
  moved_.push_back(variable);
  for (const Use& use : graph_.uses(graph_.share(variable))) touch(use.constraint, to);
}

/// The constraint is due if its sums no longer give its level. A change at `level` caused that.
void MaxMinSolver::touch(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  if (link.due) return;
  if (!is_out_of_date(link)) return;
  level = link.held == 0
              ? kNoLevel
              : std::min(link.level, std::max(0.0, (link.capacity - link.taken) / link.slope));
  link.due = true;
  due_.push_back({level, constraint});
  std::push_heap(due_.begin(), due_.end());
}

void MaxMinSolver::report(Constraint constraint) {
  Link& link = graph_.link(constraint);
  if (link.reported) return;
  link.reported = true;
  changed_.push_back(constraint);
}

}  // namespace heddle::network
