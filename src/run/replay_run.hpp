// One replay of a schedule put together: on a machine or on none, over LogGOPS or any network.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/link_use.hpp"
#include "platform/machine.hpp"
#include "record/run_recorder.hpp"
#include "replay/engine/shared_replay.hpp"
#include "replay/network_replay.hpp"
#include "traffic/background_flows.hpp"

namespace heddle::run {

/// What is replayed, and how. All of it must outlive the replay.
struct ReplayRequest {
  const platform::Machine& machine;  ///< Without a platform where LogGOPS needs none.
  const goal::Schedule& schedule;
  std::string map = {};    ///< Where ranks are, as platform::PlacementRequest has
  std::string nodes = {};  ///< it; empty: by replay.ranks_per_node.
  unsigned threads = 1;
  std::size_t top_links = 0;                ///< So many of the busiest are told.
  record::RunRecorder* recorder = nullptr;  ///< Or null.
  replay::IdleTimes* idle = nullptr;        ///< Or null.
  replay::Exchange* others = nullptr;       ///< Processes that have a share of the schedule each.
  bool background = false;  ///< Whether flows as section traffic has them are there as well.
  /// Told now and then which part is done, and how many events that took.
  std::function<void(double done, std::uint64_t events)> progress = {};
  std::vector<NodeId> places = {};  ///< By rank, in place of map and nodes; empty: as those say.
  std::uint32_t switches = 0;       ///< So many of the last ranks are switches inside nodes.
};

struct ReplayOutcome {
  std::string network;  ///< The model.
  replay::LogGopsParameters parameters;
  replay::ReplayResult result;
  std::vector<network::LinkUse> busiest = {};  ///< None over LogGOPS.
  std::uint64_t network_events = 0;            ///< 0 over LogGOPS.
  network::Losses losses = {};                 ///< To failures.
  network::PacketCounts packets = {};          ///< In a model with packets.
  std::uint64_t network_fingerprint = 0;       ///< 0 over LogGOPS.
  std::uint64_t operations = 0;                ///< Of all ranks.
  std::size_t processes = 1;                   ///< That share the schedule.
  std::optional<traffic::BackgroundResult> background = {};
  std::vector<NodeId> nodes = {};  ///< Of ranks; none over LogGOPS.

  bool over_loggops() const { return network == "loggops"; }
  std::uint64_t fingerprint() const { return result.fingerprint() ^ network_fingerprint; }
};

/// Throws InputError for a schedule that can never end.
ReplayOutcome replay_schedule(const ReplayRequest& request);

/// When the last rank would be done if messages cost nothing at all.
Time ideal_makespan(const goal::Schedule& schedule, Time unit);

}  // namespace heddle::run
