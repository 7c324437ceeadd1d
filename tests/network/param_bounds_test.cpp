// Every parameter of a machine and of the models, at the ends of its range, in a small run.
#include <gtest/gtest.h>

#include <algorithm>

#include "network/sections.hpp"
#include "network/support.hpp"
#include "platform/machine.hpp"

namespace heddle::network {
namespace {

/// Counts what it is told.
struct Counter final : TransferClient {
  void transfer_reached(Instant, std::uint64_t) override { ++reached; }
  std::size_t reached = 0;
};

/// What the parameters are tried beside: a machine and its models as they come; one whose packets
/// wait for everything there is to wait for, at sinks that pause; cables of 1 b/s and of the most.
const std::vector<std::vector<std::string>>& surroundings() {
  static const std::vector<std::vector<std::string>> all = {
      {},
      {"packet.congestion=ib", "packet.mark_threshold=0", "packet.marking_rate=1",
       "packet.credit_period=256ns", "packet.sink=0.3ns/B", "packet.sink_pause=10us",
       "packet.sink_between=20us", "packet.lanes=2", "packet.high_table=1:4",
       "packet.low_table=0:1", "fluid.weighting=simgrid", "fluid.weight_s=20KB",
       "fluid.tcp_gamma=4MiB", "fluid.cross_traffic=0.05", "fluid.occupancy=after-latency",
       "node.pcie_bandwidth=100Gbps", "node.loopback_bandwidth=100Gbps"},
      {"link.bandwidth=1bps", "packet.congestion=ib", "packet.mark_threshold=0"},
      {"link.bandwidth=1000000Tbps", "link.latency=0ns", "switch.latency=0ns"},
  };
  return all;
}

/// Three small messages from every node, one to itself, two to the first node.
std::size_t send_some(Network& network, std::uint32_t nodes, Counter& counter) {
  std::size_t sent = 0;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (const std::int64_t size : {0, 1, 5'000}) {
      Transfer transfer;
      transfer.source = {NodeId{from}, platform::Port::memory};
      transfer.destination = {NodeId{size == 0 ? from : 0}, platform::Port::memory};
      transfer.size = Bytes(size);
      transfer.wants = kAllInstants;
      transfer.client = &counter;
      network.start(transfer);
      ++sent;
    }
  }
  return sent;
}

/// Everything arrives, or an InputError or RunError says why not.
void run(const std::string& model, const platform::Platform& platform, const Settings& settings) {
  constexpr std::uint64_t kMostEvents = 1'000'000;
  Simulation simulation;
  Counter counter;
  try {
    const auto network = make_network(model, simulation, platform, settings);
    const std::size_t sent = send_some(*network, std::min(platform.nodes(), 4U), counter);
    while (simulation.events_fired() < kMostEvents && simulation.step()) {
    }
    EXPECT_EQ(counter.reached, 3 * sent);
  } catch (const InputError& error) {
    EXPECT_STRNE(error.what(), "");
  } catch (const RunError& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

/// The machine that the settings describe; null if it is not a small one, or there is none.
std::unique_ptr<platform::Platform> small_platform(const Settings& settings) {
  constexpr std::uint64_t kMostVertices = 300;
  try {
    return platform::build_platform({}, settings, kMostVertices);
  } catch (const InputError& error) {
    EXPECT_STRNE(error.what(), "");
    return nullptr;
  }
}

void try_value(const std::string& section, const std::string& assignment) {
  const std::vector<std::string> kinds = platform::topology_kind_names();
  const bool is_kind = std::find(kinds.begin(), kinds.end(), section) != kinds.end();
  for (std::size_t i = 0; i < surroundings().size(); ++i) {
    Settings settings(fabric_sections());
    settings.assign("single-switch.nodes=4", {});
    for (const std::string& more : surroundings()[i]) settings.assign(more, {});
    if (is_kind) settings.assign("topology.kind", section, {});
    settings.assign(assignment, {});
    const auto platform = small_platform(settings);
    if (platform == nullptr) continue;
    for (const NetworkModel& model : network_models()) {
      SCOPED_TRACE(assignment + " over " + std::string(model.name) + ", surroundings " +
                   std::to_string(i));
      run(std::string(model.name), *platform, settings);
    }
  }
}

class ParamBounds : public testing::TestWithParam<const ParamSection*> {};

// A parameter at its least, its most, or one of its choices makes a run in which all messages
// arrive, or one that ends with an error: never one that loses messages or does not end.
TEST_P(ParamBounds, GiveResultsOrErrors) {
  const std::string section = GetParam()->section();
  for (const ParamInfo& param : GetParam()->params()) {
    std::vector<std::string> values = param.choices;
    for (const std::string& bound : {param.min_text, param.max_text}) {
      if (!bound.empty()) values.push_back(bound);
    }
    for (const std::string& value : values) {
      try_value(section, section + "." + param.name + "=" + value);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ParamBounds, testing::ValuesIn(fabric_sections()),
                         [](const auto& test) {
                           std::string name = test.param->section();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Lists have no range: of lanes that cannot be, those that would overflow when counted included.
TEST(ParamBounds, RefuseLanesThatCannotBe) {
  const platform::Platform platform = star(2);
  for (const char* lanes : {"9223372036854775807", "64", "0,0,1000"}) {
    EXPECT_THROW(Bed("packet", platform, {std::string("packet.class_lanes=") + lanes}), InputError);
  }
}

// The fastest step of congestion control lies below the slowest.
TEST(ParamBounds, RefuseAFastestStepBeyondTheSlowest) {
  const platform::Platform platform = star(2);
  EXPECT_THROW(Bed("packet", platform, {"packet.cct_min=128"}), InputError);
  Bed bed("packet", platform, {"packet.cct_min=127"});
}

}  // namespace
}  // namespace heddle::network
