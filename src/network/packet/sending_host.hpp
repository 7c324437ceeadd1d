// A node's adapter as a source: messages become packets.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "network/packet/message.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/send_line.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

/// Messages to send, by lane; of each lane one packet stands before the arbiter of its first link.
/// As an event, the end of a pause of its messages. What a message of lane 0 needs is in one line
/// of the cache.
class alignas(64) SendingHost final : public Event {
 public:
  /// `source` is the node's own.
  SendingHost(const PacketContext& context, EventSource& source);

  /// Behind all others of the lane.
  void send(Message& message, std::size_t lane);
  /// Tells the source of a marked packet, ahead of everything else that this host has to send.
  void notify(Message& message);
  /// A packet leaves from `begin` to `end`: the next one may come before the arbiter.
  void left(Packet& packet, Time begin, Time end);
  /// The flow to `destination` has met congestion.
  void notified(NodeId destination);

  void fire() override;

 private:
  struct Outbox {
    Message* head = nullptr;
    Message* tail = nullptr;
    Packet* offered = nullptr;
  };

  Outbox& outbox(std::size_t lane) { return lane == 0 ? first_ : further_[lane - 1]; }
  void offer_next(std::size_t lane);
  Message* next_message(Outbox& outbox);
  Message* next_in_line(std::size_t lane);
  SendLine& line_of(NodeId self, std::size_t lane);
  Time allowed(const Message& message) const;
  Packet& cut_packet(Message& message) const;
  void count_packet(Message& message, Time begin, Time end);
  void wake(Time when);
  ReactionPoint& flow_of(const Transfer& transfer);

  const PacketContext* context_;
  EventSource* source_;
  Outbox first_;  ///< Of lane 0; others are further.
  Time retry_at_ = Time::never();
  std::vector<Outbox> further_;
  /// By destination; looked up only.
  std::unordered_map<std::uint32_t, std::unique_ptr<ReactionPoint>> flows_;
  /// Where messages to several nodes share the cable.
  struct Lines {
    SendLine::Windows windows;
    std::vector<SendLine> of_lanes;
  };
  std::unique_ptr<Lines> lines_;
};

}  // namespace heddle::network
