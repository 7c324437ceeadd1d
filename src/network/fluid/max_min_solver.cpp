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

/// Of a tolerance, what is for the level and for the load. Variables that a constraint holds load
/// it by no more than 1 + kMostTolerance of its capacity: together they are not more than all of
/// the tolerance.
constexpr double kLevelPart = 0.8;
constexpr double kLoadPart = 0.1;
static_assert(kLevelPart * (1 + MaxMinSolver::kMostTolerance) + kLoadPart < 1);

/// Sums are found anew after so many changes, and so many more per user.
constexpr std::size_t kChanges = 256;
constexpr std::size_t kChangesPerUser = 4;

/// Filling from nothing costs less than finding a place for more new variables than this, if they
/// are also more than a fourth of all; and less than looking at so many times all elements.
constexpr std::size_t kFewNew = 16;
constexpr std::size_t kManyNew = 4;
constexpr std::size_t kManyLooks = 6;

/// Whether a link can sleep is tried after so many changes of its users, and one more per so many
/// users; with few users it is not worth the while.
constexpr std::size_t kChangesToSleep = 2;
constexpr std::size_t kUsersPerChange = 16;
constexpr std::size_t kFewUsers = 4;

}  // namespace

MaxMinSolver::MaxMinSolver(const std::vector<double>& capacities, double tolerance)
    : graph_(capacities),
      filling_(graph_),
      due_(capacities.size()),
      same_level_(std::max(kSame, kLevelPart * tolerance)),
      same_load_(std::max(kSameLoad, kLoadPart * tolerance)) {}

// --- Changes of the system -----------------------------------------------------------------------

MaxMinSolver::Variable MaxMinSolver::add(std::span<const Element> elements, double weight,
                                         double bound, std::uint32_t multiplicity) {
  assert(weight > 0 && bound > 0 && multiplicity > 0);
  for (const Element& element : elements) make_shared(element.constraint);
  const auto flows = static_cast<std::int32_t>(multiplicity);
  const Variable variable = graph_.add(elements, weight * multiplicity, bound / weight, flows);
  if (variable == records_.size()) records_.emplace_back();
  if (!records_[variable].listed) new_.push_back(variable);
  records_[variable] = {weight, bound, multiplicity, true};
  ++live_;
  uses_ += graph_.share(variable).count;
  return variable;
}

/// Who has the constraint to itself gets company.
void MaxMinSolver::make_shared(Constraint constraint) {
  if (graph_.seat(constraint).only == kNobody) return;
  graph_.make_shared(constraint);
  is_out_of_date(constraint);
}

void MaxMinSolver::remove(Variable variable) {
  const Share& share = graph_.share(variable);
  Record& record = records_[variable];
  release(variable);
  --live_;
  uses_ -= share.count;
  graph_.remove(variable, static_cast<std::int32_t>(record.multiplicity));
  record.multiplicity = 0;
}

/// The variable has no level any more, and the others on its constraints will feel it.
void MaxMinSolver::release(Variable variable) {
  const Share& share = graph_.share(variable);
  if (share.held_by == SharingGraph::kNothing) return;
  if (share.lone) return graph_.release(variable);
  const double level = graph_.level(share);
  graph_.hold(variable, level, SharingGraph::kNothing, 0);
  note_uses(share);
}

/// The next solve looks at the constraints of a variable that came, went or changed.
void MaxMinSolver::note_uses(const Share& share) {
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared() && becomes_due(use.constraint)) touched_.push_back(use.constraint);
  }
}

void MaxMinSolver::set_multiplicity(Variable variable, std::uint32_t multiplicity) {
  const Share& share = graph_.share(variable);
  for (const Use& use : graph_.uses(share)) {
    if (!use.is_shared()) make_shared(use.constraint);
  }
  Record& record = records_[variable];
  const auto more =
      static_cast<std::int32_t>(multiplicity) - static_cast<std::int32_t>(record.multiplicity);
  for (const Use& use : graph_.uses(share)) graph_.seat(use.constraint).flows += more;
  record.multiplicity = multiplicity;
  graph_.set_rise(variable, record.weight * multiplicity);
  note_uses(share);
}

/// Who has the constraint to itself shares it from now on: the sums tell what is to be done.
void MaxMinSolver::set_capacity(Constraint constraint, double capacity) {
  make_shared(constraint);
  graph_.set_capacity(constraint, capacity);
  if (becomes_due(constraint)) touched_.push_back(constraint);
}

double MaxMinSolver::rate(Variable variable) const {
  const Share& share = graph_.share(variable);
  const Record& record = records_[variable];
  if (share.held_by == kBound) return record.bound;
  return std::min(record.weight * graph_.level(share), record.bound);
}

// --- Solving -------------------------------------------------------------------------------------

MaxMinSolver::Changes MaxMinSolver::solve() {
  if (new_.empty() && touched_.empty()) return {};
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
  for (const Variable variable : new_) open(variable);
  const std::size_t opened = filling_.variables().size();
  for (const Constraint constraint : touched_) filling_.reach(constraint);
  while (!due_.empty()) filling_.reach(due_.pop());
  filling_.run();
  for (const Constraint constraint : filling_.constraints()) {
    clear_due(constraint);
    report(constraint);
    const Link& link = graph_.link(constraint);
    if (link.held > 0) {
      set_ceiling(constraint);
    } else if (has_room_to_sleep(constraint)) {
      graph_.fall_asleep(constraint);
    }
  }
  for (const Variable variable : filling_.variables()) graph_.note_holder(graph_.share(variable));
  moved_.assign(new_.begin(), new_.end());
  const auto others = filling_.variables().subspan(opened);
  moved_.insert(moved_.end(), others.begin(), others.end());
  touched_.clear();
}

/// Fills a new variable, or has it filled. Levels are reported in the order of new variables.
void MaxMinSolver::open(Variable variable) {
  const Share& share = graph_.share(variable);
  if (share.lone) {
    graph_.find_limit(variable, true);
    graph_.hold(variable, 0, share.limited_by, share.limit);
  } else {
    filling_.open(variable);
  }
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared() || use.constraint == share.limited_by) report(use.constraint);
  }
}

/// Whether the levels were found; otherwise it takes too long.
bool MaxMinSolver::propagate() {
  work_ = 0;
  const std::size_t budget = kManyLooks * (uses_ + kChanges);
  for (const Constraint constraint : touched_) enqueue(constraint);
  for (const Variable variable : new_) place(variable);
  while (!due_.empty()) {
    if (work_ > budget) return false;
    const Constraint next = due_.pop();
    if (!due_.empty()) graph_.prefetch(due_.top());
    look_at(next);
  }
  touched_.clear();
  return true;
}

/// Puts a new variable to the constraint that is likely to hold it lowest.
void MaxMinSolver::place(Variable variable) {
  const Share& share = graph_.share(variable);
  graph_.find_limit(variable, false);
  if (share.lone) return move(variable, 0, share.limited_by, share.limit);
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
    set_due(link);
    fall(holder, least, {variable, load, 0});
    if (!was_due) clear_due(holder);
  }
  // Levels that are still to rise may be lower than this; a rise does not look for those above it.
  least = graph_.level(share);
  const Other other = elsewhere(share, holder);
  if (other.level < least * (1 - kSame)) move(variable, least, other.holder, other.level);
}

void MaxMinSolver::look_at(Constraint constraint) {
  Link& link = graph_.link(constraint);
  const std::size_t users = graph_.users(constraint).size();
  if ((link.held == 0 && is_out_of_date(constraint)) ||
      link.changes > kChanges + kChangesPerUser * users) {
    graph_.sum_up(constraint);
    work_ += users;
  }
  if (link.held == 0) {
    if (is_out_of_date(constraint)) fall(constraint, 0, {kNobody, 0, 0});
  } else {
    const double level = link.full_level();
    if (level > link.level * (1 + same_level_)) {
      rise(constraint, level);
    } else if (level < link.level * (1 - same_level_)) {
      fall(constraint, level, {kNobody, 0, 0});
    }
  }
  clear_due(constraint);
}

/// A constraint that is due anyway need not be told so.
void MaxMinSolver::set_due(Link& link) {
  link.due = true;
  link.least_gap = -kUnbounded;
  link.most_gap = kUnbounded;
}

void MaxMinSolver::clear_due(Constraint constraint) {
  graph_.link(constraint).due = false;
  is_out_of_date(constraint);
}

/// `level` is what the constraint would allow if all that it holds rose with it. What those leave
/// that another holds lower raises it further.
void MaxMinSolver::rise(Constraint constraint, double level) {
  const Link& link = graph_.link(constraint);
  while (set_level(constraint, level) < level * (1 - kSame)) {
    drop_those_held_lower(constraint);
    if (link.held == 0) return;
    level = link.full_level();
  }
}

/// Variables that another constraint holds lower go over to it.
void MaxMinSolver::drop_those_held_lower(Constraint constraint) {
  const Link& link = graph_.link(constraint);
  const double level = link.level;
  for (std::uint32_t place = link.held; place-- > 0;) {
    const Variable variable = graph_.users(constraint)[place].variable;
    const Share& share = graph_.share(variable);
    const Other other = elsewhere(share, constraint);
    work_ += share.count;
    if (other.level < level * (1 - kSame)) move(variable, level, other.holder, other.level);
  }
}

MaxMinSolver::Other MaxMinSolver::elsewhere(const Share& share, Constraint constraint) const {
  Other least{share.limit, share.limited_by};
  for (const Use& use : graph_.uses(share)) {
    if (!use.is_shared() || use.constraint == constraint) continue;
    const double level = graph_.link(use.constraint).level;
    if (level < least.level) least = {level, use.constraint};
  }
  return least;
}

/// `level` is what the constraint would allow if it took over nobody but the newcomer.
void MaxMinSolver::fall(Constraint constraint, double level, Joiner newcomer) {
  level = find_joiners(constraint, level, newcomer);
  // One that holds nobody and takes over nobody is too full by rounding alone.
  if (joiners_.empty() && graph_.link(constraint).held == 0) return;
  set_level(constraint, level);
  for (const Joiner& joiner : joiners_) move(joiner.variable, joiner.level, constraint, level);
}

/// Notes those among the joiners; and the highest of the others.
void MaxMinSolver::add_those_held_higher(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  const std::span<const User> users = graph_.users(constraint);
  work_ += users.size();
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
double MaxMinSolver::find_joiners(Constraint constraint, double level, const Joiner& newcomer) {
  Link& link = graph_.link(constraint);
  joiners_.clear();
  if (newcomer.variable != kNobody) joiners_.push_back(newcomer);
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
    const auto stay = std::remove_if(
        joiners_.begin() + static_cast<std::ptrdiff_t>(sure), joiners_.end(),
        [level](const Joiner& joiner) { return joiner.level <= level * (1 + kSame); });
    if (stay == joiners_.end()) return level;
    joiners_.erase(stay, joiners_.end());
  }
}

/// All that the constraint holds gets another level. Gives the lowest level at which something else
/// would hold one of them, if it is a higher level.
double MaxMinSolver::set_level(Constraint constraint, double level) {
  Link& link = graph_.link(constraint);
  const double more = level - link.level;
  link.gap -= link.slope * more;
  link.level = level;
  report(constraint);
  if (level > link.least_limit) find_least_limit(constraint);
  const std::span<const HeldLoads::Sum> loads = graph_.held_loads(constraint).awake();
  work_ += loads.size();
  if (stale_.size() < loads.size()) stale_.resize(loads.size());
  double least = kUnbounded;
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
double MaxMinSolver::raise(std::span<const HeldLoads::Sum> loads, double level, double more) {
  double least = kUnbounded;
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
void MaxMinSolver::lower(std::span<const HeldLoads::Sum> loads, double less) {
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
void MaxMinSolver::set_ceiling(Constraint constraint) {
  const std::size_t asleep = graph_.held_loads(constraint).asleep().size();
  work_ += asleep;
  if (stale_.size() < asleep) stale_.resize(asleep);
  const double ceiling = SharingGraph::kCeiling * graph_.link(constraint).level;
  const std::size_t overfull = graph_.set_ceiling(constraint, ceiling, stale_);
  for (std::size_t i = 0; i < overfull; ++i) touch(stale_[i]);
}

/// Of a constraint that is awake and holds nobody.
bool MaxMinSolver::has_room_to_sleep(Constraint constraint) const {
  return graph_.link(constraint).gap > SharingGraph::kRoomToSleep * graph_.capacity(constraint);
}

/// Lets a constraint that holds nobody sleep if it is far from full.
void MaxMinSolver::let_sleep(Constraint constraint) {
  graph_.sum_up(constraint);
  work_ += graph_.users(constraint).size();
  if (!has_room_to_sleep(constraint)) return;
  graph_.sleep(constraint);
  if (graph_.link(constraint).gap < 0) graph_.wake(constraint);
}

void MaxMinSolver::touch_stale() {
  for (std::size_t i = 0; i < stale_count_; ++i) {
    set_due(graph_.link(stale_[i]));
    enqueue(stale_[i]);
  }
}

/// Of the variables that the constraint holds: what was known may be that of one it held before.
void MaxMinSolver::find_least_limit(Constraint constraint) {
  Link& link = graph_.link(constraint);
  work_ += link.held;
  link.least_limit = kUnbounded;
  for (const User& user : graph_.users(constraint).first(link.held)) {
    link.least_limit = std::min(link.least_limit, graph_.share(user.variable).limit);
  }
}

/// Finds the gaps that are rounding or within the tolerance, and whether the constraint has
/// another. One that holds nobody may have any gap but a negative one.
bool MaxMinSolver::is_out_of_date(Constraint constraint) {
  Link& link = graph_.link(constraint);
  link.most_gap = same_level_ * link.slope * link.level + same_load_ * graph_.capacity(constraint);
  link.least_gap = -link.most_gap;
  if (link.held == 0) link.most_gap = kUnbounded;
  return (link.gap < link.least_gap) | (link.gap > link.most_gap);
}

void MaxMinSolver::move(Variable variable, double from, Constraint holder, double to) {
  graph_.hold(variable, from, holder, to);
  moved_.push_back(variable);
  const Share& share = graph_.share(variable);
  if (holder == share.limited_by && holder != kBound) report(holder);
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared()) touch(use.constraint);
  }
}

/// Whether the constraint was not due, but is: its sums no longer give its level.
bool MaxMinSolver::becomes_due(Constraint constraint) {
  Link& link = graph_.link(constraint);
  if (link.due || (link.asleep && !wakes_up(constraint))) return false;
  if (is_out_of_date(constraint)) {
    set_due(link);
    return true;
  }
  const std::size_t users = graph_.users(constraint).size();
  if (link.held == 0 && users > kFewUsers &&
      link.changes > kChangesToSleep + users / kUsersPerChange) {
    let_sleep(constraint);
  }
  return false;
}

bool MaxMinSolver::wakes_up(Constraint constraint) {
  if (graph_.link(constraint).gap >= 0) return false;
  graph_.wake(constraint);
  work_ += graph_.users(constraint).size();
  return true;
}

void MaxMinSolver::touch(Constraint constraint) {
  if (becomes_due(constraint)) enqueue(constraint);
}

/// One that holds nobody comes last: if it shares variables with another that is too full, they
/// need not move from there to here.
void MaxMinSolver::enqueue(Constraint constraint) {
  const Link& link = graph_.link(constraint);
  due_.push(link.held > 0 ? std::min(link.level, link.full_level()) : kNoLevel, constraint);
}

void MaxMinSolver::report(Constraint constraint) {
  Link& link = graph_.link(constraint);
  if (link.reported) return;
  link.reported = true;
  changed_.push_back(constraint);
}

}  // namespace heddle::network
