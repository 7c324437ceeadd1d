// An open loop before it runs: how often nodes send, and when it is measured.
#pragma once

#include <optional>
#include <vector>

#include "traffic/open_loops.hpp"
#include "traffic/sweep.hpp"

namespace heddle::traffic {

/// What `node` can put into the fabric at most: the narrowest link up to the first of the fabric
/// itself; unlimited if none has a limit.
Bandwidth injection_bandwidth(const platform::Platform& platform, NodeId node, From from);

/// Bytes per second that all senders together can inject; 0 where that has no limit.
double total_injection(const Sweep& sweep, const std::vector<NodeId>& senders);

/// How often each node sends, by node. Throws ParamError for a load that means nothing here.
std::vector<OpenLoop::Pace> paces_of(const Sweep& sweep, const Load& load,
                                     const std::vector<NodeId>& senders);

/// The incasts and outcasts among a load's messages, if there are any.
std::optional<Bursts> bursts_of(const Sweep& sweep, const Load& load,
                                const std::vector<NodeId>& senders, const RandomStream& random);

/// The phases of an open loop.
struct Phases {
  Window window;
  bool may_end_early = false;  ///< Where what is accepted is known sooner.
  Time last;                   ///< When a run that does not drain is given up.
};

Phases phases_of(const TrafficConfig& config, const std::vector<OpenLoop::Pace>& paces,
                 std::size_t senders);

}  // namespace heddle::traffic
