// Weighted max-min fair sharing: who gets which rate when links have capacities. No clock, no
// events.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heddle::network {

/// Finds the weighted max-min fair rates of variables that load constraints.
///
/// A variable stands for `multiplicity` equal flows; each of them gets the same rate, loads every
/// constraint of the variable by coefficient times that rate, and never exceeds the variable's
/// bound. The rates are those of progressive filling: a level rises from zero and each flow gets
/// weight times level until one of its constraints is full or its bound is reached; there it
/// freezes.
///
/// Changes are gathered and take effect in solve(). A change is felt only from some level upwards:
/// removing a flow changes nothing below the level at which it was frozen, and adding one changes
/// nothing below the level at which the first of its constraints is full with it. So solve() keeps
/// every variable frozen below the lowest such level, and of the others solves those that are
/// connected to a change. All results are the same bits for the same sequence of calls.
class MaxMinSolver {
 public:
  using Variable = std::uint32_t;
  using Constraint = std::uint32_t;
  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

  /// How strongly a variable loads a constraint.
  struct Element {
    Constraint constraint;
    double coefficient;  ///< Positive.
  };

  /// `capacities` are positive, one per constraint.
  explicit MaxMinSolver(const std::vector<double>& capacities);

  /// Adds a variable; a constraint that occurs again in `elements` is loaded by the sum. Weight,
  /// bound and multiplicity are positive. Its rate is 0 until solve(). Numbers of removed variables
  /// are used again.
  Variable add(std::span<const Element> elements, double weight, double bound,
               std::uint32_t multiplicity);
  void remove(Variable variable);
  /// `multiplicity` is positive.
  void set_multiplicity(Variable variable, std::uint32_t multiplicity);

  /// Brings all rates up to date; the result lists the variables whose rate changed, until the next
  /// call. A variable with neither constraint nor bound gets an infinite rate.
  std::span<const Variable> solve();
  /// What each flow of the variable gets.
  double rate(Variable variable) const { return variables_[variable].rate; }
  /// How many flows load the constraint, changes since the last solve included.
  std::int64_t flows(Constraint constraint) const { return links_[constraint].flows; }

 private:
  /// What the sums over the users of a constraint need of a variable: half a cache line.
  struct alignas(32) Share {
    double level = kUnbounded;  ///< Where it froze.
    double taken = 0;           ///< What its flows get together.
    double rise = 0;            ///< Their weights together.
    std::uint32_t open_in = 0;  ///< The solve in which it is not frozen yet.
  };
  /// The rest of a variable.
  struct Record {
    double rate = 0;
    double weight = 1;
    double bound = kUnbounded;
    std::uint32_t multiplicity = 0;  ///< 0: the number is free.
    std::uint32_t first = 0;         ///< Its uses are uses_[first ... first + count).
    std::uint32_t count = 0;
    std::uint32_t run = 0;  ///< There is room for 2^run.
  };
  /// A variable's side of an element.
  struct Use {
    Constraint constraint;
    std::uint32_t place;  ///< Index in the constraint's users.
    double coefficient;
  };
  /// A constraint's side of an element.
  struct User {
    Variable variable;
    std::uint32_t use;  ///< Index in uses_.
    double coefficient;
  };
  enum class Change : std::uint8_t { none, less, more };
  /// A constraint, in one cache line.
  struct alignas(64) Link {
    std::vector<User> users;
    double capacity = 0;
    double remaining = 0;    ///< Capacity not taken by frozen variables.
    double slope = 0;        ///< Load per level of the open ones.
    std::uint32_t open = 0;  ///< How many are open.
    std::int32_t flows = 0;
    Change change = Change::none;  ///< Since the last solve.
  };
  /// Something that may freeze variables at a level, in a heap with the lowest level on top.
  struct Candidate {
    double level;
    std::uint32_t id;  ///< A constraint, or the number of constraints plus a variable.
    /// By level, then id. Numbers of a sign are ordered as their bits are, and in integers the two
    /// comparisons are one, which takes no branch.
    bool operator<(const Candidate& other) const {
      return std::bit_cast<std::int64_t>(level) <
             std::bit_cast<std::int64_t>(other.level) + (id < other.id ? 1 : 0);
    }
  };

  void take_uses(Record& record, std::size_t count);
  void link(Variable variable, std::span<const Element> elements);
  void unlink(const Record& record);
  void touch(Constraint constraint, Change change);
  double restart_level();
  double entry_level(Constraint constraint) const;
  void gather(double start);
  void reopen(Variable variable, double start);
  void reach(Constraint constraint);
  void open(Variable variable);
  bool reach_shared(Variable variable, double& bound);
  std::span<const Variable> read_users(Constraint constraint, double start);
  double level_of(Constraint constraint) const {
    return links_[constraint].remaining / links_[constraint].slope;
  }
  void fill();
  void refill();
  std::span<const Variable> open_users(Constraint constraint);
  void set_level(Variable variable, double level);
  void freeze(Variable variable, double level);
  bool is_open(Variable variable) const { return shares_[variable].open_in == solve_number_; }
  void pop_top();
  void sink(std::size_t slot, Candidate candidate);

  std::vector<Link> links_;  ///< By constraint.
  std::vector<Record> variables_;
  std::vector<Share> shares_;  ///< By variable.
  std::vector<Variable> free_variables_;
  std::vector<Use> uses_;
  std::array<std::vector<std::uint32_t>, 32> free_uses_;  ///< Freed runs of 2^k uses.

  std::size_t busy_constraints_ = 0;    ///< Those with a user.
  std::vector<Constraint> touched_;     ///< Those with a change.
  std::vector<Variable> new_;           ///< Variables added since the last solve.
  double lowest_removed_ = kUnbounded;  ///< Lowest level of a flow removed since the last solve.

  std::uint32_t solve_number_ = 0;
  std::vector<std::uint32_t> reached_in_;  ///< By constraint: the solve that works on it.
  std::vector<Constraint> reached_;        ///< The first reached_count_ of them count.
  std::size_t reached_count_ = 0;
  std::vector<Variable> opened_;  ///< The first opened_count_ of them count.
  std::size_t opened_count_ = 0;
  std::vector<Variable> found_;  ///< Some users of a constraint, by read_users() or open_users().
  std::size_t still_open_ = 0;
  std::vector<Candidate> heap_;     ///< The candidates up to some level.
  double heap_end_ = 0;             ///< That level.
  std::vector<Candidate> waiting_;  ///< Those above it, in no order.
  std::vector<Variable> changed_;   ///< The first changed_count_ of them count.
  std::size_t changed_count_ = 0;
};

}  // namespace heddle::network
