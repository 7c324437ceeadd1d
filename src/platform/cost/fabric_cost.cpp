#include "platform/cost/fabric_cost.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "platform/cost/floor_plan.hpp"

namespace heddle::platform {
namespace {

void check_cable_ends(const Topology& topology) {
  for (std::uint32_t link = 0; link < topology.links(); link += 2) {
    const LinkEnds ends = topology.ends(LinkId{link});
    if (ends.from != kNoVertex && ends.to != kNoVertex) continue;
    throw InputError({},
                     "the machine's links belong to routes and join no two vertices: accepted are "
                     "machines whose cables have two ends");
  }
}

class CostCount {
 public:
  CostCount(const Platform& platform, const Prices& prices)
      : platform_(platform),
        topology_(platform.topology()),
        prices_(prices),
        plan_(topology_, prices.floor),
        switches_(prices.switches.size()),
        cables_(prices.cables.size()),
        optics_(prices.optics.size()) {}

  FabricCost count() {
    count_switches();
    for (std::uint32_t cable = 0; cable < topology_.cables(); ++cable) count_cable(cable);
    FabricCost cost{prices_.currency, {}, plan_.racks()};
    add(cost, "switches", prices_.switches, switches_);
    add(cost, "cables", prices_.cables, cables_);
    add(cost, "optics", prices_.optics, optics_);
    const auto nodes = static_cast<double>(topology_.nodes());
    cost.items.push_back({"adapters", "", topology_.nodes(), nodes * prices_.adapter.price,
                          nodes * prices_.adapter.power});
    for (const CostItem& item : cost.items) {
      cost.price += item.price;
      cost.power += item.power;
    }
    return cost;
  }

 private:
  void count_switches() {
    std::vector<std::uint32_t> ports(topology_.vertices());
    for (std::uint32_t link = 0; link < topology_.links(); ++link) {
      ++ports[index(topology_.ends(LinkId{link}).from)];
    }
    for (std::uint32_t s = topology_.nodes(); s < topology_.vertices(); ++s) {
      count_switch(VertexId{s}, ports[s]);
    }
  }

  void count_switch(VertexId s, std::uint32_t ports) {
    const auto fitting = std::ranges::find_if(
        prices_.switches, [&](const Prices::Switch& one) { return one.ports >= ports; });
    if (fitting == prices_.switches.end()) {
      throw InputError(
          {prices_.file},
          fmt::format("switches with {} ports are missing (switch {} has so many "
                      "cables, and the largest class, {}, {:.0f} ports): accepted is a "
                      "class of at least that many under 'switches'",
                      ports, topology_.name(s), prices_.switches.back().name,
                      prices_.switches.back().ports));
    }
    CostItem& item = switches_[static_cast<std::size_t>(fitting - prices_.switches.begin())];
    ++item.count;
    item.ports += ports;
    item.price += fitting->price + fitting->price_per_port * ports;
    item.power += fitting->power + fitting->power_per_port * ports;
  }

  void count_cable(std::uint32_t cable) {
    const LinkEnds ends = topology_.ends(LinkId{2 * cable});
    const double metres = plan_.length(ends.from, ends.to);
    const std::size_t number = cable_class(cable, metres);
    const Prices::Cable& known = prices_.cables[number];
    const double gbps =
        static_cast<double>(platform_.cable(cable).bandwidth.bits_per_second()) / 1e9;
    CostItem& item = cables_[number];
    ++item.count;
    item.metres += metres;
    item.price += known.price + known.price_per_metre * metres +
                  gbps * (known.price_per_gbps + known.price_per_gbps_metre * metres);
    item.power += known.power;
    if (!known.optics.empty()) count_optics(known.optics);
  }
  std::size_t cable_class(std::uint32_t cable, double metres) const {
    for (std::size_t i = 0; i < prices_.cables.size(); ++i) {
      const auto& up_to = prices_.cables[i].up_to;
      // Lengths are sums of decimal figures: a millimetre is no difference.
      if (!up_to || metres <= *up_to + 1e-3) return i;
    }
    throw InputError({prices_.file},
                     fmt::format("cables of {:.4g} m are missing ({} is so long, and the longest "
                                 "class, {}, up to {:.4g} m): accepted is a class of at least that "
                                 "length, or without up_to, under 'cables'",
                                 metres, topology_.link_name(LinkId{2 * cable}),
                                 prices_.cables.back().name, *prices_.cables.back().up_to));
  }
  void count_optics(const std::string& name) {
    const auto known = std::ranges::find(prices_.optics, name, &Prices::Optics::name);
    CostItem& item = optics_[static_cast<std::size_t>(known - prices_.optics.begin())];
    item.count += 2;
    item.price += 2 * known->price;
    item.power += 2 * known->power;
  }

  template <class Class>
  static void add(FabricCost& cost, const char* part, const std::vector<Class>& classes,
                  const std::vector<CostItem>& counted) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (counted[i].count == 0) continue;
      cost.items.push_back(counted[i]);
      cost.items.back().part = part;
      cost.items.back().name = classes[i].name;
    }
  }

  const Platform& platform_;
  const Topology& topology_;
  const Prices& prices_;
  FloorPlan plan_;
  std::vector<CostItem> switches_;  ///< By class, as are the next two.
  std::vector<CostItem> cables_;
  std::vector<CostItem> optics_;
};

}  // namespace

FabricCost cost_of(const Platform& platform, const Prices& prices) {
  check_cable_ends(platform.topology());
  return CostCount(platform, prices).count();
}

}  // namespace heddle::platform
