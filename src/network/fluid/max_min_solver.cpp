#include "network/fluid/max_min_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heddle::network {
namespace {

/// Filling from nothing costs less than finding a place for more new variables than this, if they
/// are also more than a fourth of all; and less than looking at so many times all elements.
constexpr std::size_t kFewNew = 16;
constexpr std::size_t kManyNew = 4;
constexpr std::size_t kManyLooks = 6;
constexpr std::size_t kFewElements = 256;

}  // namespace

MaxMinSolver::MaxMinSolver(const std::vector<double>& capacities, double tolerance)
    : graph_(capacities),
      filling_(graph_),
      changes_(graph_),
      due_(graph_, tolerance),
      propagation_(graph_, due_, changes_) {}

// --- Changes of the system -----------------------------------------------------------------------

MaxMinSolver::Variable MaxMinSolver::add(std::span<const Element> elements, double weight,
                                         double bound, std::uint32_t multiplicity) {
  assert(weight > 0 && bound > 0 && multiplicity > 0);
  for (const Element& element : elements) {
    if (graph_.seat(element.constraint).only != kNobody) make_shared(element.constraint);
  }
  const auto flows = static_cast<std::int32_t>(multiplicity);
  const Variable variable = graph_.add(elements, weight * multiplicity, bound / weight, flows);
  if (variable == records_.size()) records_.emplace_back();
  Record& record = records_[variable];
  if (!record.listed) new_.push_back(variable);
  record = {weight, bound, multiplicity, true};
  ++live_;
  uses_ += graph_.share(variable).count;
  return variable;
}

/// Who has the constraint to itself gets company.
void MaxMinSolver::make_shared(Constraint constraint) {
  if (graph_.seat(constraint).only == kNobody) return;
  graph_.make_shared(constraint);
  due_.is_out_of_date(constraint);
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
    if (use.is_shared()) due_.note(use.constraint);
  }
}

void MaxMinSolver::set_multiplicity(Variable variable, std::uint32_t multiplicity) {
  const Share& share = graph_.share(variable);
  for (const Use& use : graph_.uses(share)) {
    if (share.held_by != SharingGraph::kNothing && !use.is_shared()) make_shared(use.constraint);
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
  due_.note(constraint);
}

double MaxMinSolver::rate(Variable variable) const {
  const Share& share = graph_.share(variable);
  const Record& record = records_[variable];
  if (share.held_by == kBound) return record.bound;
  return std::min(record.weight * graph_.level(share), record.bound);
}

// --- Solving -------------------------------------------------------------------------------------

/// The one new variable, which nobody else feels. It has gone again, perhaps.
MaxMinSolver::Changes MaxMinSolver::place_alone() {
  changes_.clear();
  const Variable variable = new_[0];
  new_.clear();
  records_[variable].listed = false;
  if (records_[variable].multiplicity > 0) propagation_.place_alone(variable);
  return {changes_.levels(), changes_.holders()};
}

MaxMinSolver::Changes MaxMinSolver::solve_all() {
  changes_.clear();
  std::erase_if(new_, [this](Variable variable) {
    records_[variable].listed = false;
    return records_[variable].multiplicity == 0;
  });
  const std::size_t most_work = kManyLooks * (uses_ + kFewElements);
  if (fill_is_cheaper() || !propagation_.run(new_, most_work)) fill();
  due_.forget_noted();
  new_.clear();
  return {changes_.levels(), changes_.holders()};
}

bool MaxMinSolver::fill_is_cheaper() const {
  return new_.size() > kFewNew && kManyNew * new_.size() > live_;
}

void MaxMinSolver::fill() {
  filling_.clear();
  for (const Variable variable : new_) open(variable);
  const std::size_t opened = filling_.variables().size();
  for (const Constraint constraint : due_.noted()) filling_.reach(constraint);
  while (!due_.empty()) filling_.reach(due_.pop());
  filling_.run();
  for (const Constraint constraint : filling_.constraints()) {
    due_.clear(constraint);
    changes_.note_level(constraint);
    const Link& link = graph_.link(constraint);
    if (link.held > 0) {
      propagation_.set_ceiling(constraint);
    } else if (due_.has_room_to_sleep(constraint)) {
      graph_.link(constraint).asleep = true;
    }
  }
  for (const Variable variable : filling_.variables()) graph_.note_holder(graph_.share(variable));
  changes_.clear_holders();
  for (const Variable variable : new_) changes_.note_holder(variable);
  for (const Variable variable : filling_.variables().subspan(opened)) {
    changes_.note_holder(variable);
  }
}

/// Fills a new variable, or has it filled. Levels are reported in the order of new variables.
void MaxMinSolver::open(Variable variable) {
  const Share& share = graph_.share(variable);
  if (share.lone) {
    graph_.find_limit(variable, true);
    graph_.hold_at_limit(variable);
  } else {
    filling_.open(variable);
  }
  for (const Use& use : graph_.uses(share)) {
    if (use.is_shared() || use.constraint == share.limited_by) changes_.note_level(use.constraint);
  }
}

}  // namespace heddle::network
