#include "platform/platform.hpp"

namespace heddle::platform {
namespace {

/// The stages of a walk, in order.
enum Stage : std::uint8_t {
  kSourceBus,
  kSourceLimiter,
  kFabric,
  kTargetLimiter,
  kTargetBus,
  kTargetDevice,
  kDone
};

/// Links of the largest fabric that has tables of them: 100 MB or so.
constexpr std::uint32_t kMostTabledLinks = 1U << 24;

/// Whether it can hold a message up.
bool matters(const Link& link) {
  return !link.bandwidth.is_unlimited() || !link.flow_cap.is_unlimited() ||
         link.latency > Time::zero();
}

}  // namespace

const ParamTable<LinkParams>& link_table() {
  static const auto table = [] {
    ParamTable<LinkParams> t("link", "cables of the fabric");
    t.add(
        "bandwidth", &LinkParams::bandwidth, "100Gbps", {"1bps", "1000000Tbps"},
        "what all messages on the cable get together, in each direction (in all, if half duplex)");
    t.add("flow_cap", &LinkParams::flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message gets at most");
    t.add("latency", &LinkParams::latency, "100ns", {"", "1000s"},
          "time for a bit to travel the cable");
    t.add_choice("duplex", &LinkParams::duplex, "full",
                 {{"full", Duplex::full}, {"half", Duplex::half}},
                 "whether each direction has the bandwidth to itself or both share it");
    return t;
  }();
  return table;
}

const ParamTable<SwitchParams>& switch_table() {
  static const auto table = [] {
    ParamTable<SwitchParams> t("switch", "switches of the fabric");
    t.add("latency", &SwitchParams::latency, "100ns", {"", "1000s"},
          "time from the arrival of a head to its leaving on an idle output");
    return t;
  }();
  return table;
}

const ParamTable<NodeParams>& node_table() {
  static const auto table = [] {
    ParamTable<NodeParams> t("node", "compute nodes");
    t.add("cores", &NodeParams::cores, "1", {"1", "1M"}, "cores of the node");
    t.add("speed", &NodeParams::speed, "10Gf", {"1f", "1000Pf"}, "speed of one core");
    t.add("pcie_bandwidth", &NodeParams::pcie_bandwidth, "unlimited", {"", "1000000Tbps"},
          "capacity of the bus between memory and adapter, shared by all messages");
    t.add("pcie_flow_cap", &NodeParams::pcie_flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message gets of the bus");
    t.add("pcie_latency", &NodeParams::pcie_latency, "0ns", {"", "1000s"},
          "latency of the bus, each way");
    t.add_choice("pcie_duplex", &NodeParams::pcie_duplex, "full",
                 {{"full", Duplex::full}, {"half", Duplex::half}},
                 "whether each direction of the bus has its bandwidth to itself");
    t.add("limiter_bandwidth", &NodeParams::limiter_bandwidth, "unlimited", {"", "1000000Tbps"},
          "capacity that messages from and to the node share");
    t.add("loopback_bandwidth", &NodeParams::loopback_bandwidth, "unlimited", {"", "1000000Tbps"},
          "bandwidth that messages from a node to itself share");
    t.add("loopback_flow_cap", &NodeParams::loopback_flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message from a node to itself gets at most");
    t.add("loopback_latency", &NodeParams::loopback_latency, "0ns", {"", "1000s"},
          "latency of messages from a node to itself");
    t.add("adapters", &NodeParams::adapters, "1", {"1", "64"},
          "adapters of every node, each with a cable to the fabric");
    t.add_choice("adapter_map", &NodeParams::adapter_map, "planes",
                 {{"planes", AdapterMap::planes},
                  {"rails", AdapterMap::rails},
                  {"neighbours", AdapterMap::neighbours}},
                 "where several adapters lead: each to an equal fabric of its own, each to a leaf "
                 "switch of its own in one fabric, or to places of it that follow each other");
    t.add_choice("adapter_choice", &NodeParams::adapter_choice, "rank",
                 {{"rank", AdapterChoice::rank},
                  {"round-robin", AdapterChoice::round_robin},
                  {"hash", AdapterChoice::hash},
                  {"stripe", AdapterChoice::stripe}},
                 "by which adapter a message leaves: that of its rank, the next, one that follows "
                 "from its two nodes, or, if it is long, all of them");
    t.add("stripe_from", &NodeParams::stripe_from, "64KiB", {"1B", "1000TiB"},
          "size of messages from which they are divided among the adapters, if that is the choice");
    t.add("inner_bandwidth", &NodeParams::inner_bandwidth, "unlimited", {"", "1000000Tbps"},
          "bandwidth between the device at each adapter (a GPU, a socket) and a switch inside the "
          "node, in each direction");
    t.add("inner_latency", &NodeParams::inner_latency, "0ns", {"", "1000s"},
          "latency between that device and the switch inside the node");
    t.add("inner_reduction", &NodeParams::inner_reduction, "no", {},
          "the switch inside the node adds up what several devices send, and sends to several at a "
          "time (NVLink SHARP), for schedules that ask for it");
    return t;
  }();
  return table;
}

template <class T>
std::uint32_t Platform::Classes<T>::number_of(const T& value) {
  const auto it = numbers_.find(value);
  if (it != numbers_.end()) return it->second;
  const auto number = static_cast<std::uint32_t>(values_.size());
  numbers_.emplace(value, number);
  values_.push_back(value);
  return number;
}

Platform::Platform(std::string name, std::unique_ptr<const Topology> topology,
                   std::unique_ptr<const Routing> routing, const LinkParams& link,
                   const SwitchParams& switches, const NodeParams& node, const NicParams& nic)
    : name_(std::move(name)),
      topology_(std::move(topology)),
      has_distances_(topology_->has_distances()),
      routing_(std::move(routing)),
      switches_(switches),
      adapters_(static_cast<std::uint32_t>(node.adapters)),
      node_links_(2 *
                  (static_cast<std::uint32_t>(NodeCable::inner) + (adapters_ > 1 ? adapters_ : 0))),
      cable_class_(topology_->cables(), cable_class(link)),
      node_class_(topology_->nodes(), node_class(node)),
      nic_class_(topology_->nodes(), nic_classes_.number_of(nic)) {
  if (topology_->links() > kMostTabledLinks) return;
  link_class_.resize(topology_->links());
  link_end_.resize(topology_->links());
  for (std::uint32_t cable = 0; cable < topology_->cables(); ++cable) tabulate(cable);
}

Platform::~Platform() = default;

std::uint32_t Platform::cable_class(const LinkParams& params) {
  const std::uint32_t number = cable_classes_.number_of(params);
  if (number < links_of_class_.size()) return number;
  const Link from_node{params.bandwidth, params.flow_cap, params.latency, params.duplex};
  Link from_switch = from_node;
  from_switch.latency += switches_.latency;
  links_of_class_.push_back(
      {link_classes_.number_of(from_node), link_classes_.number_of(from_switch)});
  return number;
}

void Platform::tabulate(std::uint32_t cable) {
  for (const std::uint32_t link : {2 * cable, 2 * cable + 1}) {
    const LinkEnds ends = topology_->ends(LinkId{link});
    link_end_[link] = ends.to;
    link_class_[link] = link_class(cable, ends.from);
  }
}

void Platform::set_cable(std::uint32_t cable, const LinkParams& params) {
  cable_class_[cable] = cable_class(params);
  if (!link_class_.empty()) tabulate(cable);
}

std::uint32_t Platform::node_class(const NodeParams& p) {
  const Link pcie{p.pcie_bandwidth, p.pcie_flow_cap, p.pcie_latency, p.pcie_duplex};
  const Link limiter{p.limiter_bandwidth, {}, {}, Duplex::half};
  const Link loopback{p.loopback_bandwidth, p.loopback_flow_cap, p.loopback_latency, Duplex::half};
  const Link inner{p.inner_bandwidth, {}, p.inner_latency, Duplex::full};
  return node_classes_.number_of(
      {p,
       {pcie, limiter, loopback, inner},
       {matters(pcie), matters(limiter), matters(loopback), matters(inner)}});
}

void Platform::set_node(NodeId node, const NodeParams& params) {
  node_class_[index(node)] = node_class(params);
}

void Platform::set_nic(NodeId node, const NicParams& params) {
  nic_class_[index(node)] = nic_classes_.number_of(params);
}

const Link& Platform::untabled_link(LinkId link) const {
  const auto number = static_cast<std::uint32_t>(link);
  if (number < topology_->links()) {
    return link_classes_[link_class(number / 2, topology_->ends(link).from)];
  }
  const std::uint32_t own = number - topology_->links();
  const auto kind = static_cast<std::size_t>(kind_of(own % node_links_));
  return node_classes_[node_class_[own / node_links_]].cables[kind];
}

LinkId Platform::node_link(NodeId node, NodeCable cable, bool inward) const {
  return LinkId{topology_->links() + static_cast<std::uint32_t>(node) * node_links_ +
                2 * static_cast<std::uint32_t>(cable) + (inward ? 1U : 0U)};
}

LinkId Platform::inner_link(const Endpoint& end, bool inward) const {
  const LinkId first = node_link(end.node, NodeCable::inner, inward);
  return LinkId{static_cast<std::uint32_t>(first) + 2U * adapter_of(end)};
}

bool Platform::changes_device(const Walk& walk) const {
  if (walk.destination.port == Port::inner) return true;
  return walk.source.port == walk.destination.port &&
         adapter_of(walk.source) != adapter_of(walk.destination) &&
         has_node_cable(walk.source.node, NodeCable::inner);
}

bool Platform::has_node_cable(NodeId node, NodeCable cable) const {
  return node_classes_[node_class_[index(node)]].has[static_cast<std::size_t>(cable)];
}

/// `cross` takes a link of the fabric, or goes all the way through it.
template <class Cross>
LinkId Platform::next_by(Walk& walk, Cross cross) const {
  walk.streamed = false;
  if (walk.stage == kFabric && walk.hop.at != walk.hop.to) return cross();
  const NodeId source = walk.source.node;
  const NodeId target = walk.destination.node;
  const bool within = source == target;
  if (within && walk.stage == kSourceBus && !streams(walk)) return next_within(walk);
  switch (walk.stage) {
    case kSourceBus:
      walk.stage = kSourceLimiter;
      if (uses_bus(walk.source)) {
        walk.streamed = walk.source.port == Port::stream;
        return taken(walk, node_link(source, NodeCable::pcie, false));
      }
      [[fallthrough]];
    case kSourceLimiter:
      walk.stage = kFabric;
      if (const NodeCable cable = within ? NodeCable::loopback : NodeCable::limiter;
          has_node_cable(source, cable)) {
        return taken(walk, node_link(source, cable, false));
      }
      [[fallthrough]];
    case kFabric:
      if (walk.hop.at != walk.hop.to) return cross();
      walk.stage = kTargetLimiter;
      [[fallthrough]];
    case kTargetLimiter:
      walk.stage = kTargetBus;
      if (!within && has_node_cable(target, NodeCable::limiter)) {
        return taken(walk, node_link(target, NodeCable::limiter, true));
      }
      [[fallthrough]];
    case kTargetBus:
      walk.stage = kDone;
      if (uses_bus(walk.destination)) {
        walk.streamed = walk.destination.port == Port::stream;
        return taken(walk, node_link(target, NodeCable::pcie, true));
      }
      return kNoLink;
    case kTargetDevice:
      walk.stage = kDone;
      return taken(walk, inner_link(walk.destination, true));
    default:
      return kNoLink;
  }
}

LinkId Platform::next(Walk& walk, const LoadView& loads) const {
  return next_by(walk, [&] { return cross(walk, loads); });
}

void Platform::find_fabric_route(Hop hop, LinkSet& fabric) const {
  if (adapters_ == 1) return topology_->find_route(hop.from, hop.to, fabric);
  fabric.clear();
  for (; hop.at != hop.to; ++hop.step) {
    const LinkId link = topology_->output(hop);
    fabric.add(link);
    hop.at = topology_->after(hop, link);
  }
}

void Platform::fixed_route(Endpoint source, Endpoint destination, std::vector<RouteStep>& route,
                           LinkSet& fabric) const {
  route.clear();
  Walk walk = this->walk(source, destination, 0);
  Hop& hop = walk.hop;
  if (hop.at != hop.to) find_fabric_route(hop, fabric);
  const auto cross = [&] {
    if (fabric.size() == 0) return kNoLink;
    Time distance = has_distances_ ? topology_->distance(hop.from, hop.to) : Time::zero();
    for (const LinkId id : fabric) {
      route.push_back({capacity(id), link(id).latency + std::exchange(distance, Time::zero())});
    }
    hop.at = hop.to;
    return next(walk, NoLoads{});
  };
  for (LinkId link; (link = next_by(walk, cross)) != kNoLink;) {
    route.push_back({link, latency(walk, link)});
  }
  route.emplace_back();
}

/// One link of the fabric.
LinkId Platform::cross(Walk& walk, const LoadView& loads) const {
  const LinkId link = routing_->next(walk.hop, loads);
  const VertexId end = index(link) < link_end_.size() ? link_end_[index(link)] : kNoVertex;
  walk.hop.at = end != kNoVertex ? end : topology_->after(walk.hop, link);
  ++walk.hop.step;
  return taken(walk, link);
}

Time Platform::distance(const Walk& walk, LinkId passed) const {
  const bool first = walk.hop.step == 1 && index(passed) < topology_->links();
  return first ? topology_->distance(walk.hop.from, walk.hop.to) : Time::zero();
}

bool Platform::at_end(const Walk& walk) const {
  if (walk.stage == kDone) return true;
  if (walk.stage == kTargetDevice) return false;
  if (walk.hop.at != walk.hop.to || uses_bus(walk.destination)) return false;
  const NodeId target = walk.destination.node;
  if (walk.source.node == target) {
    return walk.stage == kFabric ||
           (walk.stage == kSourceLimiter && !has_node_cable(target, NodeCable::loopback));
  }
  return walk.stage <= kTargetBus &&
         (walk.stage == kTargetBus || !has_node_cable(target, NodeCable::limiter));
}

/// Whether the adapter reads or writes memory underway.
bool Platform::streams(const Walk& walk) {
  return walk.source.port == Port::stream || walk.destination.port == Port::stream;
}

LinkId Platform::next_within(Walk& walk) const {
  if (walk.source.port == Port::inner) {
    walk.stage = kDone;
    return taken(walk, inner_link(walk.destination, true));
  }
  if (changes_device(walk)) {
    walk.stage = walk.destination.port == Port::inner ? kDone : kTargetDevice;
    return taken(walk, inner_link(walk.source, false));
  }
  walk.stage = kDone;
  const NodeId node = walk.source.node;
  const bool outward = walk.source.port == Port::memory && walk.destination.port == Port::nic;
  const bool inward = walk.source.port == Port::nic && walk.destination.port == Port::memory;
  const NodeCable cable = outward || inward ? NodeCable::pcie : NodeCable::loopback;
  return has_node_cable(node, cable) ? taken(walk, node_link(node, cable, inward)) : kNoLink;
}

bool Platform::is_loopback(LinkId link) const {
  if (index(link) < topology_->links()) return false;
  const std::uint32_t own = static_cast<std::uint32_t>(link) - topology_->links();
  return kind_of(own % node_links_) == NodeCable::loopback;
}

bool Platform::uses_bus(const Endpoint& end) const {
  return end.port != Port::nic && has_node_cable(end.node, NodeCable::pcie);
}

std::string Platform::link_name(LinkId link) const {
  const std::uint32_t id = static_cast<std::uint32_t>(link);
  if (id < topology_->links()) {
    std::string name = topology_->link_name(link);
    const std::size_t arrow = name.find("->");
    const bool both_ways = this->link(link).duplex == Duplex::half && arrow != std::string::npos;
    return both_ways ? name.insert(arrow, "<") : name;
  }
  static constexpr const char* kNames[] = {" pcie", " limiter", " loopback", " inner"};
  const std::uint32_t own = (id - topology_->links()) % node_links_;
  const NodeCable kind = kind_of(own);
  std::string name = topology_->name(VertexId{(id - topology_->links()) / node_links_});
  name += kNames[static_cast<std::size_t>(kind)];
  if (kind == NodeCable::inner) name += " " + std::to_string(own / 2 - (kNodeCables - 1));
  const bool two_ways = kind == NodeCable::pcie || kind == NodeCable::inner;
  if (two_ways && this->link(link).duplex == Duplex::full) name += own % 2 ? " in" : " out";
  return name;
}

}  // namespace heddle::platform
