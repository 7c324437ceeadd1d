#include "network/fluid/max_min_solver.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle::network {
namespace {

/// A restart this much below the computed level makes up for the rounding of the computation.
constexpr double kRestartMargin = 1 - 1e-12;

/// The heap takes the candidates of this part of the way from the least level to the mean.
constexpr double kHeapShare = 0.25;

/// Zero if `condition` holds, else `value`, without a branch.
double unless(bool condition, double value) {
  const std::uint64_t mask = static_cast<std::uint64_t>(condition) - 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
}

}  // namespace

MaxMinSolver::MaxMinSolver(const std::vector<double>& capacities)
    : links_(capacities.size()), reached_in_(capacities.size()), reached_(capacities.size()) {
  for (std::size_t c = 0; c < capacities.size(); ++c) links_[c].capacity = capacities[c];
}

MaxMinSolver::Variable MaxMinSolver::add(std::span<const Element> elements, double weight,
                                         double bound, std::uint32_t multiplicity) {
  assert(weight > 0 && bound > 0 && multiplicity > 0);
  Variable variable = static_cast<Variable>(variables_.size());
  if (free_variables_.empty()) {
    variables_.emplace_back();
    shares_.emplace_back();
    opened_.resize(variables_.size() + 1);
    changed_.resize(variables_.size() + 1);
    found_.resize(variables_.size() + 1);
  } else {
    variable = free_variables_.back();
    free_variables_.pop_back();
  }
  variables_[variable] = {0, weight, bound, multiplicity};
  shares_[variable] = {kUnbounded, 0, weight * multiplicity};
  link(variable, elements);
  new_.push_back(variable);
  return variable;
}

void MaxMinSolver::remove(Variable variable) {
  Record& record = variables_[variable];
  lowest_removed_ = std::min(lowest_removed_, shares_[variable].level);
  unlink(record);
  record.multiplicity = 0;
  free_variables_.push_back(variable);
}

void MaxMinSolver::set_multiplicity(Variable variable, std::uint32_t multiplicity) {
  Record& record = variables_[variable];
  Share& share = shares_[variable];
  const auto more =
      static_cast<std::int32_t>(multiplicity) - static_cast<std::int32_t>(record.multiplicity);
  if (more < 0) lowest_removed_ = std::min(lowest_removed_, share.level);
  const Change change = more < 0 ? Change::less : Change::more;
  for (std::uint32_t use = record.first; use < record.first + record.count; ++use) {
    touch(uses_[use].constraint, change);
    links_[uses_[use].constraint].flows += more;
  }
  record.multiplicity = multiplicity;
  share.taken = record.rate * multiplicity;
  share.rise = record.weight * multiplicity;
}

/// Runs of uses are powers of two long, so that a freed one fits the next variable of its class.
void MaxMinSolver::take_uses(Record& record, std::size_t count) {
  record.run = static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(count, 1) - 1));
  auto& free = free_uses_[record.run];
  if (free.empty()) {
    record.first = static_cast<std::uint32_t>(uses_.size());
    uses_.resize(uses_.size() + (std::size_t{1} << record.run));
  } else {
    record.first = free.back();
    free.pop_back();
  }
}

void MaxMinSolver::link(Variable variable, std::span<const Element> elements) {
  Record& record = variables_[variable];
  take_uses(record, elements.size());
  std::uint32_t use = record.first;
  for (const Element& element : elements) {
    Link& link = links_[element.constraint];
    if (!link.users.empty() && link.users.back().variable == variable) {
      link.users.back().coefficient = uses_[link.users.back().use].coefficient +=
          element.coefficient;
      continue;
    }
    uses_[use] = {element.constraint, static_cast<std::uint32_t>(link.users.size()),
                  element.coefficient};
    if (link.users.empty()) {
      ++busy_constraints_;
    } else {
      touch(element.constraint, Change::more);
    }
    link.users.push_back({variable, use++, element.coefficient});
    link.flows += static_cast<std::int32_t>(record.multiplicity);
  }
  record.count = use - record.first;
}

void MaxMinSolver::unlink(const Record& record) {
  for (std::uint32_t use = record.first; use < record.first + record.count; ++use) {
    const Use gone = uses_[use];
    Link& link = links_[gone.constraint];
    link.flows -= static_cast<std::int32_t>(record.multiplicity);
    if (link.users.size() == 1) {
      --busy_constraints_;
    } else {
      const User last = link.users.back();
      link.users[gone.place] = last;
      uses_[last.use].place = gone.place;
      touch(gone.constraint, Change::less);
    }
    link.users.pop_back();
  }
  free_uses_[record.run].push_back(record.first);
}

/// Notes that others on the constraint will feel a change.
void MaxMinSolver::touch(Constraint constraint, Change change) {
  Link& link = links_[constraint];
  if (link.change == Change::none) touched_.push_back(constraint);
  link.change = std::max(link.change, change);
}

std::span<const MaxMinSolver::Variable> MaxMinSolver::solve() {
  changed_count_ = 0;
  ++solve_number_;
  gather(restart_level());
  for (std::size_t i = 0; i < reached_count_; ++i) waiting_.push_back({0, reached_[i]});
  fill();
  return {changed_.data(), changed_count_};
}

/// The level below which no change since the last solve can be felt.
double MaxMinSolver::restart_level() {
  double start = lowest_removed_;
  lowest_removed_ = kUnbounded;
  // Where most is new there is little to keep, and nothing is won by finding out what.
  const std::size_t live = variables_.size() - free_variables_.size();
  if (2 * new_.size() > live) return 0;
  for (const Constraint constraint : touched_) {
    if (links_[constraint].change == Change::more) {
      start = std::min(start, entry_level(constraint));
    }
  }
  return start * kRestartMargin;
}

/// A lower bound of the level at which the constraint is full if every variable on it freezes where
/// it froze before, or never if it is new. Taking all as open gives a first bound; those frozen
/// below it then count with what they really take, which raises it.
double MaxMinSolver::entry_level(Constraint constraint) const {
  constexpr int kRounds = 3;
  double bound = 0;
  for (int round = 0; round < kRounds; ++round) {
    double frozen = 0;
    double slope = 0;
    for (const User& user : links_[constraint].users) {
      const Share& share = shares_[user.variable];
      if (share.level < bound) {
        frozen += user.coefficient * share.taken;
      } else {
        slope += user.coefficient * share.rise;
      }
    }
    if (slope == 0) return kUnbounded;
    const double next = (links_[constraint].capacity - frozen) / slope;
    if (next <= bound) break;
    bound = next;
  }
  return bound;
}

/// Opens every variable that froze at `start` or above and is connected to a change through
/// variables of that kind.
void MaxMinSolver::gather(double start) {
  reached_count_ = 0;
  waiting_.clear();
  opened_count_ = 0;
  for (const Constraint constraint : touched_) {
    Link& link = links_[constraint];
    link.change = Change::none;
    if (link.users.size() > 1) {
      reach(constraint);
    } else if (!link.users.empty()) {
      reopen(link.users[0].variable, start);
    }
  }
  touched_.clear();
  for (const Variable variable : new_) {
    if (variables_[variable].multiplicity > 0) reopen(variable, start);
  }
  new_.clear();
  for (std::size_t i = 0; i < reached_count_; ++i) {
    for (const Variable variable : read_users(reached_[i], start)) open(variable);
  }
}

void MaxMinSolver::reopen(Variable variable, double start) {
  if (!is_open(variable) && shares_[variable].level >= start) open(variable);
}

void MaxMinSolver::reach(Constraint constraint) {
  if (reached_in_[constraint] == solve_number_) return;
  reached_in_[constraint] = solve_number_;
  reached_[reached_count_++] = constraint;
}

/// Reaches the constraints that the variable shares. Those of its own only bound its level; where
/// it has no others, that bound is its level.
void MaxMinSolver::open(Variable variable) {
  double bound = variables_[variable].bound / variables_[variable].weight;
  const bool all_reached = reached_count_ == busy_constraints_;  // As in one large component.
  if (!all_reached && !reach_shared(variable, bound)) return set_level(variable, bound);
  shares_[variable].open_in = solve_number_;
  opened_[opened_count_++] = variable;
  if (bound == kUnbounded) return;
  waiting_.push_back({bound, static_cast<std::uint32_t>(links_.size()) + variable});
}

/// Whether there are any; lowers `bound` to what the constraints of the variable's own allow.
bool MaxMinSolver::reach_shared(Variable variable, double& bound) {
  const Record& record = variables_[variable];
  const double rise = shares_[variable].rise;
  bool shares = false;
  const Use* use = uses_.data() + record.first;
  for (const Use* end = use + record.count; use != end; ++use) {
    if (reached_in_[use->constraint] == solve_number_) {  // Most are, and so are shared.
      shares = true;
      continue;
    }
    const Link& link = links_[use->constraint];
    if (link.users.size() == 1) {
      bound = std::min(bound, link.capacity / (use->coefficient * rise));
    } else {
      shares = true;
      reach(use->constraint);
    }
  }
  return shares;
}

/// Sums up the users of a constraint and gives those still to open: they froze at `start` or above.
/// Which did is as good as random, so nothing branches on it. Valid until the next call.
std::span<const MaxMinSolver::Variable> MaxMinSolver::read_users(Constraint constraint,
                                                                 double start) {
  Link& link = links_[constraint];
  double remaining = link.capacity;
  double slope = 0;
  std::uint32_t open_users = 0;
  std::size_t count = 0;
  Variable* const found = found_.data();
  for (const User& user : link.users) {
    const Share& share = shares_[user.variable];
    const bool open = share.level >= start;
    remaining -= user.coefficient * unless(open, share.taken);
    slope += user.coefficient * unless(!open, share.rise);
    open_users += open;
    found[count] = user.variable;
    count += open & (share.open_in != solve_number_);
  }
  link.remaining = remaining;
  link.slope = slope;
  link.open = open_users;
  return {found, count};
}

/// The level at which a constraint is full only rises while others freeze variables on it, so the
/// candidates' levels are lower bounds that are corrected when they come up.
void MaxMinSolver::fill() {
  const auto constraints = static_cast<std::uint32_t>(links_.size());
  double level = 0;
  heap_.clear();
  for (still_open_ = opened_count_; still_open_ > 0;) {
    if (heap_.empty()) {
      refill();
      if (heap_.empty()) break;
    }
    const Candidate top = heap_.front();
    if (top.id >= constraints) {
      pop_top();
      const Variable variable = top.id - constraints;
      level = std::max(level, top.level);
      if (is_open(variable)) freeze(variable, level);
    } else if (links_[top.id].open == 0) {
      pop_top();
    } else if (const double now = std::max(level, level_of(top.id)); now > heap_end_) {
      pop_top();
      waiting_.push_back({now, top.id});
    } else if (now > top.level) {
      sink(0, {now, top.id});
    } else {
      pop_top();
      level = now;
      for (const Variable variable : open_users(top.id)) freeze(variable, level);
    }
  }
  for (std::size_t o = 0; still_open_ > 0; ++o) {
    if (is_open(opened_[o])) freeze(opened_[o], kUnbounded);
  }
}

/// Moves the lower part of the candidates that wait to the heap, which is empty. Most of them have
/// nothing open any more before their turn comes, and are never put in order.
void MaxMinSolver::refill() {
  std::size_t kept = 0;
  double least = kUnbounded;
  double sum = 0;
  for (Candidate candidate : waiting_) {
    if (candidate.id < links_.size()) {
      if (links_[candidate.id].open == 0) continue;
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
      heap_.push_back(candidate);
    } else {
      waiting_[kept++] = candidate;
    }
  }
  waiting_.resize(kept);
  for (std::size_t slot = heap_.size() / 2; slot-- > 0;) sink(slot, heap_[slot]);
}

/// Found without a branch, as in read_users(). Valid until the next call.
std::span<const MaxMinSolver::Variable> MaxMinSolver::open_users(Constraint constraint) {
  std::size_t count = 0;
  for (const User& user : links_[constraint].users) {
    found_[count] = user.variable;
    count += is_open(user.variable);
  }
  return {found_.data(), count};
}

void MaxMinSolver::set_level(Variable variable, double level) {
  Record& record = variables_[variable];
  Share& share = shares_[variable];
  const double rate = std::min(record.weight * level, record.bound);
  changed_[changed_count_] = variable;
  changed_count_ += rate != record.rate;
  record.rate = rate;
  share.level = level;
  share.taken = rate * record.multiplicity;
  share.open_in = 0;
}

/// Constraints of the variable's own are lowered with the others, though nobody looks at them.
void MaxMinSolver::freeze(Variable variable, double level) {
  set_level(variable, level);
  --still_open_;
  const Record& record = variables_[variable];
  const Share& share = shares_[variable];
  const Use* use = uses_.data() + record.first;
  for (const Use* end = use + record.count; use != end; ++use) {
    Link& link = links_[use->constraint];
    link.remaining -= use->coefficient * share.taken;
    link.slope -= use->coefficient * share.rise;
    --link.open;
  }
}

void MaxMinSolver::pop_top() {
  const Candidate last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sink(0, last);
}

void MaxMinSolver::sink(std::size_t slot, Candidate candidate) {
  for (std::size_t child; (child = 2 * slot + 1) < heap_.size(); slot = child) {
    if (child + 1 < heap_.size()) child += heap_[child + 1] < heap_[child];
    if (!(heap_[child] < candidate)) break;
    heap_[slot] = heap_[child];
  }
  heap_[slot] = candidate;
}

}  // namespace heddle::network
