// The BXI adapters of a machine: transmit, receive, match, reliability and flow control, as state
// machines driven by events.
#pragma once

#include <cstdint>
#include <memory>

#include "core/simulation.hpp"
#include "network/network.hpp"
#include "nic/faults.hpp"
#include "nic/observer.hpp"
#include "nic/software.hpp"
#include "nic/statistics.hpp"
#include "platform/platform.hpp"

namespace heddle::nic {

/// Every adapter of the machine. One that nobody communicates through costs a pointer.
class Adapters {
 public:
  /// All must outlive the adapters; `observer` may be null.
  Adapters(Simulation& simulation, const platform::Platform& platform, network::Network& network,
           Software& software, const Faults& faults = {}, Observer* observer = nullptr);
  ~Adapters();

  /// Takes a request from its initiator's command queue: Software::accepted follows once there is
  /// room in the queue and the command has crossed the bus. A triggered request goes straight to
  /// transmission.
  void issue(const Request& request);
  /// A command of `process` that only changes the adapter's tables (binding, appending,
  /// allocating): it crosses the bus, then Software::accepted(cookie).
  void command(ProcessId process, std::uint32_t cookie);
  /// Events that no message brings about (LINK, SEARCH, ...): written one after the other.
  void write_events(ProcessId process, const EventTokens& events);
  /// A counter's new value goes to the memory of `process`; Software::counter_visible(cookie)
  /// follows.
  void write_counter(ProcessId process, std::uint32_t cookie);

  /// Of all adapters of the node.
  AdapterStatistics statistics(NodeId node) const;
  /// With requests unfinished and no event left: what they wait for; else empty.
  std::string stuck() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::nic
