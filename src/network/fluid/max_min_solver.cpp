#include "network/fluid/max_min_solver.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle::network {
namespace {

/// A restart this much below the computed level makes up for the rounding of the computation.
constexpr double kRestartMargin = 1 - 1e-12;

}  // namespace

MaxMinSolver::MaxMinSolver(std::vector<double> capacities)
    : capacities_(std::move(capacities)),
      states_(capacities_.size()),
      users_(capacities_.size()),
      change_(capacities_.size(), kNone) {}

MaxMinSolver::Variable MaxMinSolver::add(std::span<const Element> elements, double weight,
                                         double bound, std::uint32_t multiplicity) {
  assert(weight > 0 && bound > 0 && multiplicity > 0);
  Variable variable = static_cast<Variable>(variables_.size());
  if (free_variables_.empty()) {
    variables_.emplace_back();
  } else {
    variable = free_variables_.back();
    free_variables_.pop_back();
  }
  Record& record = variables_[variable];
  record = {kUnbounded, 0, weight, bound, static_cast<double>(multiplicity)};
  link(variable, elements);
  touch(record, kMore);
  new_.push_back(variable);
  return variable;
}

void MaxMinSolver::remove(Variable variable) {
  Record& record = variables_[variable];
  lowest_removed_ = std::min(lowest_removed_, record.level);
  touch(record, kLess);
  unlink(record);
  record.multiplicity = 0;
  free_variables_.push_back(variable);
}

void MaxMinSolver::set_multiplicity(Variable variable, std::uint32_t multiplicity) {
  Record& record = variables_[variable];
  const bool fewer = multiplicity < record.multiplicity;
  if (fewer) lowest_removed_ = std::min(lowest_removed_, record.level);
  touch(record, fewer ? kLess : kMore);
  record.multiplicity = multiplicity;
}

/// Runs of uses are powers of two long, so that a freed one fits the next variable of its class.
std::uint32_t MaxMinSolver::take_uses(std::size_t count) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(count, 1));
  auto& free = free_uses_[static_cast<std::size_t>(std::countr_zero(size))];
  if (free.empty()) {
    uses_.resize(uses_.size() + size);
    return static_cast<std::uint32_t>(uses_.size() - size);
  }
  const std::uint32_t first = free.back();
  free.pop_back();
  return first;
}

void MaxMinSolver::link(Variable variable, std::span<const Element> elements) {
  Record& record = variables_[variable];
  record.first = take_uses(elements.size());
  record.count = static_cast<std::uint32_t>(elements.size());
  std::uint32_t use = record.first;
  for (const Element& element : elements) {
    auto& users = users_[element.constraint];
    uses_[use] = {element.constraint, static_cast<std::uint32_t>(users.size()),
                  element.coefficient};
    users.push_back({variable, use++, element.coefficient});
  }
}

void MaxMinSolver::unlink(Record& record) {
  for (std::uint32_t use = record.first; use < record.first + record.count; ++use) {
    auto& users = users_[uses_[use].constraint];
    const User last = users.back();
    users[uses_[use].place] = last;
    uses_[last.use].place = uses_[use].place;
    users.pop_back();
  }
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(record.count, 1));
  free_uses_[static_cast<std::size_t>(std::countr_zero(size))].push_back(record.first);
}

void MaxMinSolver::touch(const Record& record, Change change) {
  for (std::uint32_t use = record.first; use < record.first + record.count; ++use) {
    Change& known = change_[uses_[use].constraint];
    if (known == kNone) touched_.push_back(uses_[use].constraint);
    known = std::max(known, change);
  }
}

std::span<const MaxMinSolver::Variable> MaxMinSolver::solve() {
  changed_.clear();
  ++solve_number_;
  gather(restart_level());
  make_candidates();
  fill();
  return changed_;
}

/// The level below which no change since the last solve can be felt.
double MaxMinSolver::restart_level() {
  double start = lowest_removed_;
  for (const Constraint constraint : touched_) {
    if (change_[constraint] == kMore) start = std::min(start, entry_level(constraint));
  }
  lowest_removed_ = kUnbounded;
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
    for (const User& user : users_[constraint]) {
      const Record& record = variables_[user.variable];
      const double load = user.coefficient * record.multiplicity;
      if (record.level < bound) {
        frozen += load * record.rate;
      } else {
        slope += load * record.weight;
      }
    }
    if (slope == 0) return kUnbounded;
    const double next = (capacities_[constraint] - frozen) / slope;
    if (next <= bound) break;
    bound = next;
  }
  return bound;
}

/// Opens every variable that froze at `start` or above and is connected to a change through
/// variables of that kind.
void MaxMinSolver::gather(double start) {
  reached_.clear();
  opened_.clear();
  for (const Constraint constraint : touched_) {
    change_[constraint] = kNone;
    reach(constraint);
  }
  touched_.clear();
  for (const Variable variable : new_) {
    const Record& record = variables_[variable];
    if (record.multiplicity > 0 && record.open_in != solve_number_) open(variable);
  }
  new_.clear();
  for (std::size_t i = 0; i < reached_.size(); ++i) read_users(reached_[i], start);
}

void MaxMinSolver::reach(Constraint constraint) {
  State& state = states_[constraint];
  if (state.reached_in == solve_number_) return;
  state = {capacities_[constraint], 0, 0, solve_number_};
  reached_.push_back(constraint);
}

void MaxMinSolver::open(Variable variable) {
  Record& record = variables_[variable];
  record.open_in = solve_number_;
  opened_.push_back(variable);
  const Use* use = uses_.data() + record.first;
  for (const Use* end = use + record.count; use != end; ++use) reach(use->constraint);
}

void MaxMinSolver::read_users(Constraint constraint, double start) {
  double remaining = capacities_[constraint];
  double slope = 0;
  std::uint32_t open_users = 0;
  for (const User& user : users_[constraint]) {
    const Record& record = variables_[user.variable];
    const double load = user.coefficient * record.multiplicity;
    if (record.level < start) {
      remaining -= load * record.rate;
      continue;
    }
    slope += load * record.weight;
    ++open_users;
    if (record.open_in != solve_number_) open(user.variable);
  }
  State& state = states_[constraint];
  state.remaining = remaining;
  state.slope = slope;
  state.open = open_users;
}

void MaxMinSolver::make_candidates() {
  heap_.clear();
  for (const Constraint constraint : reached_) {
    if (states_[constraint].open > 0) heap_.push_back({level_of(constraint), constraint});
  }
  const auto constraints = static_cast<std::uint32_t>(capacities_.size());
  for (const Variable variable : opened_) {
    const Record& record = variables_[variable];
    if (record.bound == kUnbounded) continue;
    heap_.push_back({record.bound / record.weight, constraints + variable});
  }
  for (std::size_t slot = heap_.size() / 2; slot-- > 0;) sink(slot, heap_[slot]);
}

double MaxMinSolver::level_of(Constraint constraint) const {
  return states_[constraint].remaining / states_[constraint].slope;
}

/// The level at which a constraint is full only rises while others freeze variables on it, so the
/// candidates' levels are lower bounds that are corrected when they come up.
void MaxMinSolver::fill() {
  const auto constraints = static_cast<std::uint32_t>(capacities_.size());
  double level = 0;
  for (still_open_ = opened_.size(); still_open_ > 0 && !heap_.empty();) {
    const Candidate top = heap_.front();
    if (top.id >= constraints) {
      pop_top();
      const Variable variable = top.id - constraints;
      level = std::max(level, top.level);
      if (variables_[variable].open_in == solve_number_) freeze(variable, level);
    } else if (states_[top.id].open == 0) {
      pop_top();
    } else if (const double now = std::max(level, level_of(top.id)); now > top.level) {
      sink_top({now, top.id});
    } else {
      pop_top();
      level = now;
      saturate(top.id, level);
    }
  }
  for (const Variable variable : opened_) {
    if (variables_[variable].open_in == solve_number_) freeze(variable, kUnbounded);
  }
}

void MaxMinSolver::saturate(Constraint constraint, double level) {
  for (const User& user : users_[constraint]) {
    if (variables_[user.variable].open_in == solve_number_) freeze(user.variable, level);
  }
}

void MaxMinSolver::freeze(Variable variable, double level) {
  Record& record = variables_[variable];
  const double rate = std::min(record.weight * level, record.bound);
  record.open_in = 0;
  record.level = level;
  if (rate != record.rate) changed_.push_back(variable);
  record.rate = rate;
  --still_open_;
  const Use* use = uses_.data() + record.first;
  for (const Use* end = use + record.count; use != end; ++use) {
    State& state = states_[use->constraint];
    const double load = use->coefficient * record.multiplicity;
    state.remaining -= load * rate;
    state.slope -= load * record.weight;
    --state.open;
  }
}

void MaxMinSolver::pop_top() {
  const Candidate last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sink_top(last);
}

void MaxMinSolver::sink_top(Candidate candidate) {
  sink(0, candidate);
}

void MaxMinSolver::sink(std::size_t slot, Candidate candidate) {
  for (std::size_t child; (child = 2 * slot + 1) < heap_.size(); slot = child) {
    if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < candidate)) break;
    heap_[slot] = heap_[child];
  }
  heap_[slot] = candidate;
}

}  // namespace heddle::network
