// Decides which messages the faults hit.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "core/simulation.hpp"
#include "nic/faults.hpp"
#include "platform/platform.hpp"

namespace heddle::nic {

/// Draws from the random stream "faults". Throws InputError if an outage names no cable.
class FaultInjector {
 public:
  FaultInjector(const Simulation& simulation, const platform::Platform& platform,
                const Faults& faults);

  /// Whether the next message is lost, by chance.
  bool drops() { return faults_.drop > 0 && random_.uniform() < faults_.drop; }
  /// Whether it arrives damaged.
  bool corrupts() { return faults_.corrupt > 0 && random_.uniform() < faults_.corrupt; }
  /// Whether a cable between the nodes was down at a moment from `start` to `end`.
  bool cut(NodeId from, NodeId to, Time start, Time end) const {
    return !cables_.empty() && hits_outage(from, to, start, end);
  }

 private:
  bool hits_outage(NodeId from, NodeId to, Time start, Time end) const;
  bool crosses(NodeId from, NodeId to, const std::vector<bool>& cables) const;

  const platform::Platform& platform_;
  Faults faults_;
  RandomStream random_;
  std::vector<std::vector<bool>> cables_;  ///< By outage: those that are down.
};

}  // namespace heddle::nic
