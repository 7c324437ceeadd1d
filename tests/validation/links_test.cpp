// The depth `links` against `packet` with ample buffers, on the same flows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"
#include "temporary_file.hpp"
#include "traffic/traffic_run.hpp"
#include "validation.hpp"

namespace heddle::traffic {
namespace {

/// A fat tree of three levels and full bandwidth, of switches with eight ports: 128 nodes.
platform::Platform tree_of_128() {
  auto topology =
      std::make_unique<platform::FatTree>(platform::FatTreeShape{{4, 4, 8}, {1, 4, 4}, {1, 1, 1}});
  auto routing = platform::make_routing("minimal", *topology);
  return {"fat-tree-128",
          std::move(topology),
          std::move(routing),
          platform::link_table().defaults(),
          platform::switch_table().defaults(),
          platform::node_table().defaults(),
          platform::nic_table().defaults()};
}

struct FlowCase {
  const char* sizes;
  double load;
  Time duration;
};

/// Writes flows down as a traffic file has them.
class FlowList final : public MessageSink {
 public:
  void message_finished(const MessageRecord& flow) override {
    text += fmt::format("{}ps {} {} {}\n", flow.created.ps(), index(flow.source),
                        index(flow.destination), flow.size.count());
  }
  std::string text = {};
};

/// Flows of one and a half durations.
std::string flow_list(const FlowCase& flows, const platform::Platform& tree) {
  TrafficConfig config = traffic_table().defaults();
  config.size = SizeDistribution::parse(flows.sizes).value();
  config.load.list = {Load::fraction(flows.load)};
  config.duration = flows.duration;
  config.warm_up = Time::zero();
  FlowList list;
  run_traffic(config, tree, "links", Settings(network::network_sections()), {0, &list});
  return list.text;
}

/// Of the flows in a file, to the last of them.
FlowGroup all_flows(const std::string& file, const platform::Platform& tree, const char* network,
                    const char* setting = "packet.buffer=1G") {
  TrafficConfig config = traffic_table().defaults();
  config.pattern = "file";
  config.file = file;
  config.slowdown = Slowdown::yes;
  Settings settings(network::network_sections());
  settings.assign(setting, SourceLocation{});
  return run_traffic(config, tree, network, settings, {0}).front().flows.front();
}

/// Prints a figure of both; by what part the one of links differs.
double compare(const FlowCase& flows, const std::string& what, double links, double packet) {
  const double error = 100 * (links / packet - 1);
  validation_row("Links alone against packets, fat tree of 128 nodes",
                 fmt::format("{} of slowdown, {}, load {}", what, flows.sizes, flows.load),
                 fmt::format("{:.4g}", links), fmt::format("{:.4g}", packet),
                 fmt::format("{:+.2f} %", error), "10 %");
  return error;
}

void check(const FlowCase& flows) {
  const platform::Platform tree = tree_of_128();
  const TemporaryFile file(flow_list(flows, tree));
  const FlowGroup links = all_flows(file.path, tree, "links");
  const FlowGroup packet = all_flows(file.path, tree, "packet");
  ASSERT_EQ(links.flows, packet.flows);
  EXPECT_LT(std::abs(compare(flows, "99th percentile", links.slowdown_p99, packet.slowdown_p99)),
            10);
  EXPECT_LT(std::abs(compare(flows, "mean", links.slowdown_mean, packet.slowdown_mean)), 10);
}

/// Links that differ by up to a quarter, in the bytes of flows by size and by time, taken for one.
void check_alike(const FlowCase& flows) {
  const platform::Platform tree = tree_of_128();
  const TemporaryFile file(flow_list(flows, tree));
  const FlowGroup alike = all_flows(file.path, tree, "links", "links.alike=0.25");
  const FlowGroup packet = all_flows(file.path, tree, "packet");
  EXPECT_LT(std::abs(compare(flows, "99th percentile, links.alike=0.25,", alike.slowdown_p99,
                             packet.slowdown_p99)),
            10);
}

TEST(LinksValidation, SlowdownOfWebSearchAndHadoop) {
  // One case always, the others where there is time.
  check({"hadoop", 0.5, Time::us(200)});
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) return;
  for (const double load : {0.3, 0.5, 0.7}) {
    check({"hadoop", load, Time::ms(2)});
    check({"web-search", load, Time::ms(10)});
  }
  check_alike({"hadoop", 0.5, Time::ms(2)});
  validation_note(
      "Links alone against packets, fat tree of 128 nodes",
      "All buffers of `packet` hold everything (`packet.buffer=1G`), as `links` has it. "
      "Both get the same flows and carry them to the last.");
}

}  // namespace
}  // namespace heddle::traffic
