// The wire between adapters: messages that are under way, and what faults do to them.
#pragma once

#include "network/network.hpp"
#include "nic/clock.hpp"
#include "nic/fault_injector.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// Hands messages to the network, and tells the two adapters of a message when it has left, when it
/// is there, and when it is lost.
class Wire final : private network::TransferClient {
 public:
  /// All must outlive the wire.
  Wire(Clock& clock, network::Network& network, const Software& software, FaultInjector& faults)
      : clock_(clock), network_(network), software_(software), faults_(faults) {}

  /// Puts a message on the wire; completes the transfer with what leads back to it.
  void start(Message& message, network::Transfer& transfer);

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void injected(Message& message);
  void arrived(Message& message);
  void hand_over(Message& message, bool lost);
  void glimpse(std::uint64_t cookie) const override;
  void foresee(network::Instant instant, std::uint64_t cookie) const override;
  void expect(network::Instant instant, std::uint64_t cookie) const override;
  bool cut(const Message& message) const;
  Cause observe_arrival(const Message& message, bool failed);
  Cause observe_injection(const Message& message);

  Clock& clock_;
  network::Network& network_;
  const Software& software_;
  FaultInjector& faults_;
};

}  // namespace heddle::nic
