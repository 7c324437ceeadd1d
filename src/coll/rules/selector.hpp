// Which algorithm a collective takes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "coll/algorithms/algorithm.hpp"
#include "coll/algorithms/run.hpp"
#include "coll/rules/coll_config.hpp"
#include "coll/rules/rules.hpp"
#include "coll/rules/rules_file.hpp"

namespace heddle::coll {

/// What a choice may depend on: the same on all ranks.
struct Situation {
  int ranks = 1;
  /// Of the data of a broadcast or reduction, of a block of the others (on average where they may
  /// differ).
  std::int64_t bytes = 0;
  bool commutative = true;
};

struct Choice {
  std::string_view algorithm;       ///< Empty: the first of the list.
  std::string_view otherwise = {};  ///< Where that does not fit; empty: its own stand-in.
  Tuning tuning = {};
};

/// Chooses: by hand, by a file of rules, else as a library does.
class Selector {
 public:
  /// Throws InputError for an algorithm or a file that is not there.
  explicit Selector(const CollConfig& config);
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;
  Choice choose(Collective collective, const Situation& situation, const Places& places) const;

 private:
  using Lists = std::array<const CollectiveRules*, kCollectives>;
  static std::size_t index(Collective collective) { return static_cast<std::size_t>(collective); }
  static Lists lists_of(std::span<const CollectiveRules> rules);

  std::array<std::optional<Choice>, kCollectives> by_hand_{};
  Tuning tuning_;
  RulesFile file_;
  Lists rules_{};
  Lists rules_of_nodes_{};
  bool knows_nodes_ = false;
};

/// Does an operation with `bytes` of data (as Situation has them) as the steps' selector chooses,
/// or as what that stands for where it does not fit. Without a selector, by the first of the list.
template <class Work>
void run_as_chosen(Steps& steps, Collective collective, std::span<const Algorithm<Work>> all,
                   const Work& work, std::int64_t bytes) {
  Choice choice;
  if (const Selector* selector = steps.selector()) {
    choice = selector->choose(collective, {steps.size(), bytes, commutes(work)}, steps.places());
  }
  const Algorithm<Work>* one = find_algorithm(all, choice.algorithm);
  if (one == nullptr) one = &all.front();
  if (!choice.otherwise.empty() && !fits(one->needs, steps, work)) {
    one = find_algorithm(all, choice.otherwise);
  }
  run(steps, fitting(all, *one, steps, work), work, choice.tuning);
}

/// Names and sentences of the algorithms of a collective.
struct AlgorithmEntry {
  std::string_view name;
  std::string_view about;
  std::string_view otherwise;
};
std::vector<AlgorithmEntry> algorithms_of(Collective collective);
/// The name as it is written in the lists, or nothing.
std::optional<std::string_view> algorithm_named(Collective collective, std::string_view name);

}  // namespace heddle::coll
