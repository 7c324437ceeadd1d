#include "platform/machine_files/edge_list_writer.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/machine_files/edge_list.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology/graph.hpp"

namespace heddle::platform {
namespace {

constexpr const char* kRefused = "the machine cannot be written as an edge list: ";

void check_listable(const Platform& platform) {
  const Topology& topology = platform.topology();
  const bool routed =
      dynamic_cast<const Graph*>(&topology) == nullptr && !route_class(topology, VertexId{0});
  bool loose = routed || topology.has_distances();
  for (std::uint32_t link = 0; link < topology.links() && !loose; link += 2) {
    const LinkEnds ends = topology.ends(LinkId{link});
    loose = ends.from == kNoVertex || ends.to == kNoVertex;
  }
  if (loose) {
    throw InputError({}, std::string(kRefused) +
                             "its links belong to routes and join no two vertices; accepted are "
                             "machines whose cables have two ends");
  }
  if (!platform.profiles().links.empty()) {
    throw InputError({}, std::string(kRefused) +
                             "some of its links change with time; accepted are machines whose "
                             "links stay as they are");
  }
}

/// What most of `count` things have; of equally frequent values the least.
template <class Get>
auto most_frequent(std::uint32_t count, Get get) {
  std::map<std::decay_t<decltype(get(0))>, std::uint32_t> frequency;
  for (std::uint32_t i = 0; i < count; ++i) ++frequency[get(i)];
  return std::ranges::max_element(frequency, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

/// "name=value" of all parameters of `config` whose values differ from those of `usual`.
template <class Config>
std::string differences(const ParamTable<Config>& table, const Config& config,
                        const Config& usual) {
  std::string text;
  for (std::size_t i = 0; i < table.params().size(); ++i) {
    const std::string value = table.get(config, i);
    if (value != table.get(usual, i)) text += " " + table.params()[i].name + "=" + value;
  }
  return text;
}

class EdgeListWriter {
 public:
  explicit EdgeListWriter(const Platform& platform)
      : platform_(platform), topology_(platform.topology()) {}

  std::string text(const std::string& routing) {
    find_usual();
    text_ = "# " + platform_.name() + ": " + topology_.describe() + "\n";
    set_links();
    set_others(routing);
    declare("node", 0, topology_.nodes());
    declare("switch", topology_.nodes(), topology_.vertices());
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) own_values(NodeId{n});
    cables();
    if (const auto* graph = dynamic_cast<const Graph*>(&topology_)) routes(*graph);
    return std::move(text_);
  }

 private:
  void find_usual() {
    const std::uint32_t nodes = topology_.nodes();
    link_ = topology_.cables() == 0 ? link_table().defaults()
                                    : most_frequent(topology_.cables(), [this](std::uint32_t c) {
                                        return platform_.cable(c);
                                      });
    node_ = most_frequent(nodes, [this](std::uint32_t n) { return platform_.node(NodeId{n}); });
    nic_ = most_frequent(nodes, [this](std::uint32_t n) { return platform_.nic(NodeId{n}); });
  }

  /// All of them: a list begins so whatever it goes on with.
  void set_links() {
    for (std::size_t i = 0; i < link_table().params().size(); ++i) {
      text_ +=
          "set link." + link_table().params()[i].name + "=" + link_table().get(link_, i) + "\n";
    }
  }
  void set_others(const std::string& routing) {
    set(switch_table(), platform_.switches());
    set(node_table(), node_);
    set(nic_table(), nic_);
    if (routing != topology_table().defaults().routing) {
      text_ += "set topology.routing=" + routing + "\n";
    }
    const auto* const graph = dynamic_cast<const Graph*>(&topology_);
    if (graph != nullptr && graph->equal_paths() == EqualPaths::spread) {
      text_ += "set graph.equal_paths=spread\n";
    }
  }
  /// What differs from the defaults.
  template <class Config>
  void set(const ParamTable<Config>& table, const Config& config) {
    const Config usual = table.defaults();
    for (std::size_t i = 0; i < table.params().size(); ++i) {
      const std::string value = table.get(config, i);
      if (value == table.get(usual, i)) continue;
      text_ += "set " + table.section() + "." + table.params()[i].name + "=" + value + "\n";
    }
  }

  void declare(const char* what, std::uint32_t first, std::uint32_t end) {
    constexpr std::uint32_t kOnALine = 12;
    for (std::uint32_t v = first; v < end; ++v) {
      if ((v - first) % kOnALine == 0) text_ += std::string(v == first ? "" : "\n") + what;
      text_ += " " + name(VertexId{v});
    }
    if (first < end) text_ += "\n";
  }

  void own_values(NodeId node) {
    const std::string values = differences(node_table(), platform_.node(node), node_) +
                               differences(nic_table(), platform_.nic(node), nic_);
    if (!values.empty()) text_ += "nodes " + name(static_cast<VertexId>(node)) + values + "\n";
  }

  void cables() {
    std::string group;
    for (std::uint32_t cable = 0; cable < topology_.cables(); ++cable) {
      std::string own = topology_.cable_group(cable);
      if (own != group) text_ += "group " + own + "\n";
      group = std::move(own);
      const LinkEnds ends = topology_.ends(LinkId{2 * cable});
      text_ += name(ends.from) + " " + name(ends.to) + values(platform_.cable(cable)) + "\n";
    }
  }
  std::string values(const LinkParams& params) const {
    std::string text;
    if (params.bandwidth.is_unlimited()) {
      throw InputError({}, std::string(kRefused) +
                               "it has cables without a limit; accepted are cables with a "
                               "bandwidth");
    }
    if (params.bandwidth != link_.bandwidth) text += " " + exact_bandwidth(params.bandwidth);
    if (params.latency != link_.latency) text += " " + exact_time(params.latency);
    if (params.duplex != link_.duplex) text += params.duplex == Duplex::full ? " full" : " half";
    if (params.flow_cap != link_.flow_cap) text += " flow_cap=" + exact_bandwidth(params.flow_cap);
    return text;
  }

  void routes(const Graph& graph) {
    for (const GraphPlan::Route& route : graph.routes()) {
      text_ += "route " + name(route.from) + " " + name(route.to) + " :";
      for (std::size_t i = 0; i + 1 < route.links.size(); ++i) {
        text_ += " " + name(graph.ends(route.links[i]).to);
      }
      text_ += "\n";
    }
  }

  std::string name(VertexId v) const {
    std::string name = topology_.name(v);
    if (!name.empty() && name.find_first_of(" \t\r\n#") == std::string::npos &&
        !is_edge_list_word(name)) {
      return name;
    }
    throw InputError({}, kRefused + in_quotes(name) +
                             " would not be read as a name; accepted are names of one word without "
                             "#, other than those that begin lines");
  }

  const Platform& platform_;
  const Topology& topology_;
  LinkParams link_;  ///< What most cables are,
  NodeParams node_;  ///< most nodes
  NicParams nic_;    ///< and most adapters.
  std::string text_;
};

}  // namespace

std::string edge_list_text(const Platform& platform, const std::string& routing) {
  check_listable(platform);
  return EdgeListWriter(platform).text(routing);
}

}  // namespace heddle::platform
