// How the nodes and links of a run of traffic are divided among threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/parts/fabric_cut.hpp"
#include "traffic/sweep.hpp"

namespace heddle::traffic {

struct Division {
  std::unique_ptr<Simulation> clock;  ///< Of the network, in which nothing happens by itself.
  std::unique_ptr<network::Network> network;
  network::FabricCut cut;
  Time window;                               ///< What happens in a part is felt elsewhere later.
  std::vector<std::vector<NodeId>> senders;  ///< By part.
};

struct Divided {
  std::optional<Division> division;  ///< None: one thread does it all.
  std::string why_fewer;             ///< Threads than were asked for: a reason, or empty.
};

/// What of a workload makes a difference.
struct WorkloadKind {
  bool closed = false;    ///< A message that has arrived lets its source send another one.
  bool numbered = false;  ///< Messages have numbers of their own.
};

/// For as many threads as the sweep allows.
Divided divide(const Sweep& sweep, const std::vector<NodeId>& senders, WorkloadKind kind);

}  // namespace heddle::traffic
