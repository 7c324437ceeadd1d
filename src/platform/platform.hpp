// A machine: the fabric's graph with the parameters of its links, switches and nodes, and its
// routing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"
#include "platform/adapter_use.hpp"
#include "platform/failures/failures.hpp"
#include "platform/link_profiles.hpp"
#include "platform/nic_params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

enum class Duplex { full, half };

/// The properties of a cable.
struct LinkParams {
  Bandwidth
      bandwidth;  ///< What all messages together get (per direction, or in all for half duplex).
  Bandwidth flow_cap;  ///< What one message gets at most.
  Time latency;
  Duplex duplex = Duplex::full;
  auto operator<=>(const LinkParams&) const = default;
};

struct SwitchParams {
  Time latency;  ///< From the arrival of a head to its leaving on an idle output.
};

/// What a node has besides its place in the fabric.
struct NodeParams {
  std::int64_t cores = 1;
  Speed speed;
  Bandwidth pcie_bandwidth;  ///< Between memory and adapter; unlimited with zero latency: no bus is
                             ///< modelled.
  Bandwidth pcie_flow_cap;
  Time pcie_latency;
  Duplex pcie_duplex = Duplex::full;
  Bandwidth limiter_bandwidth;   ///< Shared by both directions of the adapter; unlimited: none.
  Bandwidth loopback_bandwidth;  ///< For messages from a node to itself, together.
  Bandwidth loopback_flow_cap;   ///< For one of them.
  Time loopback_latency;
  std::int64_t adapters = 1;
  AdapterMap adapter_map = AdapterMap::planes;
  AdapterChoice adapter_choice = AdapterChoice::rank;
  Bytes stripe_from;             ///< Messages of so many bytes are divided, if that is the choice.
  Bandwidth inner_bandwidth;     ///< Between a node's device at an adapter and its internal switch.
  Time inner_latency;            ///< Of that link, each way.
  bool inner_reduction = false;  ///< That switch reduces, and sends one message to several devices.
  auto operator<=>(const NodeParams&) const = default;
};

const ParamTable<LinkParams>& link_table();
const ParamTable<SwitchParams>& switch_table();
const ParamTable<NodeParams>& node_table();

/// One end of a transfer: a node's adapter, its memory behind the PCIe bus, or its memory as an
/// adapter streams from or to it. A stream uses the bus like any other message, but the bus's
/// latency is not counted: the adapter accounts for the first packet it reads and the last one it
/// writes. Or it is the switch inside a node, which has messages with the devices of that node
/// only.
enum class Port : std::uint8_t { nic, memory, stream, inner };
struct Endpoint {
  /// Of an endpoint that leaves it to the network which adapter is used.
  static constexpr std::uint8_t kAnyAdapter = 255;

  NodeId node;
  Port port = Port::nic;
  std::uint8_t adapter = kAnyAdapter;
  auto operator<=>(const Endpoint&) const = default;
};

/// A link as the network models see it.
struct Link {
  Bandwidth bandwidth;  ///< Shared capacity; unlimited for a link that only caps each message.
  Bandwidth flow_cap;
  Time latency;  ///< Wire and, where it leaves a switch, the switch.
  Duplex duplex = Duplex::full;
  auto operator<=>(const Link&) const = default;
};

/// Where a message is on its way from one endpoint to another.
struct Walk {
  Hop hop;
  Endpoint source;
  Endpoint destination;
  std::uint8_t stage = 0;  ///< The part of the way that comes next, as Platform counts them.
  bool streamed = false;   ///< The link just passed is a bus whose latency is not counted.
  bool backward = false;   ///< The link just passed was used against its even direction.
};

/// A link on a route, or kNoLink behind the last one.
struct RouteStep {
  LinkId link = kNoLink;
  Time latency;
};

/// The assembled machine; immutable once built.
///
/// Beyond the fabric's links each node has up to three cables of its own: the PCIe bus between
/// memory and adapter, a limiter that both directions share, and a loopback; with several adapters
/// also one from the device at each of them to a switch inside the node. Their ids follow the
/// fabric's.
class Platform {
 public:
  Platform(std::string name, std::unique_ptr<const Topology> topology,
           std::unique_ptr<const Routing> routing, const LinkParams& link,
           const SwitchParams& switches, const NodeParams& node, const NicParams& nic);
  ~Platform();

  const std::string& name() const { return name_; }
  const Topology& topology() const { return *topology_; }
  const Routing& routing() const { return *routing_; }
  std::uint32_t nodes() const { return topology_->nodes(); }
  /// One past the largest LinkId, node cables included.
  std::uint32_t link_ids() const { return topology_->links() + nodes() * node_links_; }
  /// Of each node.
  std::uint32_t adapters() const { return adapters_; }
  /// The memory of a node as a process sees it that is the `place`th of its node: each is bound to
  /// one of the adapters, in turn.
  Endpoint memory_of(NodeId node, std::uint32_t place) const {
    if (adapters_ == 1) return {node, Port::memory};
    return {node, Port::memory, static_cast<std::uint8_t>(place % adapters_)};
  }
  /// The number of an endpoint's adapter among those of the machine.
  std::size_t adapter_index(const Endpoint& end) const {
    return index(end.node) * adapters_ + adapter_of(end);
  }

  const Link& link(LinkId link) const {
    const std::size_t id = index(link);
    return id < link_class_.size() ? link_classes_[link_class_[id]] : untabled_link(link);
  }
  /// The link whose capacity `link` uses: itself, or the forward one of a half-duplex cable.
  LinkId capacity(LinkId link) const {
    return this->link(link).duplex == Duplex::half ? LinkId{static_cast<std::uint32_t>(link) & ~1U}
                                                   : link;
  }
  const NodeParams& node(NodeId node) const {
    return node_classes_[node_class_[index(node)]].params;
  }
  const NicParams& nic(NodeId node) const { return nic_classes_[nic_class_[index(node)]]; }
  const SwitchParams& switches() const { return switches_; }
  const LinkParams& cable_params(std::uint32_t cable) const {
    return cable_classes_[cable_class_[cable]];
  }

  /// What a reader of the platform's description wants known before its results are trusted.
  const std::vector<std::string>& warnings() const { return warnings_; }
  void add_warning(std::string warning) { warnings_.push_back(std::move(warning)); }

  /// What changes while a simulation runs; everything else of links is what they are at first.
  const LinkProfiles& profiles() const { return profiles_; }
  /// Cables of the fabric that fail or are slow while a simulation runs, and what follows from it.
  const Outages& outages() const { return *outages_; }
  /// What becomes of a link of the fabric then; null if it stays as it is.
  const CableHistory* history(LinkId link) const {
    return index(link) < topology_->links() ? outages_->of(static_cast<std::uint32_t>(link) / 2)
                                            : nullptr;
  }
  const FailuresConfig& failures() const { return failures_; }

  // Building: overrides for single cables and nodes.
  void set_cable(std::uint32_t cable, const LinkParams& params);
  void set_node(NodeId node, const NodeParams& params);
  void set_nic(NodeId node, const NicParams& params);
  void set_profiles(LinkProfiles profiles) { profiles_ = std::move(profiles); }
  void set_outages(std::unique_ptr<const Outages> outages, const FailuresConfig& failures) {
    outages_ = std::move(outages);
    failures_ = failures;
  }

  /// Starts on the way from `source` to `destination`; `salt` is a number of the message's own.
  Walk walk(Endpoint source, Endpoint destination, std::uint32_t salt) const {
    const auto from = static_cast<VertexId>(source.node);
    return {{from, from, static_cast<VertexId>(destination.node), 0, salt, kNoVertex,
             adapter_of(source), adapter_of(destination)},
            source,
            destination};
  }
  /// The next link to cross, as capacity() gives it, or kNoLink at the end. Between memory and
  /// adapter of one node that is the bus; between equal ports of one node, the loopback.
  LinkId next(Walk& walk, const LoadView& loads) const;
  /// Whether next() answers the same whenever it is asked, so that it may be asked ahead of time.
  bool is_settled(const Walk& walk) const {
    return walk.hop.at == walk.hop.to || routing_->is_settled(walk.hop);
  }
  /// What next() and latency() say on all of the way, where the routing's choice is fixed. The
  /// memory of `fabric` is used meanwhile.
  void fixed_route(Endpoint source, Endpoint destination, std::vector<RouteStep>& route,
                   LinkSet& fabric) const;
  /// Whether next() has given the last link.
  bool at_end(const Walk& walk) const;
  /// The direction in which the walk takes the link that next() has just given.
  static LinkId direction(const Walk& walk, LinkId passed) {
    const auto number = static_cast<std::uint32_t>(passed);
    return LinkId{walk.backward ? number | 1U : number};
  }
  /// The latency of the link that next() has just given; with the first of the fabric's comes the
  /// distance of its ends.
  Time latency(const Walk& walk, LinkId passed) const {
    if (walk.streamed) return Time::zero();
    const Time own = link(direction(walk, passed)).latency;
    return has_distances_ ? own + distance(walk, passed) : own;
  }

  /// The ends of a link of the fabric; no vertices for a node's own cables.
  LinkEnds ends(LinkId link) const {
    return index(link) < topology_->links() ? topology_->ends(link)
                                            : LinkEnds{kNoVertex, kNoVertex};
  }
  /// Whether it is the cable of a node's messages to itself.
  bool is_loopback(LinkId link) const;
  /// "n0->s4" ("n0<->s4" if half duplex), "n3 pcie", ...: a name for people.
  std::string link_name(LinkId link) const;

 private:
  /// Behind `inner` there is one for each further adapter.
  enum class NodeCable : std::uint32_t { pcie, limiter, loopback, inner };
  static constexpr std::uint32_t kNodeCables = 4;
  struct NodeClass {
    NodeParams params;
    std::array<Link, kNodeCables> cables;  ///< By NodeCable; follow from the parameters.
    std::array<bool, kNodeCables> has;     ///< Those that hold a message up.
    auto operator<=>(const NodeClass& other) const { return params <=> other.params; }
  };
  /// The different values among many, each with a small number.
  template <class T>
  class Classes {
   public:
    /// The number of `value`, a new one if it has none.
    std::uint32_t number_of(const T& value);
    const T& operator[](std::uint32_t number) const { return values_[number]; }

   private:
    std::map<T, std::uint32_t> numbers_;
    std::vector<T> values_;  ///< By number.
  };

  static std::uint8_t adapter_of(const Endpoint& end) {
    return end.adapter == Endpoint::kAnyAdapter ? 0 : end.adapter;
  }
  static NodeCable kind_of(std::uint32_t node_link) {
    return static_cast<NodeCable>(std::min(node_link / 2, kNodeCables - 1));
  }
  LinkId node_link(NodeId node, NodeCable cable, bool inward) const;
  LinkId inner_link(const Endpoint& end, bool inward) const;
  /// Whether the message goes from one device of a node to another.
  bool changes_device(const Walk& walk) const;
  /// The message takes `link`: what next() answers.
  LinkId taken(Walk& walk, LinkId link) const {
    walk.backward = index(link) % 2 != 0;
    return capacity(link);
  }
  /// A link of a node's own cables, or of a fabric too large for tables.
  const Link& untabled_link(LinkId link) const;
  bool has_node_cable(NodeId node, NodeCable cable) const;
  bool uses_bus(const Endpoint& end) const;
  template <class Cross>
  LinkId next_by(Walk& walk, Cross cross) const;
  LinkId cross(Walk& walk, const LoadView& loads) const;
  /// The links of the fabric from `hop.from` on.
  void find_fabric_route(Hop hop, LinkSet& fabric) const;
  Time distance(const Walk& walk, LinkId passed) const;
  static bool streams(const Walk& walk);
  /// The one link between two ports of a node.
  LinkId next_within(Walk& walk) const;
  /// The number of the class of cables with these parameters; its links have theirs then, too.
  std::uint32_t cable_class(const LinkParams& params);
  std::uint32_t node_class(const NodeParams& params);
  std::uint32_t link_class(std::uint32_t cable, VertexId from) const {
    const bool from_switch = from != kNoVertex && topology_->is_switch(from);
    return links_of_class_[cable_class_[cable]][from_switch ? 1 : 0];
  }
  void tabulate(std::uint32_t cable);

  std::string name_;
  std::unique_ptr<const Topology> topology_;
  bool has_distances_;  ///< Of the topology.
  std::unique_ptr<const Routing> routing_;
  SwitchParams switches_;
  std::uint32_t adapters_;
  std::uint32_t node_links_;  ///< Of each node, in both directions of its cables.
  Classes<LinkParams> cable_classes_;
  Classes<Link> link_classes_;
  /// By class of cables: the classes of their links out of nodes and out of switches.
  std::vector<std::array<std::uint32_t, 2>> links_of_class_;
  std::vector<std::uint32_t> cable_class_;  ///< By cable; built from the three above.
  // Tables save time where messages go, but cost time and memory first: a large fabric has none.
  std::vector<std::uint32_t> link_class_;  ///< By link of the fabric, or empty.
  std::vector<VertexId> link_end_;  ///< Where it leads (kNoVertex if that depends), or empty.
  Classes<NodeClass> node_classes_;
  std::vector<std::uint32_t> node_class_;  ///< By node.
  Classes<NicParams> nic_classes_;
  std::vector<std::uint32_t> nic_class_;  ///< By node.
  LinkProfiles profiles_;
  std::unique_ptr<const Outages> outages_ = std::make_unique<Outages>();  ///< By cable.
  FailuresConfig failures_;
  std::vector<std::string> warnings_;
};

/// Loads for models without queues: nothing is ever loaded.
class NoLoads final : public LoadView {
 public:
  std::int64_t load(LinkId) const override { return 0; }
};

}  // namespace heddle::platform
