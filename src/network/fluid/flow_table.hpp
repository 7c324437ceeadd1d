// Which flows load which links. No levels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/prefetch.hpp"

namespace heddle::network {

/// Variables, each with the constraints that it loads, and constraints, each with its variables.
///
/// A variable stands for equal flows; at level x each of them has the rate weight * x. A constraint
/// that only one variable loads is private to it: it has a seat, but no users. The next variable
/// that comes makes it shared.
class FlowTable {
 public:
  using Variable = std::uint32_t;
  using Constraint = std::uint32_t;
  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  /// What holds a variable that no constraint holds: its bound, or nothing as it has no level yet.
  static constexpr Constraint kBound = std::numeric_limits<Constraint>::max();
  static constexpr Constraint kNothing = kBound - 1;
  static constexpr Variable kNobody = std::numeric_limits<Variable>::max();
  static constexpr std::uint32_t kPrivate = std::numeric_limits<std::uint32_t>::max();

  /// How strongly a variable loads a constraint.
  struct Element {
    Constraint constraint;
    double coefficient;  ///< Positive.
  };
  /// A variable's side of an element.
  struct Use {
    Constraint constraint;
    std::uint32_t place;  ///< Index in the constraint's users, or kPrivate.
    double coefficient;
    bool is_shared() const { return place != kPrivate; }
  };
  /// A constraint's side of an element.
  struct User {
    Variable variable;
    std::uint32_t use;  ///< Index in the uses of all variables.
    double coefficient;
    Constraint held_by = kNothing;  ///< As the variable's share says; not during a filling.
  };
  /// What a walk from constraint to constraint needs of a variable: half a cache line.
  struct alignas(32) Share {
    double rise = 0;            ///< Weight of all its flows together.
    double limit = kUnbounded;  ///< No higher, for its bound or a private constraint.
    Constraint held_by = kNothing;
    Constraint limited_by = kBound;  ///< kBound or the private constraint.
    std::uint32_t first = 0;         ///< Its uses are those from here on.
    std::uint32_t count : 26 = 0;
    std::uint32_t run : 5 = 0;   ///< There is room for 2^run uses.
    std::uint32_t lone : 1 = 0;  ///< All its constraints are private.

    /// Whether a shared constraint holds it.
    bool is_held_by_link() const { return held_by < kNothing && held_by != limited_by; }
  };
  /// Who is on a constraint, at a glance.
  struct Seat {
    std::int32_t flows = 0;   ///< Of all variables that load it.
    Variable only = kNobody;  ///< The one to which it is private.
    bool left = false;        ///< Its users went since the last solution.
  };
  explicit FlowTable(std::size_t constraints) : seats_(constraints), users_(constraints) {}

  /// Adds a variable of so many flows that nothing holds, and that its bound does not let rise
  /// above the level `bound`; a constraint that occurs again is loaded by the sum. Those on which
  /// nobody is, nor was since the last solution, are private to it; others must not be private.
  Variable add(std::span<const Element> elements, double rise, double bound, std::int32_t flows);
  /// Takes out a variable of so many flows that nothing holds. Gives the constraints that have lost
  /// their last user; valid until the next call.
  std::span<const Constraint> remove(Variable variable, std::int32_t flows);
  /// There is a solution.
  void settle() {
    if (!left_.empty()) forget_left();
  }

  std::size_t constraints() const { return seats_.size(); }
  Seat& seat(Constraint constraint) { return seats_[constraint]; }
  const Seat& seat(Constraint constraint) const { return seats_[constraint]; }
  /// Those that the constraint holds come first.
  std::span<const User> users(Constraint constraint) const { return users_[constraint]; }
  Share& share(Variable variable) { return shares_[variable]; }
  const Share& share(Variable variable) const { return shares_[variable]; }
  std::span<const Use> uses(const Share& share) const {
    return {uses_.data() + share.first, share.count};
  }
  /// The level at which the variable reaches its bound.
  double bound(Variable variable) const { return bounds_[variable]; }
  /// Starts to read what a new variable on the constraint needs.
  void foresee(Constraint constraint) const { heddle::prefetch(&seats_[constraint]); }

 protected:
  User& user(const Use& use) { return users_[use.constraint][use.place]; }
  /// The variable to which the constraint is private becomes its first user.
  const Use& make_shared_use(Constraint constraint);
  void swap_users(Constraint constraint, std::uint32_t a, std::uint32_t b);

 private:
  Variable take_variable();
  [[gnu::noinline]] Variable new_variable();
  void take_uses(Share& share, std::size_t count);
  bool uses_already(Variable variable, Constraint constraint) const;
  void use_more(Variable variable, const Element& element);
  void leave_users(const Use& use);
  void forget_left();
  Use* find_use(const Share& share, Constraint constraint);

  std::vector<Seat> seats_;               ///< By constraint.
  std::vector<std::vector<User>> users_;  ///< By constraint.
  std::vector<Constraint> left_;          ///< By all users since the last solution.
  std::vector<Share> shares_;
  std::vector<double> bounds_;  ///< By variable.
  std::vector<Variable> free_variables_;
  std::vector<Use> uses_;
  std::array<std::vector<std::uint32_t>, 32> free_uses_;  ///< Freed runs of 2^k uses.
};

// What every message passes through, most of whose links nobody else uses, is a part of who calls
// it.

[[gnu::always_inline]] inline FlowTable::Variable FlowTable::take_variable() {
  if (free_variables_.empty()) return new_variable();
  const Variable variable = free_variables_.back();
  free_variables_.pop_back();
  return variable;
}

/// Runs of uses are powers of two long, so that a freed one fits the next variable of its class.
[[gnu::always_inline]] inline void FlowTable::take_uses(Share& share, std::size_t count) {
  share.run = static_cast<std::uint8_t>(std::bit_width(std::max<std::size_t>(count, 1) - 1));
  auto& free = free_uses_[share.run];
  if (free.empty()) {
    share.first = static_cast<std::uint32_t>(uses_.size());
    uses_.resize(uses_.size() + (std::size_t{1} << share.run));
  } else {
    share.first = free.back();
    free.pop_back();
  }
}

/// Whether the constraint has come before among those of the variable, which is new: then it is
/// private, or the variable its last user.
[[gnu::always_inline]] inline bool FlowTable::uses_already(Variable variable,
                                                           Constraint constraint) const {
  if (seats_[constraint].only == variable) return true;
  const std::vector<User>& users = users_[constraint];
  return !users.empty() && users.back().variable == variable;
}

inline FlowTable::Variable FlowTable::add(std::span<const Element> elements, double rise,
                                          double bound, std::int32_t flows) {
  const Variable variable = take_variable();
  Share& share = shares_[variable];
  share = {rise, bound};
  bounds_[variable] = bound;
  take_uses(share, elements.size());
  Use* const uses = uses_.data() + share.first;
  std::uint32_t count = 0;
  bool lone = true;
  for (const Element& element : elements) {
    Seat& seat = seats_[element.constraint];
    if (seat.flows == 0 && !seat.left) {
      uses[count++] = {element.constraint, kPrivate, element.coefficient};
      seat.only = variable;
      seat.flows = flows;
    } else if (uses_already(variable, element.constraint)) {
      use_more(variable, element);
    } else {
      std::vector<User>& users = users_[element.constraint];
      uses[count] = {element.constraint, static_cast<std::uint32_t>(users.size()),
                     element.coefficient};
      users.push_back({variable, share.first + count, element.coefficient});
      ++count;
      seat.flows += flows;
      lone = false;
    }
  }
  share.count = count;
  share.lone = lone;
  return variable;
}

/// The last user takes the place of the one that goes.
[[gnu::always_inline]] inline void FlowTable::leave_users(const Use& use) {
  const std::uint32_t place = use.place;
  const Constraint constraint = use.constraint;
  std::vector<User>& users = users_[constraint];
  const User last = users.back();
  users.pop_back();
  if (!users.empty()) {
    uses_[last.use].place = place;
    if (place != users.size()) users[place] = last;
    return;
  }
  seats_[constraint].left = true;
  left_.push_back(constraint);
}

inline std::span<const FlowTable::Constraint> FlowTable::remove(Variable variable,
                                                                std::int32_t flows) {
  const Share& share = shares_[variable];
  const std::size_t left_before = left_.size();
  for (const Use& use : uses(share)) {
    Seat& seat = seats_[use.constraint];
    seat.flows -= flows;
    if (use.is_shared()) {
      leave_users(use);
    } else {
      seat.only = kNobody;
    }
  }
  free_uses_[share.run].push_back(share.first);
  free_variables_.push_back(variable);
  return std::span<const Constraint>(left_).subspan(left_before);
}

}  // namespace heddle::network
