#include <algorithm>
#include <vector>

#include "network/packet/packet_plan.hpp"
#include "network/packet/rules.hpp"
#include "platform/figures/metrics.hpp"
#include "platform/grouped.hpp"

namespace heddle::network {
namespace {

const platform::Grouped& groups_of(const platform::Platform& platform) {
  const auto* const grouped = dynamic_cast<const platform::Grouped*>(&platform.topology());
  if (grouped != nullptr) return *grouped;
  throw ParamError({"packet.lane_by"}, "group is for groups, and this machine (" +
                                           platform.topology().describe() +
                                           ") has none: accepted are hop, class and, where there "
                                           "are rings, dateline");
}

/// A packet is one lane up after each cable between groups, and after a cable inside a group that
/// another one inside it follows. So in one lane a packet crosses at most one cable inside a group
/// and then at most one between groups, and waits for nobody who waits for it.
class LaneByGroup final : public LaneRule {
 public:
  LaneByGroup(const platform::Platform& platform, std::size_t lanes) : last_(lanes - 1) {
    const platform::Grouped& grouped = groups_of(platform);
    const platform::Topology& topology = platform.topology();
    cables_.reserve(topology.cables());
    for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
      cables_.push_back(sort_of(topology.ends(LinkId{2 * cable}), topology, grouped));
    }
  }
  std::size_t first(const Transfer&) const override { return 0; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet, LinkId link) const override {
    const Cable from = cable(packet.in);
    const bool up = from == Cable::global || (from == Cable::local && cable(link) == Cable::local);
    return std::min<std::size_t>(packet.in_lane + (up ? 1U : 0U), last_);
  }

 private:
  enum class Cable : std::uint8_t { access, local, global };
  static Cable sort_of(const platform::LinkEnds& ends, const platform::Topology& topology,
                       const platform::Grouped& grouped) {
    if (!topology.is_switch(ends.from) || !topology.is_switch(ends.to)) return Cable::access;
    return grouped.group(ends.from) == grouped.group(ends.to) ? Cable::local : Cable::global;
  }
  /// Adapters have links of their own besides those of the fabric.
  Cable cable(LinkId link) const {
    const std::size_t number = index(link) / 2;
    return number < cables_.size() ? cables_[number] : Cable::access;
  }

  std::vector<Cable> cables_;
  std::size_t last_;
};

/// local-global-local has two; a detour local-global-local-local-global-local four; every local
/// cable before it, of which progressive routing has one, or two in a dragonfly+, one more.
std::int64_t lanes_of_groups(const PacketConfig&, const platform::Platform& platform) {
  if (platform.routing().choice() != platform::RouteChoice::detour) return 2;
  const std::uint32_t usual =
      platform::longest_route(platform.topology(), platform::RouteChoice::detour);
  return 4 + std::int64_t{platform.routing().longest_route()} - usual;
}

}  // namespace

const PacketLaneRule& lane_by_group() {
  static const PacketLaneRule rule = {
      {"group",
       "in a dragonfly, one lane up after a cable between groups, or the first of two inside a "
       "group (2 lanes, in a dragonfly 3 with detours by group, 4 by switch, one more with par)",
       nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByGroup>(inputs.platform, inputs.lanes);
       }},
      lanes_of_groups};
  return rule;
}

}  // namespace heddle::network
