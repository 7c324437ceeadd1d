// The transport `hybrid`: costs of the protocol by size of the message, contention by the network.
#pragma once

#include "coll/costs/path_factors.hpp"
#include "mpi/config.hpp"
#include "mpi/engine/transport.hpp"
#include "mpi/transport/message_pace.hpp"
#include "network/network.hpp"

namespace heddle::mpi {

/// Envelopes are visible to receivers at once, as in SMPI. What travels is the message and its
/// envelope, whose size and latency are those of the network multiplied by factors. The latter
/// passes before a message enters the network, as do delays and waiting for messages before it, so
/// a network model needs to know nothing of it.
class HybridTransport final : public Transport, private network::TransferClient {
 public:
  /// All must outlive the transport.
  HybridTransport(Simulation& simulation, const platform::Platform& platform,
                  network::Network& network, const MpiConfig& config);

  Protocol protocol(std::int64_t bytes, SendMode mode) const override;
  Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const override;
  Time receive_overhead(const Message& message) const override;
  void post(Message& message) override;
  void match(Message& message) override;
  void due(Message& message) override;

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void glimpse(std::uint64_t cookie) const override;
  void foresee(network::Instant, std::uint64_t cookie) const override;
  void travel(Message& message);
  Time before_entering(const Message& message, bool same_node);
  static bool stays_on_node(const Message& message);
  void leave_node(Message& message);
  void take_turn(Message& message);
  void enter_network(Message& message);
  void cross_node(Message& message);

  Simulation& simulation_;
  network::Network& network_;
  MpiConfig config_;
  std::int64_t eager_limit_;
  std::int64_t detached_limit_;
  coll::PathFactors factors_;
  MessagePace pace_;
  bool delays_;  ///< Messages wait for more than the factors of their way.
  EventSource source_;
};

}  // namespace heddle::mpi
