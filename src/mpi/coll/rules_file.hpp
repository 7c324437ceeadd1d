// Files of Open MPI's dynamic rules: which algorithm for how many ranks and bytes.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/coll/rules.hpp"

namespace heddle::mpi::coll {

/// The rules of a file; of a rule without an algorithm (number 0) the name is empty.
class RulesFile {
 public:
  RulesFile() = default;
  /// Takes text apart that begins with '{' as JSON, other as the classic format (both versions).
  /// `name` is what errors call the file; throws InputError.
  RulesFile(const std::string& name, std::string_view text);
  /// The list of a collective, or an empty one.
  RuleList rules(Collective collective) const;

 private:
  friend class ClassicRulesReader;
  friend class JsonRulesReader;
  std::vector<Rule>& list(Collective collective);
  void sort();
  struct List {
    Collective collective;
    std::vector<Rule> rules;
  };
  std::deque<List> lists_;
};

/// What Open MPI calls algorithm `number` of a collective by name, and what it is here.
struct NumberedAlgorithm {
  std::string_view openmpi;
  std::string_view name;
};
/// From number 1 on; empty for collectives that have no choice there.
std::span<const NumberedAlgorithm> openmpi_algorithms(Collective collective);

}  // namespace heddle::mpi::coll
