// Files of Open MPI's dynamic rules, written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mpi/coll/rules_file.hpp"

namespace heddle::mpi::coll {

/// The number that the classic format gives a collective, or nothing.
std::optional<int> openmpi_number(Collective collective);

/// Rules of one collective, sorted as RuleList has them, as the text of a file that Open MPI and
/// RulesFile read. Each names an algorithm of openmpi_algorithms(), or none.
std::string classic_rules_text(Collective collective, RuleList rules, std::string_view comment);
std::string json_rules_text(Collective collective, RuleList rules);

}  // namespace heddle::mpi::coll
