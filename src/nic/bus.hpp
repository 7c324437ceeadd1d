// The buses between memory and adapter: what crosses them besides payload.
#pragma once

#include "core/containers/pool.hpp"
#include "network/network.hpp"
#include "nic/clock.hpp"
#include "platform/nic_params.hpp"

namespace heddle::nic {

/// Something small on its way over the bus of a process's node.
struct Crossing {
  Activity activity{};  ///< Commands and PIO payload go to the adapter, everything else to memory.
  ProcessId process;
  std::uint64_t operation = 0;
  Bytes size;
  Step* then = nullptr;  ///< Runs at the end; may be null.
};

/// Whether commands, and the events and counters that are written about them, cost anything on the
/// bus of a node with such an adapter.
inline bool charges_control(const platform::NicParams& params) {
  return params.pci && params.pci_commands;
}

class Bus final : private network::TransferClient {
 public:
  Bus(Clock& clock, network::Network& network)
      : clock_(clock), causes_(clock.causes()), network_(network) {}

  void cross(const Crossing& crossing);
  /// The same for a command, or what is written about one, of a node with such an adapter: where
  /// they cost nothing on the bus, it is over at once.
  void control(const Crossing& crossing, const platform::NicParams& params);

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

  Clock& clock_;
  Causes& causes_;
  network::Network& network_;
  Pool<Record> records_;  ///< Of crossings that are observed.
};

}  // namespace heddle::nic
