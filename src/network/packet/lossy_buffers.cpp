#include <algorithm>

#include "network/packet/output_port.hpp"
#include "network/packet/switch_buffers.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {
namespace {

/// A packet that finds its queue full is dropped, or cut to its header, which goes ahead.
class LossyBuffers final : public SwitchBuffers {
 public:
  explicit LossyBuffers(const PacketContext& context)
      : context_(context),
        config_(context.plan.lossy),
        lost_(context.plan.platform.links().ids()),
        used_(context.plan.platform.topology().vertices()) {}

  bool take(Packet& packet, const OutputPort* output) override {
    if (output == nullptr || !packet.tracked) return true;
    const std::int64_t limit = limit_of(*output, packet);
    const bool control = packet.lane == context_.plan.control_lane;
    if (has_room(packet, *output, control ? queue_of(*output) : limit)) return add(packet);
    Lost& lost = lost_[index(output->link())];
    if (!control && config_.full == LossyConfig::Full::trim) {
      trim(static_cast<TrackedPacket&>(packet), *output);
      ++lost.trimmed;
      ++counts_.trimmed;
      if (has_room(packet, *output, queue_of(*output))) return add(packet);
    }
    ++lost.dropped;
    ++counts_.dropped;
    return false;
  }
  void left(const Packet& packet) override {
    if (config_.shared && packet.tracked) used_[place_of(packet)] -= size(packet);
  }

  std::vector<LinkStatistic> link_statistics(LinkId link) const override {
    const Lost& lost = lost_[index(link)];
    return {{"dropped", lost.dropped}, {"trimmed", lost.trimmed}};
  }
  void add_to(PacketCounts& counts) const override { counts += counts_; }
  /// One that was cut and then dropped counts twice.
  void add_to(LinkState& state, LinkId link) const override {
    state.lost += lost_[index(link)].dropped + lost_[index(link)].trimmed;
  }

 private:
  struct Lost {
    std::int64_t dropped = 0;
    std::int64_t trimmed = 0;
  };

  std::int64_t size(const Packet& packet) const {
    return packet.size(context_.plan.config.flit).count();
  }
  std::size_t place_of(const Packet& packet) const {
    return index(context_.plan.platform.links().ends(packet.in).to);
  }
  bool add(const Packet& packet) {
    if (config_.shared) used_[place_of(packet)] += size(packet);
    return true;
  }
  /// What waits, counted in whole flits, and the packet.
  bool has_room(const Packet& packet, const OutputPort& output, std::int64_t limit) const {
    const std::int64_t flits = output.lanes()[packet.lane].queues.flits() + packet.flits;
    return flits * context_.plan.config.flit.count() <= limit;
  }
  std::int64_t queue_of(const OutputPort& output) const {
    if (config_.queue) return config_.queue->count();
    const double held = output.kind().bandwidth.bytes_per_ps() *
                        static_cast<double>(context_.plan.longest_rtt.ps());
    constexpr std::int64_t kLeast = 8;
    return std::max(static_cast<std::int64_t>(held),
                    context_.plan.config.max_packet.count() * kLeast);
  }
  std::int64_t limit_of(const OutputPort& output, const Packet& packet) const {
    const std::int64_t own = queue_of(output);
    if (!config_.shared) return own;
    const std::int64_t free = config_.shared->count() - used_[place_of(packet)];
    const auto part = static_cast<std::int64_t>(config_.alpha * static_cast<double>(free));
    return size(packet) > free ? 0 : std::min(own, part);
  }
  void trim(TrackedPacket& packet, const OutputPort& output) const {
    packet.set_size(std::min(config_.trim_to, packet.size(context_.plan.config.flit)),
                    context_.plan.config.flit);
    packet.sort = TrackedPacket::Sort::header;
    packet.at_last_hop = output.kind().to_host;
    packet.lane = static_cast<std::uint8_t>(context_.plan.control_lane);
  }

  const PacketContext context_;
  const LossyConfig& config_;
  std::vector<Lost> lost_;          ///< By link.
  std::vector<std::int64_t> used_;  ///< By vertex, where memory is shared.
  PacketCounts counts_;
};

}  // namespace

std::unique_ptr<SwitchBuffers> new_lossy_buffers(const PacketContext& context) {
  return std::make_unique<LossyBuffers>(context);
}

}  // namespace heddle::network
