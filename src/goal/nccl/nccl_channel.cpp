#include "goal/nccl/nccl_channel.hpp"

namespace heddle::goal {

NcclChannel::NcclChannel(const NcclPlan& plan, ScheduleBuilder& out, std::uint32_t rank,
                         std::uint32_t channel)
    : plan_(plan),
      out_(out),
      rank_(rank),
      channel_(channel),
      per_node_(plan.ranks / plan.nodes),
      bytes_(part_of(plan.bytes, plan.channels, channel)) {}

std::uint32_t NcclChannel::rank_at(std::uint32_t place) const {
  const std::uint32_t node = place / per_node_;
  return node * per_node_ + (place % per_node_ + channel_) % per_node_;
}

std::uint32_t NcclChannel::place() const {
  const std::uint32_t node = rank_ / per_node_;
  return node * per_node_ + (rank_ % per_node_ + per_node_ - channel_ % per_node_) % per_node_;
}

std::uint32_t NcclChannel::add(OpKind kind, std::uint64_t data, std::uint32_t peer, NcclWay way,
                               const Ops& before) {
  constexpr std::uint32_t kDown = 64;
  const auto cpu = static_cast<std::uint8_t>(channel_ + (way == NcclWay::down ? kDown : 0));
  // A switch has a port for each GPU.
  const auto port = static_cast<std::uint8_t>(is_switch() ? peer % per_node_ : 0);
  const std::uint32_t op = out_.add({kind, wire_bytes(plan_.protocol, data), peer, cpu, cpu, port});
  for (const std::uint32_t earlier : before) out_.requires_end(op, earlier);
  return op;
}

std::uint32_t NcclChannel::send(std::uint64_t data, std::uint32_t to, const Ops& before,
                                NcclWay way) {
  return add(OpKind::send, data, to, way, before);
}

std::uint32_t NcclChannel::recv(std::uint64_t data, std::uint32_t from, const Ops& before,
                                NcclWay way) {
  const std::pair key(from, way);
  Ops all = before;
  if (const auto last = received_.find(key); last != received_.end()) all.push_back(last->second);
  return received_[key] = add(OpKind::recv, data, from, way, all);
}

}  // namespace heddle::goal
