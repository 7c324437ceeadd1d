// A node's adapter where flows are acknowledged: their source, and their destination.
#pragma once

#include <vector>

#include "core/containers/fifo.hpp"
#include "core/containers/min_heap.hpp"
#include "core/containers/record_store.hpp"
#include "network/packet/flow.hpp"
#include "network/packet/flow_index.hpp"
#include "network/packet/granting_host.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"
#include "network/packet/told_packets.hpp"

namespace heddle::network {

/// Flows that may send take turns, packet by packet; of each lane one packet stands before the
/// arbiter of its first link. What flows tell goes ahead of their data, in a lane of its own. As an
/// event, a flow may send again.
class FlowHost final : public Event {
 public:
  /// `source` is the node's own.
  FlowHost(const PacketContext& context, EventSource& source);

  void send(Message& message, std::size_t lane);
  /// A packet leaves from `begin` to `end`: the next one may come before the arbiter.
  void left(TrackedPacket& packet, Time begin, Time end);
  /// A packet has come in. True: data that was not here before.
  bool ended(TrackedPacket& packet);
  /// The flow has waited for news until now.
  void silence(PacketFlow& flow);
  SendingFlow::Counts counts() const;

  void fire() override;

 private:
  /// Of one lane.
  struct Line {
    Fifo<PacketFlow> asked;  ///< Those that are to be asked in turn.
    bool offered = false;    ///< A packet stands before the arbiter.
  };
  /// A flow that may send from then on.
  struct Timed {
    Time when;
    std::uint64_t order;
    PacketFlow* flow;
    bool operator<(const Timed& other) const {
      return when != other.when ? when < other.when : order < other.order;
    }
  };
  PacketFlow& flow_of(const Transfer& transfer, std::size_t lane);
  std::uint64_t path_seed(const Transfer& first) const;
  void line_up(PacketFlow& flow);
  void offer_next(std::size_t lane);
  PacketFlow* next_flow(std::size_t lane);
  void offer(PacketFlow& flow);
  void count_departure(const TrackedPacket& packet, Time begin, Time end);
  void await_news(PacketFlow& flow, Time begin);
  void wake();

  bool data_ended(TrackedPacket& packet);
  void acknowledge(TrackedPacket& packet);
  void header_ended(const TrackedPacket& packet);
  void heard(const TrackedPacket& packet);
  void go_on(PacketFlow& flow);

  void tell_wish(PacketFlow& flow);

  const PacketContext* context_;
  EventSource* source_;
  std::vector<Line> lines_;  ///< By lane.
  MinHeap<Timed> timed_;
  std::uint64_t order_ = 0;
  FlowIndex<PacketFlow*> flow_to_;
  RecordStore<PacketFlow, 4> flows_;
  ToldPackets told_;
  GrantingHost granting_;  ///< As a destination.
};

}  // namespace heddle::network
