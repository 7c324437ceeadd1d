// Which algorithm a collective takes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/coll/algorithm.hpp"
#include "mpi/coll/operation.hpp"

namespace heddle::mpi::coll {

/// What a choice may depend on: the same on all ranks.
struct Situation {
  int ranks = 1;
  /// Of the data of a broadcast or reduction, of a block of the others; of all blocks together
  /// where they may differ.
  std::int64_t bytes = 0;
  std::int64_t elements = 0;  ///< Of a reduction.
  bool commutative = true;
};

struct Choice {
  std::string_view algorithm;  ///< Empty: the first of the list.
  Tuning tuning = {};
};

/// An algorithm for so many ranks or more, and so many bytes or more.
struct Rule {
  std::int32_t ranks;
  std::int64_t bytes;
  std::string_view algorithm;
  std::int64_t segment = 0;
  int radix = 0;
};
/// Sorted by ranks, then bytes: of those with the most ranks that fit, the one with the most bytes.
using RuleList = std::span<const Rule>;
/// The rule for a situation, or null.
const Rule* find_rule(RuleList rules, int ranks, std::int64_t bytes);

/// Chooses.
class Selector {
 public:
  Selector() = default;
  Choice choose(Collective collective, const Situation& situation) const;

  void set_rules(Collective collective, RuleList rules) { rules_[index(collective)] = rules; }
  /// One algorithm, whatever the situation.
  void set_choice(Collective collective, const Choice& choice) {
    by_hand_[index(collective)] = choice;
  }

 private:
  static std::size_t index(Collective collective) { return static_cast<std::size_t>(collective); }
  std::array<RuleList, kCollectives> rules_{};
  std::array<std::optional<Choice>, kCollectives> by_hand_{};
};

}  // namespace heddle::mpi::coll
