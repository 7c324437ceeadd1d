#include <algorithm>

#include "network/packet/rules.hpp"
#include "platform/ringed.hpp"

namespace heddle::network {
namespace {

const platform::Ringed* escape_rings(const platform::Platform& platform) {
  return dynamic_cast<const platform::Ringed*>(&platform.topology());
}

std::size_t escape_lanes(const platform::Platform& platform) {
  return escape_rings(platform) != nullptr ? 2 : 1;
}

void check_escape(const platform::Platform& platform, std::size_t lanes) {
  if (platform.routing().choice() != platform::RouteChoice::adaptive) {
    throw ParamError({"packet.lane_by"},
                     "escape is for routings that may take any minimal output: accepted are "
                     "adaptive, ecmp, spray and flowlet");
  }
  if (lanes > escape_lanes(platform)) return;
  throw ParamError({"packet.lanes"}, "lane_by=escape needs " +
                                         std::to_string(escape_lanes(platform)) +
                                         " lanes to escape to, and one more");
}

/// The first lane, on a torus or mesh the first two with a dateline, are for the deterministic
/// route, which packets take that find no credits elsewhere; all others are for any minimal output,
/// by chance. A packet waits for credits on the deterministic route only, so where that has no
/// circles there is no deadlock. At the next switch it may leave that route again.
class LaneByEscape final : public LaneRule {
 public:
  LaneByEscape(const platform::Platform& platform, std::size_t lanes)
      : rings_(escape_rings(platform)), escape_lanes_(escape_lanes(platform)), lanes_(lanes) {
    check_escape(platform, lanes);
  }
  std::size_t first(const Transfer&) const override { return escape_lanes_; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet, LinkId) const override {
    return escape_lanes_ + packet.walk.hop.salt % (lanes_ - escape_lanes_);
  }
  bool escapes() const override { return true; }
  bool is_escape(std::size_t lane) const override { return lane < escape_lanes_; }
  std::size_t escape(const Packet& packet, LinkId link) const override {
    if (rings_ == nullptr) return 0;
    const platform::Ringed::Step to = rings_->ring_step(link);
    if (to.wraps) return 1;
    const platform::Ringed::Step from = rings_->ring_step(packet.in);
    const bool goes_on = from.in_ring && to.in_ring && from.dimension == to.dimension;
    return goes_on && is_escape(packet.in_lane) ? packet.in_lane : 0;
  }

 private:
  const platform::Ringed* rings_;
  std::size_t escape_lanes_;
  std::size_t lanes_;
};

}  // namespace

const PacketLaneRule& lane_by_escape() {
  static const PacketLaneRule rule = {
      {"escape",
       "any lane but the first (on a torus or mesh, the first two), to which packets without "
       "credits turn, "
       "with the deterministic route; for adaptive routings",
       nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByEscape>(inputs.platform, inputs.lanes);
       }},
      [](const PacketConfig&, const platform::Platform& platform) {
        return static_cast<std::int64_t>(escape_lanes(platform)) + 1;
      }};
  return rule;
}

}  // namespace heddle::network
