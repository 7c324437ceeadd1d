// One adapter: its command queues, its transmit and match engines, and what it remembers of its
// peers.
#pragma once

#include <array>
#include <optional>

#include "core/prefetch.hpp"
#include "network/packet/ring.hpp"
#include "nic/adapters.hpp"
#include "nic/arrivals.hpp"
#include "nic/contexts.hpp"
#include "nic/engines.hpp"
#include "nic/gates.hpp"
#include "nic/key_table.hpp"
#include "nic/waiting_line.hpp"
#include "nic/world.hpp"

namespace heddle::nic {

class Adapter final : private ContextOwner {
 public:
  Adapter(World& world, NodeId node);

  // Commands (commands.cpp).
  void issue(Exchange& exchange);
  void command_step(Exchange& exchange);

  // Transmission (transmit.cpp).
  /// Queues the first message of its kind for its virtual network's transmit engines.
  void transmit(Exchange& exchange, MessageKind kind);
  /// The same with a repetition, which goes before all first ones.
  void transmit_again(Exchange& exchange, MessageKind kind);
  void send_step(Message& message);
  /// The instant for which the message's engine waits has come.
  void on_the_wire(Message& message);
  /// A request of this adapter is at its end.
  void leave_gates(const Exchange& exchange);

  // Reception (receive.cpp).
  /// The last byte of a message is here.
  void delivered(Message& message);
  /// A message to here was lost on its way.
  void lost(Message& message);
  void receive_step(Message& message);

  /// A step of sending or receiving the message, which is from or to here, is near: fetches from
  /// memory what that needs.
  void foresee_sending(const Message& message) const;
  void foresee_receiving(const Message& message) const;
  /// The same a little later: what those have fetched is there.
  void expect_sending(const Message& message) const;
  void expect_receiving(const Message& message) const;
  /// The same for the end of its transmission, where its engine may take up the next.
  void expect_next(const Message& message) const;
  /// The same for the end of a command's crossing of the bus.
  void foresee_command(const Exchange& exchange) const;
  void expect_command(const Exchange& exchange) const;

  NodeId node() const { return node_; }
  Causes& causes() { return world_.causes; }
  const platform::NicParams& params() const { return params_; }

 private:
  /// One virtual network: a line of the cache for the transmit engines, one for what waits for
  /// them, and one for the match engines.
  struct alignas(64) Lane {
    explicit Lane(Adapter& adapter) : adapter(adapter) {}
    void transmit() {
      const auto scope = Causes::Scope::of_release(adapter.causes(), &transmitter_free);
      adapter.feed_transmitters(*this);
    }
    void receive() {
      const auto scope = Causes::Scope::of_release(adapter.causes(), &receiver_free);
      adapter.feed_receivers(*this);
    }
    /// An engine is about to be free: fetches what it will work on.
    void glimpse() const {
      waiting.foresee();
      prefetch(&adapter);
      prefetch(&adapter.arrivals_);
      if (const Message* const next = arrived.first()) {
        prefetch(next);
        prefetch(&next->kind);
      }
    }
    void foresee() const {
      const Due next_due = waiting.first();
      if (next_due && next_due.kind() == MessageKind::request) {
        adapter.foresee_transmission(next_due.exchange());
      }
      if (const Message* const next = arrived.first()) adapter.foresee_match(*next);
    }
    void expect() const {
      if (const Message* const next = arrived.first()) adapter.expect_match(*next);
    }
    void foresee_transmission() const {
      prefetch(&transmitter_free);
      prefetch(&waiting);
    }
    void foresee_reception() const { prefetch(&receiver_free); }

    MemberStep<Lane, &Lane::transmit> transmitter_free{*this};
    Engines transmitters;
    Fifo<Message> admitted;  ///< Sent before those waiting: they have passed the gates already.
    alignas(64) WaitingLine waiting;
    Adapter& adapter;
    alignas(64) MemberStep<Lane, &Lane::receive> receiver_free{*this};
    Engines receivers;
    Fifo<Message> arrived;
  };
  struct CommandQueue {
    std::int64_t used = 0;
    network::Ring<Exchange*> callers;  ///< They wait for room.
  };
  Lane& lane(const Message& message) { return lanes_[message.virtual_network]; }
  static std::uint64_t pair_key(NodeId other, const Exchange& exchange) {
    return std::uint64_t{exchange.request.service} << 32 | index(other);
  }

  /// Whether gates hold requests up.
  bool gated() const {
    return params_.max_in_flight_processes > 0 || params_.max_in_flight_nodes > 0;
  }
  bool uses_pio(const Request& request) const;
  Bytes inline_limit(const Request& request) const;
  void start_command(Exchange& exchange);
  void leave_command_queue(const Exchange& exchange);

  /// An engine is about to take up this request, or this message: fetch from memory what that
  /// needs.
  void foresee_transmission(const Exchange& exchange) const;
  void foresee_match(const Message& message) const;
  void expect_match(const Message& message) const;

  void feed_transmitters(Lane& lane);
  Message* next_to_transmit(Lane& lane);
  Message& take_waiting(Lane& lane);
  static bool obsolete(const Message& message);
  void prepare(Message& message);
  void prepared(Message& message);
  void launch(Message& message);
  void read_memory(Message& message);
  bool reads_memory(const Message& message) const;
  void enter_wire(Message& message);
  std::optional<network::Instant> awaited(const Message& message) const;
  Bytes wire_size(const Message& message) const;
  Time engine_free(const Message& message) const;
  void transmitted(Message& message);
  EventTokens sender_events(Message& message);
  bool reports_when_sent(const Message& message) const;
  Cause observe_read(const Message& message, Time until);
  void release_transmitter(Message& message, Time when);
  /// An unreliable request to which no answer comes ends when it has left and is at its target, or
  /// lost.
  void conclude(Exchange& exchange);

  void feed_receivers(Lane& lane);
  void receive(Message& message);
  void match(Message& message);
  void take_arrivals(std::uint64_t pair);
  void answer(Exchange& exchange, bool again);
  void acknowledge(Exchange& exchange, MessageKind kind, bool again);
  void take_answer(Message& message);
  void finish_request(Exchange& exchange, Step* then);
  void take_ack(Message& message);
  /// What a request or response brought is in memory at `end`.
  void written(Message& message, Time end);
  Cause observe_write(const Message& message, Time end);
  void release_receiver(Message& message) { release_receiver(message, world_.now()); }
  void release_receiver(Message& message, Time when);
  Time stream_time(Bytes size) const;
  Time write_time(Bytes size) const;
  Bandwidth bus_rate() const;

  // Reliability (reliability.cpp).
  void context_ready(Message& message) override;
  void context_expired(Exchange& exchange, Half half) override;
  void send_again(Exchange& exchange, Half half);
  void give_up(Exchange& exchange, Half half);
  void close(Exchange& exchange, Half half);
  void nack(Message& message);
  void take_nack(Message& message);
  void expect_no_more(Exchange& exchange);
  void write_target_events(Exchange& exchange, Step* then);

  // In the order of their use: what every request needs is in two lines of the cache.
  World& world_;
  const platform::NicParams& params_;
  const NodeId node_;
  KeyTable<CommandQueue> command_queues_;  ///< By process.
  Arrivals arrivals_;                      ///< By the other node and the kind of virtual network.

 public:
  AdapterStatistics statistics;

 private:
  Gates gates_;
  std::array<Lane, 4> lanes_;  ///< Service and compute requests, service and compute responses.
  Contexts contexts_;
};

}  // namespace heddle::nic
