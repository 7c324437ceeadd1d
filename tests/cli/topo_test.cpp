#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::size_t count(const std::string& svg, const std::string& xpath) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str()));
  return document.select_nodes(xpath.c_str()).size();
}

TEST(Platforms, ListsEveryMachineAndEachCanBeDescribed) {
  const json document = json::parse(heddle("platforms --json -").out);
  EXPECT_EQ(document["schema"], "heddle.platforms/1");
  ASSERT_FALSE(document["platforms"].empty());
  const std::string text = heddle("platforms").out;
  for (const json& platform : document["platforms"]) {
    const auto name = platform["name"].get<std::string>();
    EXPECT_THAT(text, HasSubstr(name));
    EXPECT_GT(platform["nodes"], 0) << name;
    EXPECT_TRUE(platform["link_bandwidth_bps"].is_number_integer()) << name;
    EXPECT_EQ(heddle("topo " + name).status, 0) << name;
  }
}

// An 8-ary 2-tree: 64 nodes, 8 leaves and 8 spines of radix 16, 64 + 64 cables. Half of the nodes
// reach the other half over 32 cables of 100 Gb/s. A message to another leaf crosses 4 links, to
// the same leaf 2: of a node's 63 partners 7 are near, so the mean is (7 * 2 + 56 * 4) / 63.
TEST(Topo, FiguresOfAFatTree) {
  const json document = json::parse(
      heddle("topo bxi-v2 --set fat-tree.arity=8 --set fat-tree.levels=2 --json -").out);
  EXPECT_EQ(document["schema"], "heddle.topo/1");
  EXPECT_EQ(document["nodes"], 64);
  EXPECT_EQ(document["switches"], 16);
  EXPECT_EQ(document["cables"], 128);
  EXPECT_EQ(document["radix"], 16);
  EXPECT_EQ(document["hops"]["most"], 4);
  EXPECT_EQ(document["hops"]["sum"], 64 * (7 * 2 + 56 * 4));
  EXPECT_EQ(document["hops"]["pairs"], 64 * 63);
  EXPECT_EQ(document["bisection"]["cables"], 32);
  EXPECT_EQ(document["bisection"]["bandwidth_bps"], 3'200'000'000'000);
}

// 11.1 GB/s through a bus of 250 ns, two cables of 500 ns with no switch latency and a bus again:
// 1.5 us, and 64 KiB at 88.8 Gb/s take 65536 * 8e12 / 88.8e9 = 5904144.1 ps. The machine's network
// is fluid with acknowledgements of 5 %, which share the half-duplex cables: 1.05 times as long.
TEST(Topo, RouteAddsUpExactly) {
  const json document = json::parse(
      heddle("topo --route n0 7 --size 64KiB quito --json - --set nic.send_overhead=1ns "
             "--set nic.receive_overhead=2ns")
          .out);
  const json& route = document["route"];
  EXPECT_EQ(route["source"], "n0");
  EXPECT_EQ(route["destination"], "n7");
  EXPECT_EQ(route["links"].size(), 4U);
  EXPECT_EQ(route["latency_ps"], 1'500'000);
  EXPECT_EQ(route["bandwidth_bps"], 88'800'000'000);
  EXPECT_EQ(route["size_bytes"], 65536);
  EXPECT_EQ(route["idle_time_ps"], 1'500'000 + 6'199'351 + 3'000);
  EXPECT_EQ(route["idle_parts"]["serialisation_ps"], 5'904'144);
  EXPECT_EQ(route["idle_parts"]["model_ps"], 6'199'351 - 5'904'144);
}

TEST(Topo, TextShowsRouteLinkByLink) {
  const Outcome outcome = heddle("topo quito --route 0 7 --size 64KiB");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("route from n0 to n7"));
  EXPECT_THAT(outcome.out, HasSubstr("n0 pcie"));
  // The cables of this machine are half duplex: one name for both directions.
  EXPECT_THAT(outcome.out, HasSubstr("n7<->s0"));
  EXPECT_THAT(outcome.out, HasSubstr("total of 4"));
}

/// When a message of `size` from node 0 to node 7, alone in a traffic file, finishes.
std::int64_t finish_in_traffic(const std::string& options, const std::string& size) {
  const TemporaryFolder folder;
  std::ofstream(folder / "one.txt") << "0us 0 7 " << size << "\n";
  const Outcome outcome =
      heddle("traffic " + options + " --file " + (folder / "one.txt") + " --json -");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out)["runs"][0]["makespan_ps"].get<std::int64_t>();
}

std::int64_t sum_of_parts(const json& parts) {
  std::int64_t sum = 0;
  for (const char* part :
       {"send_overhead", "latency", "serialisation", "receive_overhead", "model"}) {
    sum += parts[std::string(part) + "_ps"].get<std::int64_t>();
  }
  return sum;
}

// The time of an idle message is the one that the same message has in `heddle traffic`, whatever
// the network and its parameters, and its parts add up to it.
TEST(Topo, IdleTimeIsThatOfTheSameMessageInTraffic) {
  for (const std::string platform : {"quito", "dragonfly-72", "graphene"}) {
    for (const std::string network :
         {"loggops", "loggops --set loggops.o=300ns --set loggops.g=1us --set loggops.L=2us",
          "queue", "queue --set queue.forwarding=store-and-forward", "fluid",
          "fluid --set fluid.latency_factor=13 --set fluid.bandwidth_factor=0.97",
          "fluid --set fluid.tcp_gamma=4MiB --set fluid.cross_traffic=0.05", "packet",
          "packet --set packet.header=100B", "queue --set traffic.from=nic"}) {
      const std::string options = "--platform " + platform + " --network " + network +
                                  " --set nic.send_overhead=10ns --set nic.receive_overhead=7ns";
      const Outcome outcome = heddle("topo " + options + " --route 0 7 --size 100000B --json -");
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      const json route = json::parse(outcome.out)["route"];
      EXPECT_EQ(route["idle_time_ps"], finish_in_traffic(options, "100000B")) << options;
      EXPECT_EQ(sum_of_parts(route["idle_parts"]), route["idle_time_ps"]) << options;
      EXPECT_EQ(route["idle_parts"]["network"], network.substr(0, network.find(' ')));
    }
  }
}

// Where switches store whole messages, these take their time once more at each; a line of its own
// says so. Cut through, nothing is added, and no such line is there.
TEST(Topo, NamesWhatTheModelAddsToAnIdleMessage) {
  const std::string route = "topo bxi-v2 --route 0 63 --size 64KiB ";
  EXPECT_EQ(heddle(route).out.find("queue: whole"), std::string::npos);
  const Outcome stored = heddle(route + "--set queue.forwarding=store-and-forward");
  EXPECT_THAT(stored.out, HasSubstr("queue: whole messages stored at switches"));
  EXPECT_THAT(heddle(route + "--network packet").out, HasSubstr("packet: headers"));
  EXPECT_THAT(heddle(route + "--network loggops").out, HasSubstr("over loggops"));
  EXPECT_EQ(heddle(route + "--network nosuch").status, 2);
}

// A message back over half-duplex cables with a switch latency: each link's latency is that of the
// direction it is crossed in, so that they add up.
TEST(Topo, LatenciesOfHalfDuplexLinksAddUp) {
  const json route = json::parse(heddle("topo ib-h8-s4 --set link.duplex=half --set "
                                        "switch.latency=123ns --route 7 0 --size 1KiB --json -")
                                     .out)["route"];
  std::int64_t sum = 0;
  for (const json& link : route["links"]) sum += link["latency_ps"].get<std::int64_t>();
  EXPECT_EQ(sum, route["latency_ps"]);
  EXPECT_EQ(route["idle_parts"]["model_ps"], 0);
}

// A million switches in a torus are described exactly: see the platform's tests for the figures.
TEST(Topo, LargeMachinesAreDescribedExactly) {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.yaml") << "topology: {kind: torus, dims: [100,100,100]}\n";
  const Outcome outcome = heddle("topo " + (folder / "t.yaml"));
  EXPECT_THAT(outcome.out, HasSubstr("152 links between nodes, 150 between switches"));
  EXPECT_THAT(outcome.out, HasSubstr("77 links"));
  EXPECT_THAT(outcome.out, HasSubstr("2 Pb/s over 20000 cables"));
  EXPECT_EQ(outcome.out.find("at least"), std::string::npos);
  EXPECT_EQ(outcome.out.find("sample"), std::string::npos);
}

// One of a thing is not several, and a node alone has no halves.
TEST(Topo, SpeaksOfSingleThings) {
  const TemporaryFolder folder;
  std::ofstream(folder / "one.yaml") << "topology: {kind: single-switch, nodes: 1}\n";
  const Outcome one = heddle("topo " + (folder / "one.yaml"));
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("single switch, 1 node\n"));
  EXPECT_THAT(one.out, HasSubstr("a single node has no halves"));
  std::ofstream(folder / "two.yaml") << "topology: {kind: chain, switches: 2}\n";
  EXPECT_THAT(heddle("topo " + (folder / "two.yaml")).out, HasSubstr("over 1 cable\n"));
}

TEST(Topo, HelpSaysWhatTheFiguresMean) {
  const Outcome help = heddle("topo --help");
  EXPECT_THAT(help.out, HasSubstr("mean hops"));
  EXPECT_THAT(help.out, HasSubstr("those of the two nodes included"));
}

TEST(Topo, WrongNodesAreRefused) {
  for (const char* route : {"0 11", "0 nosuch", "s0 0", "-1 0", "0 1x"}) {
    const Outcome outcome = heddle(std::string("topo quito --route ") + route);
    EXPECT_EQ(outcome.status, 2) << route;
    EXPECT_EQ(outcome.out, "") << route;
  }
  EXPECT_THAT(heddle("topo quito --route s0 0").err, HasSubstr("'s0' is not a node but a switch"));
  EXPECT_THAT(heddle("topo quito --route 0 11").err, HasSubstr("numbers (0 .. 10)"));
}

TEST(Topo, WrongPlatformSettingAndSizeNameWhatIsAccepted) {
  const Outcome platform = heddle("topo quitto");
  EXPECT_EQ(platform.status, 2);
  EXPECT_THAT(platform.err, HasSubstr("did you mean 'quito'?"));
  const Outcome none = heddle("topo");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no platform given"));
  EXPECT_THAT(none.err, HasSubstr("'heddle topo bxi-v2'"));
  const Outcome name = heddle("topo quito --set link.bandwith=1Gbps");
  EXPECT_EQ(name.status, 2);
  EXPECT_THAT(name.err, HasSubstr("--set link.bandwith=1Gbps: unknown parameter 'link.bandwith' "
                                  "(did you mean 'link.bandwidth'?)"));
  const Outcome value = heddle("topo quito --set link.latency=5parsecs");
  EXPECT_EQ(value.status, 2);
  EXPECT_THAT(value.err, HasSubstr("'5parsecs' is not a valid link.latency"));
  EXPECT_THAT(heddle("topo quito --set link.latency").err, HasSubstr("name=value"));
  EXPECT_THAT(heddle("topo quito --routing minimul").err, HasSubstr("--routing: 'minimul'"));
  EXPECT_EQ(heddle("topo quito --route 0 1 --size 3parsecs").status, 2);
}

// The configuration that one run prints describes the same machine to the next.
TEST(Topo, PrintedConfigurationReadsBack) {
  const TemporaryFolder folder;
  const std::string file = folder / "again.yaml";
  const Outcome first = heddle("topo bxi-v2 --set link.latency=77ns --print-config");
  ASSERT_EQ(first.status, 0);
  std::ofstream(file) << first.out;
  const Outcome second = heddle("topo " + file + " --print-config");
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_THAT(second.out, HasSubstr("77ns"));
}

// One dot per node, one box per switch, one line per cable.
TEST(Topo, DrawingShowsEveryNodeSwitchAndCable) {
  const TemporaryFolder folder;
  ASSERT_EQ(heddle("topo bxi-v2 --svg " + (folder / "a.svg")).status, 0);
  const std::string svg = file_text(folder / "a.svg");
  EXPECT_EQ(count(svg, "//g[@class='nodes']/circle"), 64U);
  EXPECT_EQ(count(svg, "//g[@class='switches']/rect"), 16U);
  EXPECT_EQ(count(svg, "//g[@class='cables']/line"), 64U);
  EXPECT_EQ(count(svg, "//g[@class='host-cables']/line"), 64U);
}

// Up and down again: four cables of the route stand out.
TEST(Topo, DrawingShowsTheRoute) {
  const TemporaryFolder folder;
  ASSERT_EQ(heddle("topo bxi-v2 --route 0 63 --svg " + (folder / "a.svg")).status, 0);
  EXPECT_EQ(count(file_text(folder / "a.svg"), "//g[@class='route']/line"), 4U);
}

TEST(Topo, GraphvizHasEveryCable) {
  const Outcome outcome = heddle("topo bxi-v2 --dot -");
  EXPECT_EQ(outcome.status, 0);
  std::size_t cables = 0;
  for (std::size_t at = outcome.out.find(" -- "); at != std::string::npos;
       at = outcome.out.find(" -- ", at + 1)) {
    ++cables;
  }
  EXPECT_EQ(cables, 128U);
}

TEST(Topo, DrawingsAreTheSameEveryTime) {
  for (const char* platform : {"bxi-v2", "graphene", "dragonfly-72", "ib-h8-s4"}) {
    EXPECT_EQ(heddle(std::string("topo --svg - ") + platform).out,
              heddle(std::string("topo --svg - ") + platform).out);
  }
}

/// `topo` of the machine with two files is refused, with nothing printed or written.
void expect_nothing_written(const std::string& machine, const std::string& svg,
                            const std::string& complaint) {
  const TemporaryFolder folder;
  const Outcome outcome =
      heddle("topo " + machine + " --json " + (folder / "a.json") + " --svg " + (folder / svg));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(complaint));
  EXPECT_EQ(folder.entries(), 0U);
}

// A folder that is not there is refused before the work, and no other file appears.
TEST(Topo, NothingIsHalfWritten) {
  expect_nothing_written("quito", "missing/a.svg", "--svg: cannot write");
}

// Routes around a ring of 20,000 switches have 5,000 links in the mean: a sample of few pairs says
// so in a second or two. By hand: a node and a switch each, so the mean is 20,000/4 + 2 = 5,002.
TEST(Topo, LongRoutesAreSampled) {
  const TemporaryFolder folder;
  {
    std::ofstream edges(folder / "ring.edges");
    for (int i = 0; i < 20'000; ++i) {
      edges << "n" << i << " s" << i << "\ns" << i << " s" << (i + 1) % 20'000 << "\n";
    }
  }
  const Outcome outcome = heddle("topo ring.edges --json -", folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json hops = json::parse(outcome.out)["hops"];
  EXPECT_FALSE(hops["exact"]);
  EXPECT_NEAR(hops["mean"].get<double>(), 5002, 250);
  EXPECT_LT(hops["sum"].get<double>(), 7e7);
}

// Nobody could look at 8 million cables.
TEST(Topo, MillionsOfCablesAreNotDrawn) {
  for (const char* option : {"--svg", "--dot"}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "m.yaml") << "topology: {kind: torus, dims: [2000, 2000]}\n";
    const Outcome outcome = heddle(std::string("topo m.yaml ") + option + " x", folder.path());
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cables, and a drawing at most"));
  }
}

// A dragonfly as a list of its cables is the same machine: 72 nodes on 36 switches, joined by 72
// access, 54 local and 36 global cables, of which one is made slower on its way.
TEST(Topo, WritesAMachineAsAnEdgeList) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.yaml") << "topology: {kind: dragonfly}\nswitch: {latency: 9ns}\n"
                                      "overrides: [{links: \"n0->*\", bandwidth: 1Gbps}]\n";
  const Outcome outcome = heddle("topo m.yaml --edges m.edges", folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json before = json::parse(heddle("topo m.yaml --json -", folder.path()).out);
  const json after = json::parse(heddle("topo m.edges --json -", folder.path()).out);
  for (const char* figure : {"nodes", "switches", "cables", "radix", "cable_groups"}) {
    EXPECT_EQ(before[figure], after[figure]) << figure;
  }
  const auto idle = [&](const std::string& file) {
    const std::string route = " --route n0 n1 --size 1MB --json -";
    return json::parse(heddle("topo " + file + route, folder.path()).out)["route"]["idle_time_ps"];
  };
  EXPECT_EQ(idle("m.yaml"), idle("m.edges"));
}

// A 4-ary 3-tree: 32 switches with 8 cables and 16 at the top with 4, at 2.8 W a port, serve 64
// nodes: (32 * 8 + 16 * 4) * 2.8 / 64 = 14 W per node, and 896 W for 32 cables of 100 Gb/s.
TEST(Topo, CostsAFabric) {
  const json cost =
      json::parse(heddle("topo fat-tree-64 --cost slim-fly-2014 --json -").out)["cost"];
  EXPECT_NEAR(cost["power_per_node_w"].get<double>(), 14, 1e-9);
  EXPECT_NEAR(cost["power_per_bisection_gbps_w"].get<double>(), 896.0 / 3200, 1e-9);
  EXPECT_EQ(cost["currency"], "USD");
  const Outcome text = heddle("topo fat-tree-64 --cost slim-fly-2014");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("SC14"));
  EXPECT_THAT(text.out, HasSubstr("Gb/s of bisection"));
  const Outcome missing = heddle("topo fat-tree-64 --cost slimfly");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("published prices: slim-fly-2014"));
}

// D-mod-K takes every shift of a whole 4-ary 3-tree without two flows on a link. With 13 of its 128
// cables between switches down (10 % are 12.8) some link has to take two.
TEST(Topo, ComparesAFabricWithWhatFailuresLeave) {
  const json failures = json::parse(heddle("topo fat-tree-64 --fail 10% --json -").out)["failures"];
  EXPECT_EQ(failures["before"]["cables"], 64 + 128);
  EXPECT_EQ(failures["after"]["cables"], 64 + 128 - 13);
  EXPECT_EQ(failures["before"]["worst_shift_flows"], 1);
  EXPECT_GE(failures["after"]["worst_shift_flows"], 2);
  EXPECT_THAT(heddle("topo fat-tree-64 --fail 10%").out, HasSubstr("worst shift"));
}

// What is down has to be there.
TEST(Topo, AFailedCableMustExist) {
  const Outcome outcome = heddle("topo fat-tree-64 --fail L1.0-L9.9");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--fail: no cable is called 'L1.0-L9.9': accepted are names "
                                     "and globs such as 'n0->L1.0'"));
  const Outcome share = heddle("topo fat-tree-64 --set failures.switches=101%");
  EXPECT_EQ(share.status, 2);
  EXPECT_THAT(share.err, HasSubstr("'101%' is no share: accepted is 0% to 100%"));
}

// Failures are said before a run: with its leaf down a node reaches nobody. Messages between the
// other nodes arrive.
TEST(Topo, PairsWithoutAWayAreSaid) {
  const Outcome outcome = heddle("topo fat-tree-64 --set failures.adapters=n5");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("failures leave 126 of 4032 pairs of nodes without a way, "
                                     "such as n5 to n0"));
  const Outcome run = heddle("topo fat-tree-64 --set failures.adapters=n5 --route n0 n5");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("failures leave no way from n0 to n5"));
}

// Links of a SimGrid platform may belong to several routes; no list of cables says that.
TEST(Topo, RoutesWithoutCablesAreNoEdgeList) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.xml")
      << "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">"
         "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
         "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>"
         "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>";
  const Outcome outcome = heddle("topo p.xml --edges p.edges", folder.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--edges: the machine cannot be written as an edge list"));
  EXPECT_FALSE(std::filesystem::exists(folder / "p.edges"));
}

// A machine too large to draw is refused with nothing printed or written.
TEST(Topo, TooLargeToDrawWritesNothing) {
  expect_nothing_written("bxi-v2 --set fat-tree.arity=32 --set fat-tree.levels=3", "a.svg",
                         "too many to draw");
}

// Of three hosts only a and b have a route: the others are counted, and the one can be shown.
TEST(Topo, DescribesAPlatformThatLeavesRoutesOut) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.xml")
      << "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">"
         "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
         "<host id=\"c\" speed=\"1Gf\"/><link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>"
         "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>";
  const Outcome outcome = heddle("topo " + (folder / "p.xml") + " --route a b");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 of 6 pairs of nodes"));
  EXPECT_THAT(outcome.out, HasSubstr("route from a to b"));
  const json document = json::parse(heddle("topo " + (folder / "p.xml") + " --json -").out);
  EXPECT_EQ(document["hops"]["pairs_without_route"], 4);
  EXPECT_EQ(document["hops"]["pairs"], 2);
  const Outcome missing = heddle("topo " + (folder / "p.xml") + " --route a c");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("accepted is <route src=\"a\" dst=\"c\">"));
}

// What a SimGrid file asks for and does not get is said, and the machine is described all the same.
TEST(Topo, WarnsOfSettingsThatAreNotApplied) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.xml")
      << "<?xml version='1.0'?>\n<platform version=\"4.1\">\n"
         "<config><prop id=\"network/optim\" value=\"Full\"/></config>\n"
         "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" "
         "lat=\"1us\"/>\n"
         "</platform>\n";
  const Outcome outcome = heddle("topo " + (folder / "p.xml"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("network/optim"), std::string::npos) << outcome.err;
}

// By group a dragonfly needs three lanes for detours by way of a group; with two there is a circle,
// whose buffers are named.
TEST(Topo, SaysWhetherLanesCanDeadlock) {
  const std::string lanes =
      "topo dragonfly-72 --routing ugal-l --lanes --set packet.lane_by=group --set packet.lanes=";
  const Outcome safe = heddle(lanes + "3");
  EXPECT_THAT(safe.out, HasSubstr("lanes: 3 by group, routing ugal-l"));
  EXPECT_THAT(safe.out, HasSubstr("no circle: packets cannot deadlock"));
  EXPECT_EQ(safe.err, "");
  const Outcome unsafe = heddle(lanes + "2");
  EXPECT_THAT(unsafe.out, HasSubstr("packets can deadlock, each waiting for the next of"));
  EXPECT_THAT(unsafe.out, HasSubstr(" lane 1\n"));
  const json found = json::parse(heddle(lanes + "2 --json -").out)["lanes"];
  EXPECT_EQ(found["lane_by"], "group");
  EXPECT_EQ(found["can_deadlock"], true);
  EXPECT_GE(found["circle"].size(), 2U);
  const Outcome wrong = heddle("topo dragonfly-72 --lanes --set packet.lane_by=dateline");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("dateline is for rings"));
}

}  // namespace
}  // namespace heddle::cli
