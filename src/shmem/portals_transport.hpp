// The transport `portals`: operations as puts, gets and atomics of the adapters.
#pragma once

#include "portals/machine.hpp"
#include "shmem/engine.hpp"
#include "shmem/near_memory.hpp"
#include "shmem/transport.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {

/// Operations are parcels of the Portals layer that both ends count: as on a non-matching interface
/// with a descriptor that counts acknowledgements and replies, and entries that count what comes.
class PortalsTransport final : public Transport, private portals::Courier {
 public:
  /// Both must outlive the transport.
  PortalsTransport(World& world, portals::Machine& portals);

  void start(Operation& operation, Time overhead) override;
  void post(Operation& operation, Time overhead) override;
  void trigger(Operation& operation) override { issue(operation, true); }
  void due(Operation& operation) override;
  /// Adapters keep the order; what goes through memory does not wait for them.
  bool ordered() const override { return !world_.config().node_latency; }

 private:
  void accepted(std::uint64_t cookie) override;
  void sent(std::uint64_t cookie) override;
  void matched(std::uint64_t cookie) override;
  void arrived(std::uint64_t cookie) override;
  void fetched(std::uint64_t cookie) override;
  void completed(std::uint64_t cookie) override;
  void initiator_counted(std::uint32_t rank) override;
  void target_counted(std::uint32_t rank) override;
  [[noreturn]] void lost(std::uint64_t cookie) override;

  void issue(Operation& operation, bool triggered = false);

  World& world_;
  portals::Machine& portals_;
  NearMemory near_;
  EventSource source_;
};

}  // namespace heddle::shmem
