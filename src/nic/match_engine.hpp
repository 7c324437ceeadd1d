// The match engines of an adapter: what happens to messages that have arrived.
#pragma once

#include <array>
#include <cstdint>

#include "core/containers/fifo.hpp"
#include "nic/arrivals.hpp"
#include "nic/clock.hpp"
#include "nic/costs.hpp"
#include "nic/engines.hpp"
#include "nic/services.hpp"

namespace heddle::nic {

class Completion;
class Reliability;
class Transmitter;

/// Takes messages in the order that requests have to keep, has the software match them, and answers
/// them; answers and ACKs end what this adapter has requested. Each virtual network has engines of
/// its own, which are at one message at a time.
class MatchEngine {
 public:
  /// All must outlive the engine.
  MatchEngine(const Services& services, const Costs& costs, Arrivals& arrivals,
              Transmitter& transmitter, Reliability& reliability, Completion& completion);

  /// The last byte of a message is here.
  void delivered(Message& message);
  /// A message to here was lost on its way.
  void lost(Message& message);
  /// No copy of a request will be accepted from here on: those behind it need not wait.
  void expect_no_more(Exchange& exchange);
  /// The next step of a message has come.
  void step(Message& message);

  /// The queue of a virtual network is about to be used: fetches it from memory.
  void foresee_queue(std::uint8_t virtual_network) const;

 private:
  /// Of one virtual network, a line of the cache; the step is that one of its engines is free.
  struct alignas(64) Queue final : public Step {
    explicit Queue(MatchEngine& owner) : owner(owner) {}
    void fire() override;
    /// An engine is about to be free: fetches what it will work on.
    void glimpse() const override;
    void foresee() const override;
    void expect() const override;

    MatchEngine& owner;
    Engines engines;
    Fifo<Message> arrived;
  };
  static_assert(sizeof(void*) != 8 || sizeof(Queue) == 64);

  Causes& causes() const { return services_.clock.causes(); }
  Queue& queue(const Message& message) { return queues_[message.virtual_network]; }
  void feed(Queue& queue);
  void take_arrivals(std::uint64_t pair);
  void receive(Message& message);

  // At the target.
  void match(Message& message);
  void answer(Exchange& exchange, bool again);
  void acknowledge(Exchange& exchange, MessageKind kind, bool again);
  void nack(Message& message);

  // At the initiator, and at the target that is told that its answer is there.
  void take_answer(Message& message);
  void finish_request(Exchange& exchange, Step* then);
  void take_ack(Message& message);
  void take_nack(Message& message);

  void advance(Message& message);
  void written(Message& message, Time end);
  Cause observe_write(const Message& message, Time end);
  void release(Message& message, Time when);

  // What every message needs is in one line of the cache.
  const Services& services_;
  const Costs costs_;
  Arrivals& arrivals_;
  Transmitter& transmitter_;
  Reliability& reliability_;
  Completion& completion_;
  std::array<Queue, kVirtualNetworks> queues_;
};

}  // namespace heddle::nic
