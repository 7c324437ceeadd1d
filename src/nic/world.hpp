// What all adapters of a machine share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/pool.hpp"
#include "nic/adapters.hpp"
#include "nic/bus.hpp"
#include "nic/causes.hpp"
#include "nic/contexts.hpp"
#include "nic/event_writer.hpp"
#include "nic/fault_injector.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

class World final : private network::TransferClient {
 public:
  World(Simulation& simulation, const platform::Platform& platform, network::Network& network,
        Software& software, const Faults& faults, Observer* observer);
  ~World();

  /// The adapter of a node, made when it is first asked for.
  Adapter& adapter(NodeId node) {
    if (!adapters_[index(node)]) make_adapter(node);
    return *adapters_[index(node)];
  }
  /// Null if the node has not communicated yet.
  const Adapter* find(NodeId node) const { return adapters_[index(node)].get(); }

  /// Where the exchange's request goes.
  Adapter& target(const Exchange& exchange) {
    return *adapters_[index(exchange.request.target.node)];
  }

  Exchange& begin_exchange(const Request& request);
  /// A message of the exchange for its sender to transmit.
  Message& make_message(Exchange& exchange, MessageKind kind);
  /// One of the message's two users is done with it.
  void release(Message& message);
  /// One reference to the exchange less: it is forgotten with the last.
  void release(Exchange& exchange);
  /// The initiator knows all it will know; its events go to memory, then `then` runs (which may be
  /// null).
  void complete(Exchange& exchange, Outcome outcome, Step* then);

  /// Puts a message on the wire; completes the transfer with what leads back to it.
  void start(Message& message, network::Transfer& transfer);
  void schedule(Step& step, Time when) {
    causes.keep(&step);
    simulation.schedule(step, when, source);
  }
  void schedule_in(Step& step, Time delay) {
    causes.keep(&step);
    simulation.schedule_in(step, delay, source);
  }
  Time now() const { return simulation.now(); }
  void write_events(ProcessId process, const Exchange& exchange, const EventTokens& tokens,
                    Step* then) {
    events.write(process, exchange.id, tokens, then);
  }
  /// Tells the observer of a message's crossing of the bus, at its sender or its receiver; answers
  /// the cause of what follows from that.
  Cause observe(const Message& message, Activity activity, Bytes size, Time start, Time end);

  /// What the oldest unfinished request waits for, and how many there are; else empty.
  std::string stuck() const;

  Simulation& simulation;
  const platform::Platform& platform;
  network::Network& network;
  Software& software;
  Causes causes;
  EventSource source;
  FaultInjector faults;
  Bus bus;
  EventWriter events;
  IdleTimers idle_timers;

 private:
  void make_adapter(NodeId node);
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void glimpse(std::uint64_t cookie) const override;
  void foresee(network::Instant instant, std::uint64_t cookie) const override;
  void expect(network::Instant instant, std::uint64_t cookie) const override;
  Cause observe_arrival(const Message& message, bool failed);
  Cause observe_injection(const Message& message);
  ActivityRecord on_wire(const Message& message, bool failed) const;
  const Exchange& oldest_unfinished() const;

  std::vector<std::unique_ptr<Adapter>> adapters_;  ///< By node.
  network::Pool<Exchange> exchanges_;
  network::Pool<Message> messages_;
  std::uint64_t next_id_ = 1;
  std::size_t unfinished_ = 0;
};

}  // namespace heddle::nic
