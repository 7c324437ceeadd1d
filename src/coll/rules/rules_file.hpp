// Files of Open MPI's dynamic rules: which algorithm for how many ranks and bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coll/rules/rules.hpp"

namespace heddle::coll {

/// The version of Open MPI whose numbers a file has.
enum class OpenMpi : std::uint8_t { v4_1, v5 };
std::string_view text_of(OpenMpi version);

/// The rules of a file; of a rule without an algorithm (number 0) the name is empty.
class RulesFile {
 public:
  RulesFile() = default;
  /// Takes text apart that begins with '{' as JSON, which only Open MPI 5 reads, other as the
  /// classic format. `name` is what errors call the file; throws InputError, also for what Open MPI
  /// of that version would refuse.
  RulesFile(const std::string& name, std::string_view text, OpenMpi version = OpenMpi::v5);
  /// The rule for a situation, or null.
  const Rule* find(Collective collective, int ranks, std::int64_t bytes) const;

 private:
  friend class ClassicRulesReader;
  friend class JsonRulesReader;
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = INT64_MAX;
    bool holds(std::int64_t n) const { return least <= n && n <= most; }
  };
  struct ForBytes {
    Range bytes;
    Rule rule;
  };
  struct ForRanks {
    Range ranks;
    std::vector<ForBytes> rules;
  };
  std::vector<ForRanks>& list(Collective collective) {
    return lists_[static_cast<std::size_t>(collective)];
  }

  /// Of a collective, the first for the ranks counts, and of that the first for the bytes.
  std::array<std::vector<ForRanks>, kCollectives> lists_;
};

/// What Open MPI calls algorithm `number` of a collective by name, and what it is here.
struct NumberedAlgorithm {
  std::string_view openmpi;
  std::string_view name;
  OpenMpi since = OpenMpi::v4_1;
};
/// From number 1 on; empty for collectives that have no choice there.
std::span<const NumberedAlgorithm> openmpi_algorithms(Collective collective,
                                                      OpenMpi version = OpenMpi::v5);

}  // namespace heddle::coll
