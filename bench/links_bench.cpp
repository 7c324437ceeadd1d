// Flows over `links`, beside the same flows over `packet`.
#include "cases.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::bench {
namespace {

/// 1,024 nodes of a fat tree of three levels and full bandwidth, of switches with 16 ports.
std::unique_ptr<platform::Platform> tree_of_1024() {
  auto topology =
      std::make_unique<platform::FatTree>(platform::FatTreeShape{{8, 8, 16}, {1, 8, 8}, {1, 1, 1}});
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>(
      "tree", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(),
      platform::nic_table().defaults());
}

constexpr Time kDuration = Time::ms(2);

/// Web search at half of what nodes can inject, for so long; a unit is a flow.
Sample web_search(const char* network, Time duration) {
  traffic::TrafficConfig config = traffic::traffic_table().defaults();
  config.size = traffic::SizeDistribution::parse("web-search").value();
  config.load.list = {traffic::Load::fraction(0.5)};
  config.duration = duration;
  config.warm_up = Time::zero();
  Settings settings(network::network_sections());
  settings.assign("packet.buffer=1G", SourceLocation{});
  const auto tree = tree_of_1024();
  std::uint64_t flows = 0;
  Sample sample = timed(1, [&] {
    flows = traffic::run_traffic(config, *tree, network, settings, {0}).front().messages;
  });
  sample.units = static_cast<double>(flows);
  return sample;
}

}  // namespace

void add_links_cases(Suite& suite) {
  suite.cases.push_back({.group = "links",
                         .name = "web search on 1,024 nodes, beside packet",
                         .scale = {1e6, "us/flow"},
                         .ours = [] { return web_search("links", kDuration); },
                         .peer = [] { return web_search("packet", kDuration); },
                         .target_ratio = 100,
                         .max_repetitions = 3,
                         .peer_repetitions = 1,
                         .models = "links / packet, Heddle's own"});
}

}  // namespace heddle::bench
