// Messages that a network with a Simulation of its own carries.
#pragma once

#include "network/network.hpp"
#include "replay/engine/wires/wire.hpp"

namespace heddle::replay {

/// The two queues are served in the order of their times, the network's first.
class NetworkWire : public Wire, protected network::TransferClient {
 public:
  explicit NetworkWire(const WireBed& bed);

  static constexpr bool kEntersNetwork = true;
  /// Sends a message, which enters the network at its `since`. Its number.
  MessageId launch(Message message, RankId receiver);
  void depart(MessageId number);

  template <class Report>
  bool next(BucketQueue::Entry& entry, Report report) {
    constexpr std::uint64_t kReport = 1 << 16;
    // Nothing is left of either when both answer their latest time: there is nothing to step.
    while (carrier_.simulation.next_time() <= Time::ps(events_.entries().next_time()) &&
           carrier_.simulation.step()) {
      if (carrier_.simulation.events_fired() % kReport == 0) report();
    }
    return events_.entries().pop(entry);
  }
  const BucketQueue::Entry* next_in_window();
  std::string stuck() const { return carrier_.network.stuck(); }

 protected:
  /// The network is told of a message that is sent now.
  network::Transfer transfer_of(const Message& message) const;
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;

  Carrier& carrier_;

 private:
  const ReplayConfig& config_;
};

}  // namespace heddle::replay
