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

  /// What becomes of a message by chance.
  struct Hits {
    bool drop = false;    ///< It is lost,
    bool damage = false;  ///< or arrives damaged.
  };
  /// Of the next message.
  Hits draw() { return by_chance_ ? drawn() : Hits(); }
  /// Whether any cable is ever down.
  bool cuts_cables() const { return !cables_.empty(); }
  /// Whether a cable between the nodes was down at a moment from `start` to `end`.
  bool cut(NodeId from, NodeId to, Time start, Time end) const;

 private:
  Hits drawn();
  bool crosses(NodeId from, NodeId to, const std::vector<bool>& cables) const;

  const platform::Platform& platform_;
  Faults faults_;
  bool by_chance_;  ///< Some messages are hit.
  RandomStream random_;
  std::vector<std::vector<bool>> cables_;  ///< By outage: those that are down.
};

}  // namespace heddle::nic
