// The queues of commands between the processes of a node and its adapter.
#pragma once

#include <cstdint>

#include "core/containers/ring.hpp"
#include "nic/costs.hpp"
#include "nic/key_table.hpp"
#include "nic/records.hpp"
#include "nic/services.hpp"

namespace heddle::nic {

class Transmitter;

/// One queue for each process: a command takes a place in it, crosses the bus, perhaps behind its
/// payload, and is handed to the transmitter; the place is free when an engine takes it up.
class CommandQueues {
 public:
  CommandQueues(const Services& services, const Costs& costs, Transmitter& transmitter)
      : services_(services), transmitter_(transmitter), costs_(costs) {}

  /// Takes the command of a process: it starts when there is room. A triggered one is in the
  /// adapter already and goes straight to transmission.
  void issue(Exchange& exchange);
  /// The next step of a command has come.
  void step(Exchange& exchange);
  /// A transmit engine has taken up the request: there is room for another command.
  void leave(const Exchange& exchange);

  /// A command is about to be through the bus: fetches from memory what that needs; a little later
  /// expect() looks into what has been fetched.
  void foresee(const Exchange& exchange) const;
  void expect(const Exchange& exchange) const;
  /// An engine is about to take up the request: fetches from memory what that needs.
  void foresee_leaving(const Exchange& exchange) const {
    queues_.foresee(exchange.request.initiator.pid);
  }

 private:
  struct Queue {
    std::int64_t used = 0;
    Ring<Exchange*> callers;  ///< They wait for room.
  };
  void start(Exchange& exchange);
  void send_command(Exchange& exchange);
  void advance(Exchange& exchange);

  const Services& services_;
  Transmitter& transmitter_;
  const Costs costs_;
  KeyTable<Queue> queues_;  ///< By process.
};

}  // namespace heddle::nic
