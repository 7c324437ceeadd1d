#include "network/packet/granting_host.hpp"

#include <algorithm>

#include "network/packet/output_port.hpp"

namespace heddle::network {

/// Made when the first packet comes in.
NotificationPoint& GrantingHost::point(const Packet& packet) {
  if (point_ == nullptr) {
    const PacketPlan& plan = context_->plan;
    point_ = plan.congestion->new_notification_point(
        {packet.before->kind().bandwidth, plan.config.max_packet, plan.longest_rtt});
  }
  return *point_;
}

bool GrantingHost::notifies(const Packet& packet, NodeId of) {
  return point(packet).notifies(of, context_->simulation.now());
}

/// Flows have numbers of their own at the notification point.
void GrantingHost::wanted(const TrackedPacket& packet) {
  if (context_->plan.congestion == nullptr || !context_->plan.congestion->grants()) return;
  const auto [known, is_new] =
      number_.try_emplace(packet.flow, static_cast<std::uint32_t>(flows_.size()));
  if (is_new) flows_.push_back(packet.flow);
  point(packet).wanted(NodeId{known->second}, packet.bytes, context_->simulation.now());
  await_grant();
}

void GrantingHost::await_grant() {
  const Time when = point_->next_grant();
  if (scheduled() || when == Time::never()) return;
  context_->simulation.schedule(*this, std::max(when, context_->simulation.now()), *source_);
}

void GrantingHost::fire() {
  const Grant grant = point_->grant(context_->simulation.now());
  TrackedPacket& packet = told_->reply(*flows_[index(grant.source)], TrackedPacket::Sort::grant);
  packet.bytes = grant.bytes;
  told_->tell(packet);
  await_grant();
}

}  // namespace heddle::network
