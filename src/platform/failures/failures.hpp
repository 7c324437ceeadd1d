// What of a machine does not work, from the start or for a while: cables, switches and adapters
// that are down, and cables that are slow. The section `failures` of a machine says which, by name
// or as a share of all that is drawn at random, and what follows from it during a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "platform/failures/outages.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// What becomes of messages on a cable that fails.
enum class UnderWay : std::uint8_t { lost, held };
/// How routes follow failures.
enum class Rerouting : std::uint8_t { none, local, tables, both };

struct FailuresConfig {
  std::string cables;
  std::string switches;
  std::string adapters;
  std::string degraded;
  double degraded_bandwidth = 1;
  std::int64_t seed = 1;

  // What follows from those that happen during a run.
  UnderWay under_way = UnderWay::lost;
  Rerouting rerouting = Rerouting::both;
  Time detection;     ///< Until the ends of a cable know of it.
  Time sweep;         ///< From then on until all switches have new tables.
  Time resend_after;  ///< Of what is lost and nobody else sends again.
  std::int64_t resends = 0;

  bool any() const {
    return !cables.empty() || !switches.empty() || !adapters.empty() || !degraded.empty();
  }
  bool has_local() const { return rerouting == Rerouting::local || rerouting == Rerouting::both; }
  bool has_tables() const { return rerouting == Rerouting::tables || rerouting == Rerouting::both; }
};
const ParamTable<FailuresConfig>& failures_table();

/// A cable that is down or slow for a while.
struct TimedFailure {
  std::uint32_t cable;
  Span span;
  bool slow = false;
};

struct Failures {
  std::vector<bool> down;               ///< By cable, those that carry nothing; empty: none.
  std::vector<std::uint32_t> degraded;  ///< Cables that are slow, ascending.
  std::uint32_t cables = 0;             ///< How many are down.
  std::vector<TimedFailure> timed;      ///< Those with times, in no particular order.
  /// From the start.
  bool any() const { return cables > 0; }
};

/// What the settings say of this fabric. A switch or an adapter that is down takes all its cables
/// with it. Throws InputError where a name stands for nothing, or cables have no fixed ends.
Failures find_failures(const FabricGraph& fabric, const Settings& settings);

/// Sets which cables are down, without times. Throws InputError where the text has some.
void assign_lasting_failures(Settings& settings, const std::string& cables,
                             const SourceLocation& where, Origin origin);

}  // namespace heddle::platform
