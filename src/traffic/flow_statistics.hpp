// Flows as data centres measure them: completion times and slowdowns, by size.
#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "core/time.hpp"
#include "traffic/samples.hpp"
#include "traffic/workload_request.hpp"

namespace heddle::traffic {

/// Of which flows a group is.
enum class GroupKind : std::uint8_t { all, pattern, incast, outcast };

/// What became of the flows of some sizes. A flow's slowdown is its completion time over the time
/// that it takes where nothing else is under way.
struct FlowGroup {
  GroupKind kind = GroupKind::all;
  Bytes from;   ///< Flows of at least this size ...
  Bytes below;  ///< ... and of less than this one.
  std::uint64_t flows = 0;
  Bytes bytes;
  Time mean;  ///< Completion times.
  Time p50;
  Time p99;
  double slowdown_mean = 0;
  double slowdown_p50 = 0;
  double slowdown_p95 = 0;
  double slowdown_p99 = 0;
  double slowdown_p999 = 0;
};

/// The groups of several runs: counts are summed, figures are means over the runs that have such
/// flows.
std::vector<FlowGroup> combined_groups(const std::vector<std::vector<FlowGroup>>& runs);

/// Collects flows that have finished.
class FlowStatistics {
 public:
  FlowStatistics();
  void add(Bytes size, Time completion, Time idle, FlowKind kind = FlowKind::pattern);
  /// All flows, then those of each decade of sizes that has any, then, where there are bursts,
  /// those of each kind; nothing if there were none.
  std::vector<FlowGroup> groups() const;

 private:
  struct Group {
    GroupKind kind;
    Bytes from;
    Bytes below;
    Bytes bytes = {};
    Samples times = {};
    Samples slowdowns = {};  ///< In millionths.
    void add(Bytes size, Time completion, Time idle);
    FlowGroup figures() const;
  };
  Group all_;
  std::vector<Group> decades_;
  std::vector<Group> kinds_;  ///< By FlowKind.
};

}  // namespace heddle::traffic
