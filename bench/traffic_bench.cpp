// Traffic that two threads share, beside one thread. Means something on an idle machine of two
// cores only.
#include <chrono>

#include "cases.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::bench {
namespace {

struct Traffic {
  const char* network;
  std::vector<std::string> settings;
};

/// Time on the clock per event, on a fat tree of 4,096 nodes.
Sample on_the_clock(const Traffic& traffic, std::size_t threads) {
  Settings settings(network::fabric_sections({&traffic::traffic_table()}));
  const auto description = platform::read_machine("fat-tree-64", settings);
  settings.assign("fat-tree.arity=16", {"bench"});
  for (const std::string& setting : traffic.settings) settings.assign(setting, {"bench"});
  const auto platform = platform::build_platform(description, settings);
  traffic::TrafficWatch watch;
  watch.threads = threads;
  const auto results = traffic::run_traffic(settings.get(traffic::traffic_table()), *platform,
                                            traffic.network, settings, watch);
  return {results.front().wall_seconds, static_cast<double>(results.front().events)};
}

void add_threads(Suite& suite, const std::string& name, Traffic traffic, double target) {
  Case speed_up{"traffic",
                name + ", 4,096 nodes, two threads beside one, on the clock",
                {1e9, "ns/event"},
                [traffic] { return on_the_clock(traffic, 2); },
                [traffic] { return on_the_clock(traffic, 1); }};
  speed_up.target_ratio = target;
  suite.cases.push_back(std::move(speed_up));
}

}  // namespace

void add_traffic_cases(Suite& suite) {
  const std::vector<std::string> open = {"traffic.load=0.5", "traffic.duration=60us",
                                         "traffic.warm_up=20us"};
  const std::vector<std::string> closed = {"traffic.loop=closed", "traffic.messages=100",
                                           "traffic.window=4", "traffic.size=4KiB"};
  const std::vector<std::string> packets = {"traffic.load=0.5", "traffic.duration=10us",
                                            "traffic.warm_up=5us"};
  add_threads(suite, "open loop over queues", {"queue", open}, 1.5);
  add_threads(suite, "closed loop over queues", {"queue", closed}, 1.5);
  add_threads(suite, "open loop over packets", {"packet", packets}, 1.5);
}

}  // namespace heddle::bench
