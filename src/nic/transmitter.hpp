// The transmit engines of an adapter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/containers/fifo.hpp"
#include "nic/arrivals.hpp"
#include "nic/clock.hpp"
#include "nic/contexts.hpp"
#include "nic/costs.hpp"
#include "nic/engines.hpp"
#include "nic/gates.hpp"
#include "nic/services.hpp"
#include "nic/waiting_line.hpp"

namespace heddle::nic {

class CommandQueues;
class Completion;

/// Takes messages from their queue, one for each virtual network, prepares them, has their payload
/// read and puts them on the wire; an engine is at one message until that has left it.
class Transmitter {
 public:
  /// All must outlive the transmitter.
  Transmitter(const Services& services, const Costs& costs, CommandQueues& commands,
              Arrivals& arrivals, Contexts& contexts, Completion& completion);

  /// Queues the first message of its kind for its virtual network's engines.
  void transmit(Exchange& exchange, MessageKind kind);
  /// The same with a repetition, which goes before all first ones.
  void transmit_again(Exchange& exchange, MessageKind kind);
  /// The next step of a message has come.
  void step(Message& message);
  /// The message has its context, or needs none.
  void launch(Message& message);
  /// The instant for which the message's engine waits has come.
  void on_the_wire(Message& message);
  /// A request is at its end: others may pass the gates.
  void leave_gates(const Exchange& exchange);

  /// The queue of a virtual network is about to be used: fetches it from memory.
  void foresee_queue(std::uint8_t virtual_network) const;
  /// The same a little later, where a message is going to be queued, or taken out.
  void expect_push(std::uint8_t virtual_network) const;
  void expect_pop(std::uint8_t virtual_network) const;
  /// An engine is about to take up the request.
  void foresee_request(const Exchange& exchange) const;

 private:
  /// Of one virtual network: a line of the cache for the engines, and one for what waits for them.
  struct alignas(64) Queue {
    explicit Queue(Transmitter& transmitter) : transmitter(transmitter) {}
    void wake() {
      transmitter.causes().within(Causes::Release{&engine_free}, [&] { transmitter.feed(*this); });
    }
    /// An engine is about to be free: fetches what it will work on.
    void glimpse() const;
    void foresee() const;

    MemberStep<Queue, &Queue::wake> engine_free{*this};
    Engines engines;
    Fifo<Message> admitted;  ///< Sent before those waiting: they have passed the gates already.
    alignas(64) WaitingLine waiting;
    Transmitter& transmitter;
  };

  Causes& causes() const { return services_.clock.causes(); }
  Queue& queue(const Message& message) { return queues_[message.virtual_network]; }
  void advance(Message& message);
  void feed(Queue& queue);
  Message* next(Queue& queue);
  Message& take_waiting(Queue& queue);
  void prepare(Message& message);
  void prepared(Message& message);
  void read_memory(Message& message);
  void enter_wire(Message& message);
  void await_end_of_read(Message& message, Time until);
  Cause observe_read(const Message& message, Time until);
  void transmitted(Message& message);
  EventTokens sender_events(Message& message);
  void release(Message& message, Time when);

  // What every message needs is in one line of the cache.
  const Services& services_;
  const Costs costs_;
  CommandQueues& commands_;
  Arrivals& arrivals_;
  Contexts& contexts_;
  Completion& completion_;
  const std::unique_ptr<Gates> gates_;  ///< Null if nothing limits what is in flight.
  std::array<Queue, kVirtualNetworks> queues_;
};

}  // namespace heddle::nic
