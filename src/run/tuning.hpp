// Which algorithm of a collective operation suits a machine: what can be tried, and the rules that
// come out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coll/rules/rules_file.hpp"
#include "core/params.hpp"
#include "run/collective_timing.hpp"

namespace heddle::run {

/// A way to do an operation.
struct Candidate {
  std::string_view algorithm;  ///< Empty: as the library's rules say.
  std::int64_t segment = coll::kWhole;
  int radix = 0;                  ///< 0: the algorithm's own.
  std::string_view openmpi = {};  ///< What Open MPI calls it; empty: it has none.

  /// "segmented_ring, 64KiB": the name is what rules call it, if they can.
  std::string text() const;
  bool operator==(const Candidate&) const = default;
};

struct TuningChoices {
  std::vector<Bytes> segments;  ///< Tried where the algorithm sends data in pieces.
  std::vector<int> radices;     ///< Tried where it has a tree or rounds of any width.
  bool only_openmpi = false;    ///< Nothing that Open MPI does not have.
  coll::OpenMpi version = coll::OpenMpi::v4_1;  ///< What Open MPI has.
};

/// All ways to do the operation, those of Open MPI first.
std::vector<Candidate> candidates(const CollectiveCase& operation, const TuningChoices& choices);

/// Makes collectives of that kind be done so.
void assign(Settings& settings, coll::Collective collective, const Candidate& candidate);

/// What was found for an operation: times by candidate, and that of the library's own rules.
struct TunedCase {
  CollectiveCase operation;
  Time library;
  struct Timed {
    Candidate candidate;
    std::optional<Time> time;  ///< Nothing: it was given up.
  };
  std::vector<Timed> timed;

  /// The quickest, of all or of those that Open MPI has; null if none came to its end.
  const Timed* best(bool only_openmpi) const;
};

/// The best of Open MPI's algorithms as rules: one for each stretch of sizes in which the same is
/// best. The cases are sorted by ranks, then bytes. What only two ranks can do does not hold for
/// more: from three on the library has its own choice, unless that was tried.
std::vector<coll::Rule> rules_of(const std::vector<TunedCase>& cases);

}  // namespace heddle::run
