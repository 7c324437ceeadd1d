// What tests of traffic share: a machine with one switch, loads on it, and what comes of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology/torus.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::traffic {

/// Overheads and gap of adapters that have nothing else.
inline platform::NicParams adapter(Time send_overhead, Time receive_overhead, Time gap) {
  platform::NicParams nic = platform::nic_table().defaults();
  nic.send_overhead = send_overhead;
  nic.receive_overhead = receive_overhead;
  nic.gap = gap;
  return nic;
}

/// Nodes on one switch, cables of 100 Gb/s and 100 ns, a switch of 100 ns: an idle message of 1250
/// bytes takes 100 ns on a cable and arrives 100 + 200 + 100 = 400 ns after its start.
inline std::unique_ptr<platform::Platform> star(std::uint32_t nodes,
                                                const platform::NicParams& nic = {}) {
  auto topology = std::make_unique<platform::SingleSwitch>(nodes);
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>(
      "star", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), nic);
}

inline platform::Platform torus_8x8() {
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{8, 8}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  return {"torus",
          std::move(topology),
          std::move(routing),
          platform::link_table().defaults(),
          platform::switch_table().defaults(),
          platform::node_table().defaults(),
          {}};
}

inline TrafficConfig config_of_run(const std::string& pattern) {
  TrafficConfig c = traffic_table().defaults();
  c.pattern = pattern;
  c.size = SizeDistribution::parse("1250B").value();
  return c;
}

inline TrafficConfig closed(const std::string& pattern, std::int64_t messages,
                            std::int64_t window) {
  TrafficConfig c = config_of_run(pattern);
  c.loop = Loop::closed;
  c.messages = messages;
  c.window = window;
  return c;
}

inline TrafficConfig open(const std::string& pattern, const std::string& loads) {
  TrafficConfig c = config_of_run(pattern);
  c.load = Loads::parse(loads).value();
  return c;
}

inline std::vector<TrafficResult> run_all(const TrafficConfig& c,
                                          const platform::Platform& platform,
                                          const TrafficWatch& watch = {},
                                          std::string_view network = "queue") {
  const Settings settings(network::network_sections());
  return run_traffic(c, platform, network, settings, watch);
}

inline TrafficResult run(const TrafficConfig& c, const platform::Platform& platform,
                         const TrafficWatch& watch = {}) {
  return run_all(c, platform, watch).front();
}

/// The part of what nodes can inject that they offered.
inline double offered_of(const TrafficResult& result) {
  return result.fraction(result.offered_per_second());
}

class Collected final : public MessageSink {
 public:
  void message_finished(const MessageRecord& record) override { records.push_back(record); }
  std::vector<MessageRecord> records;
};

}  // namespace heddle::traffic
