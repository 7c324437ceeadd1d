// A node's adapter as a destination: where packets end.
#pragma once

#include <memory>

#include "core/containers/short_list.hpp"
#include "network/packet/flow_index.hpp"
#include "network/packet/lane_credits.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/sink.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

/// Flits are taken as they come, or by a sink, whose drains are the credits of the links that end
/// here. As an event, the end of a packet at the sink. Ordered by what is needed together.
class alignas(64) ReceivingHost final : public Event, public DrainingEnd {
 public:
  ReceivingHost(const PacketContext& context, EventSource source);

  /// The packet's head is here.
  void enter(Packet& packet);
  /// Takes the flits due by `until`. A flow-control packet tells of those that were taken before it
  /// left, so the drains up to the last one are credited apart from those after it.
  void drain(Time until) override;
  Time drained_at(std::uint32_t account, std::int64_t flits) const override {
    return sink_.drained_at(account, flits);
  }
  /// The node's own.
  EventSource& source() { return source_; }
  /// Whether the source of a marked packet that ends here is told.
  bool notifies(const Packet& packet);

  /// Whether a packet that ends here, the number `number` of its source, was sent before one of its
  /// flow that has ended here already.
  bool is_overtaken(const Packet& packet, std::uint32_t number);
  // Asks for the memory that is_overtaken() needs: first of the host itself.
  void foresee_flows() const { prefetch(&last_sent_); }
  void foresee_flow(const Packet& packet) const { last_sent_.foresee(flow_of(packet)); }

  void fire() override { drain(context_->simulation.now()); }
  void glimpse() const override { foresee_sink(); }
  void foresee() const override;
  void expect() const override;
  void foresee_sink() const override;

 private:
  static std::uint64_t flow_of(const Packet& packet);
  void connect(OutputPort& port);
  bool drain_and_credit(Time until);

  const PacketContext* context_;
  EventSource source_;
  Sink sink_;
  ShortList<OutputPort*, 2> entrances_;  ///< The links that have brought packets.
  std::unique_ptr<NotificationPoint> notification_;
  /// By flow, the number of the packet sent last of those that have ended (and kEnded); looked up
  /// only, and there where packets may overtake each other.
  FlowIndex<std::uint64_t> last_sent_;
};

}  // namespace heddle::network
