#include "network/adapter_network.hpp"

#include <gtest/gtest.h>

#include "platform/machine.hpp"
#include "support.hpp"

namespace heddle::network {
namespace {

/// Four nodes of two adapters, a switch for each: links of 100 Gb/s without latency.
std::unique_ptr<platform::Platform> rails(const std::vector<std::string>& sets = {}) {
  Settings settings(platform::machine_sections());
  const auto machine = platform::read_machine_text(
      "topology: {kind: single-switch, nodes: 4}\nlink: {latency: 0ns}\nswitch: {latency: 0ns}\n"
      "node: {adapters: 2}\n",
      "m.yaml", settings);
  for (const std::string& set : sets) settings.assign(set, {"--set"});
  return platform::build_platform(machine, settings);
}

/// The time of two messages of 1 MB that node 0 sends to node 1 at once, in microseconds.
double two_messages(const std::string& model, const std::vector<std::string>& sets) {
  const auto platform = rails(sets);
  Bed bed(model, *platform);
  bed.send(0, 0, 1, 1'000'000);
  bed.send(1, 0, 1, 1'000'000);
  bed.simulation.run();
  return bed.simulation.now().seconds() * 1e6;
}

// 1 MB takes 80 us on a link of 100 Gb/s. `queue` passes a message on from link to link as it
// comes, so two of them take 80 us side by side on two adapters, and 160 us one after the other
// where both nodes' pair is bound to one adapter.
TEST(AdapterNetwork, InTurnUsesAllAdapters) {
  EXPECT_NEAR(two_messages("queue", {"node.adapter_choice=round-robin"}), 80, 0.1);
  EXPECT_NEAR(two_messages("queue", {"node.adapter_choice=hash"}), 160, 0.1);
  EXPECT_NEAR(two_messages("fluid", {"node.adapter_choice=round-robin"}), 80, 0.1);
  EXPECT_NEAR(two_messages("fluid", {"node.adapter_choice=hash"}), 160, 0.1);
}

// One message of 1 MB on two adapters: half of it on each, 40 us. Below the size from which
// messages are divided it takes one, 80 us.
TEST(AdapterNetwork, DividesLongMessages) {
  for (const std::string model : {"queue", "fluid"}) {
    for (const auto& [from, expected] : {std::pair{"1MB", 40.0}, std::pair{"1000001B", 80.0}}) {
      const auto platform =
          rails({"node.adapter_choice=stripe", std::string("node.stripe_from=") + from});
      Bed bed(model, *platform);
      bed.send(0, 0, 1, 1'000'000, kAllInstants);
      bed.simulation.run();
      EXPECT_NEAR(bed.recorder.at(0).seconds() * 1e6, expected, 0.1) << model;
      EXPECT_EQ(bed.recorder.count(), 3U) << "each instant is told once";
      EXPECT_LE(bed.recorder.at(0, Instant::head), bed.recorder.at(0, Instant::tail));
      EXPECT_EQ(bed.network->delivered(), Bytes(1'000'000));
    }
  }
}

// Packets: each adapter has its own queue of messages, so two striped messages share both adapters.
TEST(AdapterNetwork, PacketsLeaveByAllAdaptersAtOnce) {
  const double striped = two_messages("packet", {"node.adapter_choice=stripe"});
  const double bound = two_messages("packet", {"node.adapter_choice=hash"});
  EXPECT_NEAR(bound / striped, 2.0, 0.05);
}

// Two ranks of a node bound to its two adapters: their messages do not meet. In planes a message
// comes in by the adapter of the plane that it left into, whichever its receiver is bound to.
TEST(AdapterNetwork, TakesTheAdaptersOfRanks) {
  const auto platform = rails();
  Bed bed("queue", *platform);
  for (const std::uint8_t adapter : {0, 1}) {
    Transfer transfer = bed.transfer(adapter, 0, 1, 1'000'000);
    transfer.source.adapter = adapter;
    transfer.destination.adapter = 0;
    bed.network->start(transfer);
  }
  bed.simulation.run();
  EXPECT_NEAR(bed.simulation.now().seconds() * 1e6, 80, 0.1);
  const LinkBytes carried = bed.network->carried();
  for (std::uint32_t id = 0; id < platform->topology().links(); ++id) {
    const std::string name = platform->links().name(LinkId{id});
    const bool used = name.starts_with("n0->") || name.ends_with("->n1");
    EXPECT_EQ(carried[id], used ? 1'000'000 : 0) << name;
  }
}

// Between two devices of a node: over both of their cables to the switch inside it. 1 MB at 1 Tb/s
// takes 8 us, and each cable has a latency of 1 us.
TEST(AdapterNetwork, MessagesWithinANodeTakeItsOwnSwitch) {
  const auto platform = rails({"node.inner_bandwidth=1Tbps", "node.inner_latency=1us"});
  for (const std::string model : {"queue", "fluid"}) {
    Bed bed(model, *platform);
    Transfer transfer = bed.transfer(0, 2, 2, 1'000'000);
    transfer.source = {NodeId{2}, platform::Port::memory, 0};
    transfer.destination = {NodeId{2}, platform::Port::memory, 1};
    bed.network->start(transfer);
    bed.simulation.run();
    EXPECT_NEAR(bed.recorder.at(0).seconds() * 1e6, 10, 0.1) << model;
  }
}

}  // namespace
}  // namespace heddle::network
