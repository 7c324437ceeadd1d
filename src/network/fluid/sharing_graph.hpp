// Which flows load which links, and which link holds each of them back. No clock, no events.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "network/fluid/flow_table.hpp"
#include "network/fluid/held_loads.hpp"

namespace heddle::network {

/// Orders what is to be done by level, then number. Levels are not negative, and such numbers are
/// ordered as their bits are; in integers the two comparisons are one, which takes no branch.
inline bool is_lower(double level, std::uint32_t number, double other_level,
                     std::uint32_t other_number) {
  return std::bit_cast<std::int64_t>(level) <
         std::bit_cast<std::int64_t>(other_level) + (number < other_number ? 1 : 0);
}

/// Variables that load constraints, each held at a level by one of its constraints or by its bound.
///
/// Of every constraint the graph keeps two sums: the load per level of the variables that it holds,
/// and the gap between its capacity and the load of all. Both change with every move of a variable;
/// they are summed up anew now and then, so that rounding does not build up. And it keeps what
/// those it holds load elsewhere, for a change of their level to reach each other constraint in one
/// step.
///
/// A private constraint is no part of the graph: nobody else can feel it. It limits the level of
/// its variable as a bound does, and when it is the lowest such limit it holds the variable at its
/// own level. The next variable that comes makes it shared.
///
/// A constraint that is far from full need not know each change. Each that holds variables has a
/// ceiling not below its level; as long as a constraint would not be full if all its variables were
/// at the ceilings of what holds them, it can sleep: its gap is then that to the ceilings, and only
/// a change of one of these reaches it.
class SharingGraph : public FlowTable {
 public:
  /// The level of a constraint that holds nobody; of no use in sums, but times 0 it is 0.
  static constexpr double kNoLevel = std::numeric_limits<double>::max();

  /// A ceiling is this many times the level when it is set, and is set anew when it has become more
  /// than that many times the level.
  static constexpr double kCeiling = 1 + 1.0 / 128;
  static constexpr double kTooHighCeiling = kCeiling * kCeiling * kCeiling;
  /// A link with this part of its capacity left that holds nobody may sleep.
  static constexpr double kRoomToSleep = 1.0 / 64;

  /// A constraint, in one cache line.
  struct alignas(64) Link {
    double level = kNoLevel;  ///< Of the variables it holds.
    double gap = 0;           ///< What is left of its capacity; negative if it is too full.
    double least_gap = 0;     ///< With a smaller or greater gap its level has to be looked at.
    double most_gap = 0;
    double slope = 0;                 ///< Load per level of those it holds.
    double highest = 0;               ///< No variable held elsewhere has a higher level.
    double least_limit = kUnbounded;  ///< No variable it holds has a lower one.
    std::uint32_t held = 0;           ///< How many it holds.
    std::uint16_t changes = 0;        ///< Of the sums, since they were summed up anew.
    bool due = false;                 ///< Its level has to be looked at.
    bool reported : 1 = false;        ///< Its level has changed since the last solution.
    bool asleep : 1 = false;          ///< Its gap is that to the ceilings; it holds nobody.
    bool closed : 1 = false;  ///< Its capacity is 0, and so is every level on it, to the bit.

    /// What the variables held elsewhere leave of the capacity.
    double room() const { return gap + slope * level; }
    /// The level at which variables that load it by `slope` take up the room.
    double level_for(double room, double slope) const {
      return closed ? 0 : std::max(0.0, room / slope);
    }
    /// It no longer holds one that loads it by `load` per level; the gap is that of the new holder.
    void give_up(double load) {
      slope -= load;
      if (--held > 0) return;
      slope = 0;
      level = kNoLevel;
      least_limit = kUnbounded;
    }
    /// The level that leaves no gap, of a constraint that holds variables and is not closed.
    double full_level() const { return std::max(0.0, level + gap / slope); }
  };

  explicit SharingGraph(const std::vector<double>& capacities);

  /// Finds the limit of a variable; of equal constraints the first limits it, or with `by_number`
  /// the one with the least number, and rather than the bound.
  void find_limit(Variable variable, bool by_number);
  /// Puts the variable to which the constraint is private among its users; its sums are right then.
  void make_shared(Constraint constraint);
  /// Takes out a variable of so many flows that nothing holds; see FlowTable::add.
  void remove(Variable variable, std::int32_t flows);

  /// The variable, which had the level `from`, is held at `to` by `holder` from now on: one of its
  /// shared constraints, what limits it, or kNothing. `from` and `to` are 0 where nothing holds it.
  void hold(Variable variable, double from, Constraint holder, double to);
  /// A variable that has all its constraints to itself is held by what limits it.
  void hold_at_limit(Variable variable) {
    Share& share = this->share(variable);
    share.held_by = share.limited_by;
    note_limit(share, share.limit);
  }
  /// Puts the user at `place` of the constraint among those that it holds; the sums stay.
  void take_in(Constraint constraint, std::uint32_t place) {
    swap_users(constraint, place, links_[constraint].held++);
  }
  /// Nothing holds the variable any more; its constraints are not told, for a filling.
  void release(Variable variable) {
    Share& share = this->share(variable);
    leave_holder(share);
    share.held_by = kNothing;
  }
  /// Of a variable that is held as a part of a filling by what limits it. The ceiling of a private
  /// constraint is its level.
  void note_limit(const Share& share, double level) {
    if (share.limited_by == kBound) return;
    links_[share.limited_by].level = level;
    ceilings_[share.limited_by] = level;
  }
  /// The constraint holds nobody; for a filling, which opens all of its users.
  void let_go(Constraint constraint);
  /// After the filling, once it is known which constraints sleep: all learn what holds the
  /// variable, and that what it loads.
  void note_holder(const Share& share);
  /// From now on the constraint, which is not private, has another capacity; it is awake and
  /// its sums are right, but the levels stay as they are.
  void set_capacity(Constraint constraint, double capacity);
  /// A variable stands for more or fewer flows; unless nothing holds it, none of its constraints is
  /// private. The level of what holds
  /// it stays as it is.
  void set_rise(Variable variable, double rise);
  /// Sums up the loads of a constraint, which is awake, anew.
  void sum_up(Constraint constraint);

  /// Lets a constraint that holds nobody sleep.
  void sleep(Constraint constraint);
  /// Wakes it up; its sums are right then.
  void wake(Constraint constraint);
  double ceiling(Constraint constraint) const { return ceilings_[constraint]; }
  /// Notes in `overfull`, which has room for all sleeping ones that what the constraint holds
  /// loads, those with a negative gap, and returns their number.
  std::size_t set_ceiling(Constraint constraint, double ceiling, std::span<Constraint> overfull);

  double capacity(Constraint constraint) const { return capacities_[constraint]; }
  Link& link(Constraint constraint) { return links_[constraint]; }
  const Link& link(Constraint constraint) const { return links_[constraint]; }
  /// What the variables that the constraint holds load elsewhere.
  const HeldLoads& held_loads(Constraint constraint) const { return held_loads_[constraint]; }
  /// Where the variable of the user is held, without a look at its share if a constraint holds it.
  double level(const User& user) const {
    if (user.held_by < kNothing) return links_[user.held_by].level;
    return level(this->share(user.variable));
  }
  /// Where the variable is held; 0 if nothing holds it.
  double level(const Share& share) const {
    if (share.held_by < kNothing) return links_[share.held_by].level;
    return share.held_by == kBound ? share.limit : 0;
  }

 private:
  /// The shared constraint that has held the variable, or kNothing. A private one has no level
  /// then.
  Constraint leave_holder(const Share& share) {
    if (share.is_held_by_link()) return share.held_by;
    if (share.held_by < kNothing) links_[share.held_by].level = kNoLevel;
    return kNothing;
  }
  double ceiling(const Share& share) const {
    return share.held_by < kNothing ? ceilings_[share.held_by] : level(share);
  }
  std::vector<Link> links_;
  std::vector<double> capacities_;     ///< By constraint.
  std::vector<HeldLoads> held_loads_;  ///< By constraint.
  std::vector<double> ceilings_;       ///< By constraint.
};

}  // namespace heddle::network
