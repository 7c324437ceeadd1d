// How MPI libraries choose algorithms: tables.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coll/rules/operation.hpp"

namespace heddle::coll {

/// Data in one piece, however long.
inline constexpr std::int64_t kWhole = std::int64_t{1} << 40;

/// An algorithm for so many ranks or more, and so many bytes or more.
struct Rule {
  std::int32_t ranks;
  std::int64_t bytes;
  std::string_view algorithm;
  std::int64_t segment = 0;
  int radix = 0;
  std::string_view otherwise = {};  ///< Where the algorithm does not fit; else its own stand-in.
};
/// Sorted by ranks, then bytes: of those with the most ranks that fit, the one with the most bytes.
using RuleList = std::span<const Rule>;
/// The rule for a situation, or null.
const Rule* find_rule(RuleList rules, int ranks, std::int64_t bytes);

/// Which bytes a list means: of one block (on average where blocks differ) or of all ranks
/// together. The same for broadcasts and reductions.
enum class Measure : std::uint8_t { block, total };

struct CollectiveRules {
  Collective collective;
  Measure measure = Measure::block;
  RuleList rules;
  RuleList in_order =
      {};  ///< For operations that do not commute, if they have a list of their own.
};

/// A library whose choices are known.
struct Library {
  std::string_view name;
  std::string_view about;
  std::span<const CollectiveRules> rules;
  /// Used instead where several ranks share nodes, and there are several nodes.
  std::span<const CollectiveRules> rules_of_nodes = {};
};
std::span<const Library> libraries();

std::span<const CollectiveRules> openmpi_rules();

}  // namespace heddle::coll
