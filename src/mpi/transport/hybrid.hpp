// The transport `hybrid`: costs of the protocol by size of the message, contention by the network.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "mpi/config.hpp"
#include "mpi/transport/transport.hpp"
#include "network/network.hpp"

namespace heddle::mpi {

class Engine;
class World;

/// Envelopes are visible to receivers at once, as in SMPI. What travels is the message and its
/// envelope, whose size and latency are those of the network multiplied by factors. The latter
/// passes before a message enters the network, so a network model needs to know nothing of it.
class HybridTransport final : public Transport, private network::TransferClient {
 public:
  explicit HybridTransport(World& world);

  Protocol protocol(std::int64_t bytes, SendMode mode) const override;
  Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const override;
  Time receive_overhead(const Message& message) const override;
  void post(Message& message) override;
  void match(Message& message) override;
  void due(Message& message) override;

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void travel(Message& message);
  void enter_network(Message& message);
  void cross_node(Message& message);
  Time extra_latency(const Message& message, std::int64_t size);
  Time route_latency(NodeId from, NodeId to);

  /// What is known of a pair of nodes.
  struct RouteEntry {
    std::uint64_t pair = UINT64_MAX;
    Time latency;
  };
  static constexpr std::size_t kRoutes = 1 << 14;

  World& world_;
  MpiConfig config_;
  std::int64_t eager_limit_;
  std::int64_t detached_limit_;
  bool latency_counts_;    ///< Some latency factor is not 1.
  bool bandwidth_counts_;  ///< Some bandwidth factor is not 1.
  EventSource source_;
  std::vector<RouteEntry> routes_;  ///< By a hash of the pair: the one asked for last.
};

}  // namespace heddle::mpi
