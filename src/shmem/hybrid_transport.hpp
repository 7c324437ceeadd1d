// The transport `hybrid`: costs of the software by size, the way by the network.
#pragma once

#include "coll/costs/path_factors.hpp"
#include "network/network.hpp"
#include "shmem/near_memory.hpp"
#include "shmem/transport.hpp"

namespace heddle::shmem {

class World;

/// A put or atomic is a transfer with its envelope, and an envelope comes back to say that it is
/// there; a get or fetch is an envelope, and its data comes back with one. Messages of collectives
/// are not answered.
class HybridTransport final : public Transport, private network::TransferClient {
 public:
  explicit HybridTransport(World& world);

  void start(Operation& operation, Time overhead) override;
  void post(Operation& operation, Time overhead) override;
  void due(Operation& operation) override;
  bool ordered() const override { return false; }

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void travel(Operation& operation, Time delay);
  void enter_network(Operation& operation);
  void there(Operation& operation);

  World& world_;
  std::int64_t envelope_;
  coll::PathFactors factors_;
  NearMemory near_;
  EventSource source_;
};

}  // namespace heddle::shmem
