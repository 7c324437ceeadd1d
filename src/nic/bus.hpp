// The buses between memory and adapter: what crosses them besides payload.
#pragma once

#include "network/network.hpp"
#include "network/pool.hpp"
#include "nic/causes.hpp"
#include "nic/step.hpp"

namespace heddle::nic {

/// Something small on its way over the bus of a process's node.
struct Crossing {
  Activity activity{};  ///< Commands and PIO payload go to the adapter, everything else to memory.
  ProcessId process;
  std::uint64_t operation = 0;
  Bytes size;
  Step* then = nullptr;  ///< Runs at the end; may be null.
};

class Bus final : private network::TransferClient {
 public:
  Bus(Simulation& simulation, network::Network& network, EventSource& source, Causes& causes)
      : simulation_(simulation), network_(network), source_(source), causes_(causes) {}

  void cross(const Crossing& crossing);
  /// The same where the bus costs nothing.
  void pass(const Crossing& crossing);

 private:
  struct Record {
    Crossing crossing;
    Time start;
    Cause cause;
  };
  void transfer_reached(network::Instant, std::uint64_t cookie) override;
  void glimpse(std::uint64_t cookie) const override;
  void foresee(network::Instant, std::uint64_t cookie) const override;
  void expect(network::Instant, std::uint64_t cookie) const override;

  Simulation& simulation_;
  network::Network& network_;
  EventSource& source_;
  Causes& causes_;
  network::Pool<Record> records_;  ///< Of crossings that are observed.
};

}  // namespace heddle::nic
