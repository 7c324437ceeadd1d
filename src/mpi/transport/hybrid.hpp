// The transport `hybrid`: costs of the protocol by size of the message, contention by the network.
#pragma once

#include "coll/costs/path_factors.hpp"
#include "host/rank/rank.hpp"
#include "mpi/config.hpp"
#include "mpi/engine/transport.hpp"
#include "mpi/transport/message_classes.hpp"
#include "mpi/transport/message_pace.hpp"
#include "mpi/transport/node_memory.hpp"
#include "mpi/transport/pair_order.hpp"
#include "network/network.hpp"

namespace heddle::mpi {

/// Envelopes are visible to receivers at once, as in SMPI. What travels is the message and its
/// envelope, whose size and latency are those of the network multiplied by factors. The latter
/// passes before a message enters the network, as do delays and waiting for messages before it, so
/// a network model needs to know nothing of it. If asked for, what is not eager is requested and
/// cleared by messages of their own: the payload leaves when the clearance is there.
class HybridTransport final : public Transport, private network::TransferClient {
 public:
  /// All must outlive the transport.
  HybridTransport(Simulation& simulation, const platform::Platform& platform,
                  network::Network& network, const MpiConfig& config);

  Protocol protocol(std::int64_t bytes, SendMode mode) const override;
  Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const override;
  Time begin(Message& message, SendCall call) const override;
  Time receive_overhead(const Message& message) const override;
  void post(Message& message) override;
  void match(Message& message) override;
  void due(Message& message) override;

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void glimpse(std::uint64_t cookie) const override;
  void foresee(network::Instant, std::uint64_t cookie) const override;
  /// What goes from one process to another: a message, or something about it.
  struct Journey {
    const host::Rank& from;
    const host::Rank& to;
    std::int64_t bytes;  ///< What its costs go by.
    std::int64_t size;   ///< With the envelope.
    std::uint64_t serial;
    bool is_payload;
  };
  Journey journey_of(const Message& message) const;
  const MessageClasses& classes_of(const Message& message) const;
  void travel(Message& message);
  Time before_entering(const Journey& journey, bool same_node);
  Time delay(Journey journey);
  Time jitter(const Journey& journey) const;
  static bool stays_on_node(const Message& message);
  void ask(Message& message);
  void clear(Message& message);
  void reached(Message& message);
  void leave_node(Message& message);
  void take_turn(Message& message);
  void enter_network(Message& message);
  void cross_node(Message& message);

  Simulation& simulation_;
  const platform::Platform& platform_;
  network::Network& network_;
  MpiConfig config_;
  MessageClasses classes_;
  std::optional<MessageClasses> inside_;  ///< Of one node, if they differ.
  coll::PathFactors factors_;
  MessagePace pace_;
  std::optional<NodeMemory> memory_;  ///< If messages inside of a node share it.
  std::optional<PairOrder> order_;    ///< Where handshakes are messages.
  RandomStream jitter_;
  bool delays_;    ///< Messages wait for more than the factors of their way.
  bool straight_;  ///< Nothing comes between a message and the network.
  EventSource source_;
};

}  // namespace heddle::mpi
