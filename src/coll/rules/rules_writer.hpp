// Files of Open MPI's dynamic rules, written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "coll/rules/rules_file.hpp"

namespace heddle::coll {

/// The number that the classic format gives a collective, or nothing.
std::optional<int> openmpi_number(Collective collective);

/// What Open MPI compares with the sizes in a file, of an operation with `bytes` of data or, where
/// ranks have blocks, of each block: the blocks of all ranks together, and nothing for an
/// alltoallv.
std::int64_t size_in_rules(Collective collective, int ranks, std::int64_t bytes);

/// Rules of one collective, sorted as RuleList has them, as the text of a file that Open MPI and
/// RulesFile read. Each names an algorithm of openmpi_algorithms(), or none.
std::string classic_rules_text(Collective collective, RuleList rules, std::string_view comment);
std::string json_rules_text(Collective collective, RuleList rules);

}  // namespace heddle::coll
