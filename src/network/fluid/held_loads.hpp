// What the variables that one constraint holds load elsewhere, summed up by constraint.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::network {

/// A sum of loads for each constraint that has one, in a dense list that can be walked and
/// searched.
///
/// Many variables of one constraint load the same others: a change of their common level then takes
/// a step per constraint instead of a step per variable and constraint. The list has two parts, for
/// constraints that are awake, which such a change concerns, and for those asleep.
class HeldLoads {
 public:
  using Constraint = std::uint32_t;
  struct Sum {
    double load;  ///< Per level.
    Constraint constraint;
    std::uint32_t variables;  ///< How many are summed up.
  };

  /// One more variable loads the constraint, which is asleep or not, as all its variables say.
  void add(Constraint constraint, double load, bool asleep);
  /// Takes one out that was added; with the last of a constraint its sum goes.
  void remove(Constraint constraint, double load);
  /// A variable that was added loads the constraint by so much more.
  void change(Constraint constraint, double more) { sums_[find(constraint).place].load += more; }
  /// The constraint, which has a sum, falls asleep or wakes up.
  void set_asleep(Constraint constraint, bool asleep);
  void clear();

  /// In an order that depends on the calls alone.
  std::span<const Sum> awake() const { return {sums_.data(), awake_}; }
  std::span<const Sum> asleep() const { return std::span(sums_).subspan(awake_); }

 private:
  /// Shorter lists are searched from end to end, and have no table.
  static constexpr std::size_t kFew = 12;

  /// Where a constraint's sum is, or would be.
  struct Found {
    std::size_t place;     ///< The number of sums if it has none.
    std::size_t cell = 0;  ///< If there is a table.
  };

  bool has_table() const { return !table_.empty(); }
  std::size_t home(Constraint constraint) const { return (constraint * 0x9e3779b1U) >> shift_; }
  std::size_t next(std::size_t cell) const { return (cell + 1) & (table_.size() - 1); }
  Found find(Constraint constraint) const;
  std::size_t cell_of(Constraint constraint) const;
  void append(const Sum& sum, bool asleep, std::size_t cell);
  void erase(const Found& found);
  void move(std::size_t from, std::size_t to);
  void swap(std::size_t a, std::size_t b);
  void free_cell(std::size_t cell);
  void make_table();
  void occupy(std::size_t cell, std::size_t place) {
    table_[cell] = static_cast<std::uint32_t>(place + 1);
    cells_[place] = static_cast<std::uint32_t>(cell);
  }

  std::vector<Sum> sums_;
  std::vector<std::uint32_t> table_;  ///< Open addressing: 1 + a place in `sums_`; 0: none.
  std::vector<std::uint32_t> cells_;  ///< By place: its cell, if there is a table.
  std::uint32_t shift_ = 0;
  std::uint32_t awake_ = 0;  ///< Those come first.
};

}  // namespace heddle::network
