// What `heddle replay` says of a replay.
#pragma once

#include <string>

#include "network/link_use.hpp"
#include "platform/machine.hpp"
#include "replay/network_replay.hpp"

namespace heddle::report {

struct ReplayReport {
  const platform::Machine* machine;  ///< Without a platform where LogGOPS needs none.
  const goal::Schedule* schedule;
  std::string network;
  replay::LogGopsParameters parameters;
  replay::ReplayResult result;
  std::vector<network::LinkUse> busiest = {};  ///< None over LogGOPS.
  std::uint64_t network_events = 0;            ///< 0 over LogGOPS.
  std::uint64_t network_fingerprint = 0;       ///< 0 over LogGOPS.
  double wall_seconds = 0;
  std::uint64_t operations = 0;         ///< Of all ranks.
  std::size_t processes = 1;            ///< That share the schedule.
  std::vector<std::string> again = {};  ///< The command and what no configuration says.

  bool over_loggops() const { return network == "loggops"; }
  std::uint64_t fingerprint() const { return result.fingerprint() ^ network_fingerprint; }
};

std::string text_of(const ReplayReport& report);
/// A line per rank.
std::string csv_of(const ReplayReport& report);
Json json_of(const ReplayReport& report);
std::string fingerprint_of(const ReplayReport& report);

}  // namespace heddle::report
