// A part of traffic over a packet network.
#pragma once

#include <vector>

#include "core/windows/outbox.hpp"
#include "network/packet/divided_packets.hpp"
#include "traffic/parts/traffic_part.hpp"

namespace heddle::traffic {

/// A simulation of its own, with a part of the network and an injector. What is simultaneous there
/// is ordered by what and where it is, so windows need no numbers.
class PacketTrafficPart final : public TrafficPart, private MessageSink, private InjectorBorder {
 public:
  using Others = std::vector<PacketTrafficPart*>;
  /// `others` is by part; all are there when windows begin.
  PacketTrafficPart(PartBed bed, network::DividedPackets& packets, const Others& others);

  void begin() override;
  void advance(Time start, Time limit) override;
  Time settle(Numbers& numbers) override;
  const EventLog& log() const override { return log_; }
  Time now() const override { return simulation_.now(); }
  std::uint64_t happened() const override { return simulation_.events_fired(); }

  std::uint64_t fingerprint() const override { return network_.fingerprint(); }
  Bytes delivered() const override { return network_.delivered(); }
  std::vector<Time> take_unfinished(Time until) override {
    return injector_.take_unfinished(until);
  }

 private:
  /// For the source of a message that has arrived.
  struct News {
    EventPlace place;
    NodeId source;
    Time finished;
  };

  void message_finished(const MessageRecord& record) override;
  network::TransferClient& client_at(NodeId destination) override;
  void tell(NodeId source, Time finished) override;
  void take_news();

  const PartBed bed_;
  network::DividedPackets& packets_;
  const Others& others_;
  Simulation& simulation_;
  network::PacketPart& network_;
  Injector injector_;
  EventLog log_;  ///< Of nothing.
  Outbox<News> news_;
  std::vector<News> heard_;
};

}  // namespace heddle::traffic
