// The destination of flows that send only what it has granted, and that tells of marks.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/simulation.hpp"
#include "network/packet/congestion_control.hpp"
#include "network/packet/flow.hpp"
#include "network/packet/surroundings.hpp"
#include "network/packet/told_packets.hpp"

namespace heddle::network {

/// One adapter's notification point, and what it decides carried out. As an event, the next grant
/// is due.
class GrantingHost final : public Event {
 public:
  /// `source` is the node's own.
  GrantingHost(const PacketContext& context, EventSource& source, ToldPackets& told)
      : context_(&context), source_(&source), told_(&told) {}

  /// Whether the source is to be told of a marked packet that has come in.
  bool notifies(const Packet& packet, NodeId of);
  /// A packet has come in that says how many bytes its flow wants to send.
  void wanted(const TrackedPacket& packet);

  void fire() override;

 private:
  NotificationPoint& point(const Packet& packet);
  void await_grant();

  const PacketContext* context_;
  EventSource* source_;
  ToldPackets* told_;
  std::unique_ptr<NotificationPoint> point_;
  std::vector<PacketFlow*> flows_;  ///< By the number that the notification point knows.
  std::unordered_map<const PacketFlow*, std::uint32_t> number_;
};

}  // namespace heddle::network
