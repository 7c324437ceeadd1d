#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "platform/machine.hpp"

namespace heddle::platform {
namespace {

std::unique_ptr<Platform> builtin(const std::string& name) {
  Settings settings(machine_sections());
  return build_platform(read_machine(name, settings), settings);
}

struct Size {
  std::uint32_t nodes;
  std::uint32_t switches;
  std::uint32_t cables;
  bool operator==(const Size&) const = default;
};

// Counted by hand: nodes, switches, and cables of each machine's published shape.
const std::map<std::string, Size> kSizes = {
    {"bxi-v2", {64, 16, 128}},                          // 8 leaves, 8 spines
    {"bxi-v2-1k", {1152, 72, 2304}},                    // 48 leaves, 24 spines
    {"dragonfly-1056", {1056, 264, 1056 + 924 + 528}},  // 33 x 28 local, 33 x 32 / 2 global
    {"dragonfly-72", {72, 36, 72 + 54 + 36}},           // 9 x 6 local, 9 x 8 / 2 global
    {"fat-tree-64", {64, 48, 192}},                     // three levels of 16 switches
    {"gpu-a100-256", {64, 32, 512}},                    // 16 leaves, 16 spines
    {"gpu-h100-256", {32, 40, 512}},                    // 8 leaves, 32 spines
    {"graphene", {144, 9, 144 + 4 + 4}},                // cabinets, their limiters, the core
    {"hyperx-256", {256, 64, 256 + 2 * 8 * 28}},        // 8 rows and 8 columns of 28 cables
    {"ib-h128-s24", {128, 24, 256}},
    {"ib-h242-s33", {242, 33, 484}},
    {"ib-h392-s42", {392, 42, 784}},
    {"ib-h512-s48", {512, 48, 1024}},
    {"ib-h8-s1", {8, 1, 8}},
    {"ib-h8-s2", {8, 2, 9}},
    {"ib-h8-s4", {8, 4, 14}},
    {"ib-h8-s6", {8, 6, 16}},
    {"ib-m9", {648, 54, 1296}},
    {"quito", {11, 1, 11}},
    {"torus-512", {512, 512, 512 + 3 * 512}},
    {"vix", {233, 22, 233 + 120}},
};

TEST(BuiltinMachines, AreThoseDocumented) {
  std::vector<std::string> documented;
  for (const auto& [name, size] : kSizes) documented.push_back(name);
  std::vector<std::string> listed;
  for (const BuiltinMachine& machine : builtin_machines()) {
    listed.emplace_back(machine.name);
    EXPECT_FALSE(machine.about.empty());
  }
  EXPECT_EQ(listed, documented);
}

struct Way {
  std::size_t links = 0;
  Time latency;
};

/// The way of an idle message between two endpoints; a way longer than any machine's diameter
/// fails.
Way way(const Platform& platform, std::uint32_t from, std::uint32_t to, Port port = Port::memory) {
  Walk walk = platform.routes().walk({NodeId{from}, port}, {NodeId{to}, port}, 0);
  Way result;
  for (LinkId link = platform.routes().next(walk, NoLoads()); link != kNoLink;
       link = platform.routes().next(walk, NoLoads())) {
    result.latency += platform.links()[link].latency;
    if (++result.links > 40) {
      ADD_FAILURE() << "no end of the way from " << from << " to " << to;
      break;
    }
  }
  return result;
}

class EveryBuiltin : public testing::TestWithParam<std::string> {};

TEST_P(EveryBuiltin, HasItsPublishedSize) {
  const auto platform = builtin(GetParam());
  EXPECT_EQ(platform->name(), GetParam());
  const Topology& t = platform->topology();
  EXPECT_EQ((Size{t.nodes(), t.switches(), t.cables()}), kSizes.at(GetParam()))
      << t.nodes() << " " << t.switches() << " " << t.cables();
}

// From every node (of large machines, every seventh) a message arrives at every other one.
TEST_P(EveryBuiltin, ConnectsAllPairs) {
  const auto platform = builtin(GetParam());
  const std::uint32_t step = platform->nodes() > 300 ? 7 : 1;
  for (std::uint32_t a = 0; a < platform->nodes(); a += step) {
    for (std::uint32_t b = 0; b < platform->nodes(); ++b) {
      if (a == b) continue;
      ASSERT_GE(way(*platform, a, b).links, 2U) << a << " " << b;
    }
  }
}

TEST_P(EveryBuiltin, PrintsAConfigurationThatIsAFixedPoint) {
  Settings settings(machine_sections());
  const std::string first = effective_config(read_machine(GetParam(), settings), settings);
  Settings again(machine_sections());
  const MachineDescription machine = read_machine_text(first, "printed.yaml", again);
  EXPECT_EQ(effective_config(machine, again), first);
  const auto platform = build_platform(machine, again);
  const Topology& t = platform->topology();
  EXPECT_EQ((Size{t.nodes(), t.switches(), t.cables()}), kSizes.at(GetParam()));
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& [name, size] : kSizes) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryBuiltin, testing::ValuesIn(builtin_names()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Between memories: two cables of 500 ns and two buses of 250 ns.
TEST(BuiltinMachines, QuitoTakesOneAndAHalfMicroseconds) {
  const auto quito = builtin("quito");
  EXPECT_EQ(way(*quito, 0, 10).latency, Time::ns(2 * 500 + 2 * 250));
  EXPECT_EQ(way(*quito, 0, 10, Port::nic).latency, Time::ns(1000));
  EXPECT_EQ(quito->cable(0).bandwidth, Bandwidth::bytes_per_second(11'100'000'000));
  EXPECT_EQ(quito->cable(0).duplex, Duplex::half);
}

// Four cables of 200 ns between leaves, two within one, and two buses of 300 ns.
TEST(BuiltinMachines, VixHasFourHopsBetweenLeavesAndWideTrunks) {
  const auto vix = builtin("vix");
  EXPECT_EQ(way(*vix, 0, 232).latency, Time::ns(4 * 200 + 2 * 300));
  EXPECT_EQ(way(*vix, 0, 23).latency, Time::ns(2 * 200 + 2 * 300));
  const LinkParams& trunk = vix->cable(233);
  EXPECT_EQ(trunk.bandwidth, Bandwidth::bytes_per_second(22'200'000'000));
  EXPECT_EQ(trunk.flow_cap, Bandwidth::bytes_per_second(11'100'000'000));
}

// k switches and k+1 wires: 5 (k+1) + 91 k ns, so 101, 197 and 293 for one, two and three switches.
TEST(BuiltinMachines, InfiniBandTakes91PerSwitchAnd5PerWire) {
  EXPECT_EQ(way(*builtin("ib-h8-s1"), 0, 7).latency, Time::ns(101));
  EXPECT_EQ(way(*builtin("ib-h8-s2"), 0, 3).latency, Time::ns(101));
  EXPECT_EQ(way(*builtin("ib-h8-s2"), 0, 4).latency, Time::ns(197));
  EXPECT_EQ(way(*builtin("ib-h8-s4"), 1, 7).latency, Time::ns(197));
  EXPECT_EQ(way(*builtin("ib-h8-s6"), 0, 1).latency, Time::ns(101));
  EXPECT_EQ(way(*builtin("ib-h8-s6"), 0, 7).latency, Time::ns(293));
  EXPECT_EQ(way(*builtin("ib-m9"), 0, 647).latency, Time::ns(293));
}

// The thesis counts 2, 2.57, 2.85 and 3.7 hops on average for random traffic among 8 hosts: sums of
// 14, 18, 20 and 26 over the seven others.
TEST(BuiltinMachines, InfiniBandHopsAreThoseOfTheThesis) {
  const std::map<std::string, std::size_t> sums = {
      {"ib-h8-s1", 14}, {"ib-h8-s2", 18}, {"ib-h8-s4", 20}, {"ib-h8-s6", 26}};
  for (const auto& [name, sum] : sums) {
    const auto platform = builtin(name);
    std::size_t links = 0;
    for (std::uint32_t to = 1; to < 8; ++to) links += way(*platform, 0, to).links;
    EXPECT_EQ(links, sum) << name;
  }
}

// Within a cabinet two links of 24 us and both nodes' limiters; between cabinets also two trunks of
// 1.5 us and the two cabinets' limiters of 13 Gb/s, which both directions share.
TEST(BuiltinMachines, GrapheneHasLimitersOnNodesAndCabinets) {
  const auto graphene = builtin("graphene");
  const Topology& t = graphene->topology();
  const auto node = [&](const char* name) { return static_cast<std::uint32_t>(*t.find(name)); };
  EXPECT_EQ(node("graphene-1"), 0U);
  EXPECT_EQ(node("graphene-144"), 143U);
  const Way near = way(*graphene, node("graphene-1"), node("graphene-39"));
  EXPECT_EQ(near.latency, Time::us(48));
  EXPECT_EQ(near.links, 4U);
  const Way far = way(*graphene, node("graphene-39"), node("graphene-40"));
  EXPECT_EQ(far.latency, Time::us(51));
  EXPECT_EQ(far.links, 8U);
  EXPECT_EQ(graphene->node(NodeId{0}).limiter_bandwidth, Bandwidth::bits_per_second(1'500'000'000));
  const LinkParams limiter{Bandwidth::gbps(13), {}, Time::zero(), Duplex::half};
  EXPECT_EQ(graphene->cable(39), limiter);
}

}  // namespace
}  // namespace heddle::platform
