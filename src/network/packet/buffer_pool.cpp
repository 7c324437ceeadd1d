#include "network/packet/buffer_pool.hpp"

#include <algorithm>

#include "network/packet/output_port.hpp"

namespace heddle::network {
namespace {

/// What lanes of such a link share beside the room of a packet each.
std::int64_t shared_flits(const PortKind& kind) {
  return (kind.buffer_flits - kind.context.plan.max_flits()) *
         static_cast<std::int64_t>(kind.lanes);
}

}  // namespace

bool BufferPool::admits(const OutputPort& sender, const Packet& packet) const {
  const std::int64_t held = sender.news().flits_beyond(sender.lanes(), packet.lane);
  std::int64_t taken = taken_by(held + packet.flits) - taken_by(held);
  if (taken == 0) return true;
  for (const OutputPort* other : senders_) {
    for (std::size_t i = 0; i < other->kind().context.plan.data_lanes(); ++i) {
      taken += taken_by(other->news().flits_beyond(other->lanes(), i));
    }
  }
  return taken <= flits_;
}

void BufferPool::wait(OutputPort& sender) {
  Time soonest = Time::never();
  for (const OutputPort* other : senders_) {
    soonest = std::min(soonest, other->news().next(other->lanes()));
  }
  if (soonest != Time::never()) sender.arbiter().look_at(soonest);
  if (std::find(waiting_.begin(), waiting_.end(), &sender) == waiting_.end()) {
    waiting_.push_back(&sender);
  }
}

void BufferPool::wait_no_longer(const OutputPort& sender) {
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), &sender), waiting_.end());
}

void BufferPool::freed(const OutputPort& sender, Time when) {
  if (waiting_.empty()) return;
  const Time heard = sender.news().hears_of(sender.kind(), when);
  for (OutputPort* waiting : waiting_) waiting->arbiter().look_at(heard);
}

// --- All of them.

BufferPools::BufferPools(const PacketContext& context) : plan_(&context.plan) {
  if (plan_->config.buffer_sharing != BufferSharing::everyone) return;
  const platform::Topology& topology = plan_->platform.topology();
  flits_.resize(topology.vertices());
  for (std::uint32_t link = 0; link < topology.links(); ++link) {
    const PortKind kind(context, LinkId{link});
    if (kind.pooled) flits_[index(topology.ends(LinkId{link}).to)] += shared_flits(kind);
  }
}

void BufferPools::add(OutputPort& sender) {
  BufferPool& shared = pool(sender);
  shared.add(sender);
  sender.lanes().share(shared);
}

BufferPool& BufferPools::pool(const OutputPort& sender) {
  const std::int64_t own = plan_->max_flits();
  if (flits_.empty()) {
    return pools_.try_emplace(index(sender.link()), shared_flits(sender.kind()), own).first->second;
  }
  const std::size_t at = index(plan_->platform.links().ends(sender.link()).to);
  return pools_.try_emplace(at, flits_[at], own).first->second;
}

}  // namespace heddle::network
