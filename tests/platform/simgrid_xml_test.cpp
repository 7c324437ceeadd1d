#include "platform/simgrid_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "platform/figures/metrics.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::unique_ptr<Platform> read(const std::string& content) {
  return read_simgrid_platform_text(content, "p.xml");
}

/// The one zone or cluster `content` in a platform, beginning on line 2.
std::unique_ptr<Platform> read_platform(const std::string& content) {
  return read("<platform version=\"4.1\">\n" + content + "\n</platform>\n");
}

std::unique_ptr<Platform> read_cluster(const std::string& attributes) {
  return read_platform(
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"10Gf\" bw=\"12.5GBps\" lat=\"1us\" " +
      attributes + "/>");
}

std::string xml_error_of(const std::string& content) {
  return heddle::error_of([&] { read(content); });
}

std::string platform_error(const std::string& content) {
  return xml_error_of("<platform version=\"4.1\">\n" + content + "\n</platform>\n");
}

NodeId node(const Platform& platform, const std::string& name) {
  return NodeId{static_cast<std::uint32_t>(platform.topology().find(name).value())};
}

std::vector<LinkId> route(const Platform& platform, const std::string& from,
                          const std::string& to) {
  const NoLoads loads;
  Walk walk = platform.routes().walk({node(platform, from)}, {node(platform, to)}, 0);
  std::vector<LinkId> links;
  for (LinkId link = platform.routes().next(walk, loads); link != kNoLink;
       link = platform.routes().next(walk, loads)) {
    links.push_back(link);
  }
  return links;
}

std::vector<std::string> names(const Platform& platform, const std::string& from,
                               const std::string& to) {
  std::vector<std::string> result;
  for (const LinkId link : route(platform, from, to)) result.push_back(platform.links().name(link));
  return result;
}

Time latency(const Platform& platform, const std::string& from, const std::string& to) {
  Time sum;
  const NoLoads loads;
  Walk walk = platform.routes().walk({node(platform, from)}, {node(platform, to)}, 0);
  for (LinkId link = platform.routes().next(walk, loads); link != kNoLink;
       link = platform.routes().next(walk, loads)) {
    sum += platform.routes().latency(walk, link);
  }
  return sum;
}

const Link& link_called(const Platform& platform, const std::string& name) {
  for (std::uint32_t id = 0; id < platform.topology().links(); ++id) {
    if (platform.links().name(LinkId{id}) == name) return platform.links()[LinkId{id}];
  }
  throw std::out_of_range(name);
}

const char* const kThreeHosts = R"(<zone id="z" routing="Full">
  <host id="a" speed="1Gf,500Mf" pstate="1" core="4"/>
  <host id="b" speed="2Gf"/>
  <router id="r"/>
  <link id="cable" bandwidth="1GBps" latency="10us"/>
  <link id="fat" bandwidth="2GBps" latency="5us" sharing_policy="FATPIPE"/>
  <link id="duplex" bandwidth="8Gbps" latency="1us" sharing_policy="SPLITDUPLEX"/>
  <route src="a" dst="b">
    <link_ctn id="cable"/><link_ctn id="fat"/><link_ctn id="duplex" direction="UP"/>
  </route>
</zone>)";

// Hosts become nodes and routers switches, in the order of the file; the second of the two speeds
// is that of power state 1.
TEST(SimgridXml, HostsAreNodes) {
  const auto p = read_platform(kThreeHosts);
  EXPECT_EQ(p->name(), "p");
  EXPECT_EQ(p->nodes(), 2U);
  EXPECT_EQ(p->topology().name(VertexId{1}), "b");
  EXPECT_EQ(p->topology().find("r"), VertexId{2});
  EXPECT_EQ(p->topology().find("z"), std::nullopt);
  EXPECT_EQ(p->node(NodeId{0}).speed, Speed::flops(500'000'000));
  EXPECT_EQ(p->node(NodeId{0}).cores, 4);
}

// There by cable, fat, duplex_UP: 10 + 5 + 1 us; back the other way round by duplex_DOWN.
TEST(SimgridXml, DeclaredRouteGoesBothWays) {
  const auto p = read_platform(kThreeHosts);
  EXPECT_THAT(names(*p, "a", "b"), ElementsAre("cable", "fat", "duplex_UP"));
  EXPECT_THAT(names(*p, "b", "a"), ElementsAre("duplex_DOWN", "fat", "cable"));
  EXPECT_EQ(latency(*p, "a", "b"), Time::us(16));
}

// A SHARED link is one capacity for both directions, a SPLITDUPLEX link one for each, and a FATPIPE
// gives its bandwidth to every message.
TEST(SimgridXml, SharingPolicies) {
  const auto p = read_platform(kThreeHosts);
  EXPECT_EQ(route(*p, "a", "b")[0], route(*p, "b", "a")[2]);
  EXPECT_NE(route(*p, "a", "b")[2], route(*p, "b", "a")[0]);
  EXPECT_EQ(link_called(*p, "cable").duplex, Duplex::half);
  EXPECT_EQ(link_called(*p, "cable").bandwidth, Bandwidth::gbps(8));
  EXPECT_EQ(link_called(*p, "duplex_UP").duplex, Duplex::full);
  EXPECT_TRUE(link_called(*p, "fat").bandwidth.is_unlimited());
  EXPECT_EQ(link_called(*p, "fat").flow_cap, Bandwidth::gbps(16));
}

// A host without a loopback of its own gets SimGrid's: 10 GB/s for every message, no latency; the
// file's configuration may change it.
TEST(SimgridXml, DefaultLoopback) {
  const auto p = read_platform(kThreeHosts);
  EXPECT_EQ(p->node(NodeId{0}).loopback_flow_cap, Bandwidth::gbps(80));
  EXPECT_EQ(latency(*p, "a", "a"), Time::zero());
  const auto q = read_platform(
      "<config><prop id=\"network/loopback-bw\" value=\"498000000\"/>"
      "<prop id=\"network/loopback-lat\" value=\"0.000015\"/></config>" +
      std::string(kThreeHosts));
  EXPECT_EQ(q->node(NodeId{0}).loopback_flow_cap, Bandwidth::bytes_per_second(498'000'000));
  EXPECT_EQ(latency(*q, "a", "a"), Time::us(15));
}

// A star: up to the switch, down to the other host.
TEST(SimgridXml, FlatCluster) {
  const auto p = read_cluster(R"(radical="0-8")");
  EXPECT_THAT(names(*p, "n0", "n8"), ElementsAre("c_link_0_UP", "c_link_8_DOWN"));
  EXPECT_EQ(latency(*p, "n0", "n8"), Time::us(2));
  EXPECT_EQ(p->topology().name(VertexId{9}), "nc_router");
}

// Limiter, own link, backbone, the other's link and limiter; the radical names links and hosts; a
// message to itself takes the loopback, 50 GB/s and 100 ns.
TEST(SimgridXml, FlatClusterWithAllItCanHave) {
  const auto p = read_cluster(
      R"(radical="1,5-6" limiter_link="18GBps" bb_bw="20GBps" bb_lat="300ns" router_id="gate"
         loopback_bw="50GBps" loopback_lat="100ns")");
  EXPECT_THAT(names(*p, "n1", "n6"), ElementsAre("c_link_1_limiter", "c_link_1_UP", "c_backbone",
                                                 "c_link_6_DOWN", "c_link_6_limiter"));
  EXPECT_EQ(latency(*p, "n1", "n6"), Time::ns(2300));
  EXPECT_EQ(p->topology().find("gate"), VertexId{3});
  EXPECT_EQ(p->node(NodeId{0}).loopback_flow_cap, Bandwidth::gbps(400));
  EXPECT_EQ(latency(*p, "n1", "n1"), Time::ns(100));
}

// Host 0 to host 8, the first of the second leaf switch (64 hosts: leaf switches 127 to 120, then
// spines 119 to 112): up to 127, up to spine 8 mod 8 = 0, which is 119, down to 126 and to host 8.
TEST(SimgridXml, FatTree) {
  const auto p =
      read_cluster(R"(radical="0-63" topology="FAT_TREE" topo_parameters="2;8,8;1,8;1,1")");
  EXPECT_THAT(names(*p, "n0", "n8"),
              ElementsAre("link_from_0_127_0_UP", "link_from_127_119_64_UP",
                          "link_from_126_119_72_DOWN", "link_from_8_126_8_DOWN"));
}

// From corner (0,0,0) to (3,3,3) of a 4x4x4 torus: one step back round each of the three rings.
TEST(SimgridXml, Torus) {
  const auto p = read_cluster(R"(radical="0-63" topology="TORUS" topo_parameters="4,4,4")");
  EXPECT_THAT(names(*p, "n0", "n63"),
              ElementsAre("c_link_from_3_to_0_DOWN", "c_link_from_15_to_3_DOWN",
                          "c_link_from_63_to_15_DOWN"));
  EXPECT_EQ(route(*p, "n0", "n2").size(), 2U);
}

// The far side of a ring of 256 is 128 links away; every pair has the shorter way round, whatever
// was asked for before (what was asked for is not all remembered).
TEST(SimgridXml, LongRoutesOnARing) {
  const auto p = read_cluster(R"(radical="0-255" topology="TORUS" topo_parameters="256")");
  for (int round = 0; round < 2; ++round) {
    for (int from = 0; from < 256; from += round + 1) {
      for (int to = 0; to < 256; to += 5) {
        const int apart = std::abs(from - to);
        if (apart == 0) continue;
        const auto links = route(*p, "n" + std::to_string(from), "n" + std::to_string(to));
        ASSERT_EQ(links.size(), static_cast<std::size_t>(std::min(apart, 256 - apart)))
            << from << " to " << to;
      }
    }
  }
}

// 3 groups of 4 chassis of 5 routers of 2 hosts. Host 0 (group 0, router 0) to host 40 (group 1,
// chassis 0, router 0): its router, router 1 of its chassis (green), group 1's router 0 (blue), the
// host. Blue links stand for four, so they are four times as fast.
TEST(SimgridXml, Dragonfly) {
  const auto p =
      read_cluster(R"(radical="0-119" topology="DRAGONFLY" topo_parameters="3,4;4,3;5,1;2")");
  const auto links = names(*p, "n0", "n40");
  ASSERT_EQ(links.size(), 4U);
  EXPECT_THAT(links[0], HasSubstr("local_link_from_router_0_to_node_0_0_UP"));
  EXPECT_THAT(links[1], HasSubstr("green_link_in_chassis_0_between_routers_0_and_1_"));
  EXPECT_THAT(links[2], HasSubstr("blue_link_between_group_0_and_1_routers_1_and_20_"));
  EXPECT_THAT(links[3], HasSubstr("local_link_from_router_20_to_node_0_40_DOWN"));
  EXPECT_EQ(link_called(*p, links[2]).bandwidth, Bandwidth::gbps(400));
}

// From a fat tree through its gateway host to a zone's router: the way to the gateway, the link
// between the zones, the way from the other gateway.
TEST(SimgridXml, NestedZonesMeetAtGateways) {
  const auto p = read_simgrid_platform(HEDDLE_TEST_DATA "/simgrid/documented.xml");
  EXPECT_THAT(names(*p, "node-3", "h0"),
              ElementsAre("link_from_3_127_3_UP", "link_from_0_127_0_DOWN", "up", "l0_DOWN"));
  EXPECT_EQ(latency(*p, "node-3", "h0"), Time::us(14));
  EXPECT_THAT(names(*p, "h0", "h1"), ElementsAre("l0_UP", "l1_DOWN"));
}

// A cluster of a hundred thousand hosts routes without a table of pairs.
TEST(SimgridXml, LargeCluster) {
  const auto p = read_cluster(
      R"(radical="0-99999" topology="FAT_TREE" topo_parameters="3;50,50,40;1,10,10;1,1,1")");
  EXPECT_EQ(p->nodes(), 100'000U);
  EXPECT_EQ(route(*p, "n0", "n99999").size(), 6U);
}

// What has no meaning here is told of: a model of packets, and smpi/host-speed.
TEST(SimgridXml, SettingsThatAreNotAppliedAreNoted) {
  const auto p = read_platform(
      "<config><prop id=\"network/model\" value=\"ns-3\"/>"
      "<prop id=\"network/TCP-gamma\" value=\"0\"/>"
      "<prop id=\"smpi/host-speed\" value=\"1Gf\"/>"
      "<prop id=\"contexts/nthreads\" value=\"2\"/></config>" +
      std::string(kThreeHosts));
  ASSERT_EQ(p->warnings().size(), 2U);
  EXPECT_THAT(p->warnings()[0], HasSubstr("p.xml:2:19: the setting 'network/model' = 'ns-3'"));
  EXPECT_THAT(p->warnings()[1], HasSubstr("the setting 'smpi/host-speed' = '1Gf'"));
  EXPECT_THAT(read_platform(kThreeHosts)->warnings(), IsEmpty());
}

TEST(SimgridXml, NumberWithoutUnitIsNoted) {
  const auto p = read_platform(R"(<zone id="z" routing="Full">
<host id="a" speed="1e9"/></zone>)");
  ASSERT_EQ(p->warnings().size(), 1U);
  EXPECT_THAT(p->warnings()[0], HasSubstr("p.xml:3:21: '1e9' has no unit: read as f"));
}

// A zone without routes of its own beside a cluster, as one lone host: the zone route joins them.
TEST(SimgridXml, AZoneMayHaveNoRoutesInside) {
  const auto p = read_platform(R"(<zone id="all" routing="Full">
    <cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/>
    <zone id="z" routing="None"><host id="alone" speed="1Gf"/><host id="other" speed="1Gf"/></zone>
    <link id="l" bandwidth="1GBps" latency="5us"/>
    <zoneRoute src="c" dst="z" gw_src="nc_router" gw_dst="alone"><link_ctn id="l"/></zoneRoute>
  </zone>)");
  EXPECT_THAT(names(*p, "n0", "alone"), ElementsAre("c_link_0_UP", "l"));
  EXPECT_THAT(heddle::error_of([&] { route(*p, "alone", "other"); }),
              HasSubstr("zone 'z' declares no route from 'alone' to 'other'"));
}

// A zone of routing Cluster: host a goes up by its own link, everything crosses the backbone, the
// hosts of a cabinet have split-duplex links called after them, and to the router it is half of it.
TEST(SimgridXml, HostsOfAClusterZoneHaveLinksOfTheirOwn) {
  const auto p = read_platform(R"(<zone id="all" routing="Full">
    <zone id="z" routing="Cluster">
      <host id="a" speed="1Gf"/>
      <link id="au" bandwidth="1GBps" latency="1us"/><link id="ad" bandwidth="1GBps"/>
      <host_link id="a" up="au" down="ad"/>
      <cabinet id="k" prefix="k-" suffix=".x" radical="3-4" speed="2Gf" bw="2GBps" lat="3us"/>
      <backbone id="b" bandwidth="5GBps" latency="10us"/>
      <router id="r"/>
    </zone>
    <zone id="y" routing="None"><host id="out" speed="1Gf"/></zone>
    <link id="l" bandwidth="1GBps" latency="5us"/>
    <zoneRoute src="z" dst="y" gw_src="r" gw_dst="out"><link_ctn id="l"/></zoneRoute>
  </zone>)");
  EXPECT_THAT(names(*p, "a", "k-3.x"), ElementsAre("au", "b", "link_k-3.x_DOWN"));
  EXPECT_THAT(names(*p, "k-4.x", "a"), ElementsAre("link_k-4.x_UP", "b", "ad"));
  EXPECT_THAT(names(*p, "k-4.x", "out"), ElementsAre("link_k-4.x_UP", "b", "l"));
  EXPECT_EQ(latency(*p, "k-3.x", "k-4.x"), Time::us(3 + 10 + 3));
}

// Peers have a link each way and a place. In the plane a and b are 30 and 40 ms apart in the two
// directions, so 50 ms, and 1 ms and 2 ms above it: 53 ms. From a to the host outside it is as far
// to b, the gateway, and then 5 ms by the link. A message from b to itself goes down and up.
TEST(SimgridXml, PeersAreAsFarApartAsTheirPlaces) {
  const auto p = read_platform(R"(<zone id="all" routing="Full">
    <zone id="z" routing="Vivaldi">
      <peer id="a" coordinates="10 -20 1" speed="1Gf" bw_in="1GBps" bw_out="2GBps"/>
      <peer id="b" coordinates="-20 20 -2" speed="1Gf" bw_in="3GBps" bw_out="4GBps"/>
    </zone>
    <zone id="y" routing="None"><host id="out" speed="1Gf"/></zone>
    <link id="l" bandwidth="1GBps" latency="5ms"/>
    <zoneRoute src="z" dst="y" gw_src="b" gw_dst="out"><link_ctn id="l"/></zoneRoute>
  </zone>)");
  EXPECT_THAT(names(*p, "a", "b"), ElementsAre("link_a_UP", "link_b_DOWN"));
  EXPECT_EQ(link_called(*p, "link_a_UP").bandwidth, Bandwidth::bytes_per_second(2'000'000'000));
  EXPECT_EQ(link_called(*p, "link_b_DOWN").bandwidth, Bandwidth::bytes_per_second(3'000'000'000));
  EXPECT_EQ(latency(*p, "a", "b"), Time::ms(53));
  EXPECT_EQ(latency(*p, "out", "a"), Time::ms(5 + 53));
  EXPECT_EQ(latency(*p, "b", "b"), Time::ms(4));
}

// Disks and profiles of hosts and failures are told of and left out; a state in which a host is off
// may have no speed.
TEST(SimgridXml, WhatIsNotModelledIsToldOf) {
  const auto p = read_platform(R"(<zone id="z" routing="Full">
    <host id="a" speed="1Gf,0f" state_file="a.trace"><disk id="d" read_bw="1MBps"/></host>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" state_file="l.off"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>)");
  EXPECT_EQ(p->nodes(), 2U);
  EXPECT_THAT(p->warnings(),
              ElementsAre(HasSubstr("p.xml:3:45: the profile 'a.trace' is not applied"),
                          HasSubstr("<disk> is not applied"), HasSubstr("the profile 'l.off'")));
}

struct XmlMistake {
  const char* about;
  std::string content;  ///< Inside <platform>, from line 2 on.
  std::string error;
};

class SimgridXmlErrors : public testing::TestWithParam<XmlMistake> {};

TEST_P(SimgridXmlErrors, SayWhereAndWhat) {
  EXPECT_THAT(platform_error(GetParam().content), HasSubstr(GetParam().error));
}

std::string in_zone(const std::string& content) {
  return "<zone id=\"z\" routing=\"Full\">\n" + content + "\n</zone>";
}

std::string cluster(const std::string& attributes) {
  return "<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"\n" +
         attributes + "/>";
}

const std::string kTwoHosts = "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n";
const std::string kLinks =
    "<link id=\"l\" bandwidth=\"1GBps\"/>"
    "<link id=\"d\" bandwidth=\"1GBps\" sharing_policy=\"SPLITDUPLEX\"/>\n";

INSTANTIATE_TEST_SUITE_P(
    All, SimgridXmlErrors,
    testing::Values(
        XmlMistake{"unsupported_tag", in_zone("<storage_type id=\"p\"/>"),
                   "p.xml:3:2: <storage_type> is not supported inside <zone>: accepted are zone, "
                   "AS, cluster, host, router, link, route, zoneRoute, ASroute, bypassRoute, "
                   "bypassZoneRoute, bypassASroute, prop, trace, trace_connect, "
                   "host_link, backbone, cabinet, peer"},
        XmlMistake{"second_bypass",
                   in_zone(kTwoHosts + kLinks +
                           "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></bypassRoute>\n"
                           "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></bypassRoute>"),
                   "p.xml:6:2: a second bypass from 'a' to 'b'"},
        XmlMistake{"long_latencies",
                   in_zone(kTwoHosts + "<link id=\"x\" bandwidth=\"1GBps\" latency=\"90h\"/>\n"
                                       "<link id=\"y\" bandwidth=\"1GBps\" latency=\"90h\"/>"),
                   "p.xml:5:41: '90h' of attribute latency of <link>: latencies of more than 1000 "
                   "s are 500000 s together at most"},
        XmlMistake{"include", "<include file=\"x\"/>",
                   "p.xml:2:2: <include> is not supported inside <platform>"},
        XmlMistake{"in_host",
                   in_zone("<host id=\"a\" speed=\"1Gf\">\n  <storage id=\"d\"/></host>"),
                   "p.xml:4:4: <storage> is not supported inside <host>: accepted are prop, disk"},
        XmlMistake{"attribute", in_zone("<host id=\"a\" speed=\"1Gf\" colour=\"x\"/>"),
                   "p.xml:3:26: attribute 'colour' of <host> is not supported"},
        XmlMistake{
            "off", in_zone("<host id=\"a\" speed=\"1Gf,0f\" pstate=\"1\"/>"),
            "p.xml:3:21: '1Gf,0f' of attribute speed of <host>: a speed must be more than zero"},
        XmlMistake{"not_a_cluster",
                   in_zone("<backbone id=\"b\" bandwidth=\"1GBps\" latency=\"0\"/>"),
                   "p.xml:3:2: <backbone> belongs in a zone with routing=\"Cluster\""},
        XmlMistake{"second_host_link",
                   "<zone id=\"z\" routing=\"Cluster\">\n" + kTwoHosts + kLinks +
                       "<host_link id=\"a\" up=\"l\" down=\"l\"/>\n"
                       "<host_link id=\"a\" up=\"l\" down=\"l\"/></zone>",
                   "p.xml:6:16: 'a' of attribute id of <host_link>: has a host_link already"},
        XmlMistake{"missing_attribute", in_zone("<host id=\"a\"/>"),
                   "p.xml:3:2: <host> needs the attribute 'speed'"},
        XmlMistake{"unit", in_zone("<link id=\"l\" bandwidth=\"1KBps\"/>"),
                   "p.xml:3:25: '1KBps' of attribute bandwidth of <link>: out of range, or not a "
                   "number with a unit"},
        XmlMistake{"zero_bandwidth", in_zone("<link id=\"l\" bandwidth=\"0Bps\"/>"),
                   "p.xml:3:25: '0Bps' of attribute bandwidth of <link>: out of range"},
        XmlMistake{"negative", in_zone("<link id=\"l\" bandwidth=\"-1GBps\"/>"), "p.xml:3:25:"},
        XmlMistake{
            "sharing", in_zone("<link id=\"l\" bandwidth=\"1GBps\" sharing_policy=\"WIFI\"/>"),
            "p.xml:3:48: 'WIFI' of attribute sharing_policy of <link>: not supported: accepted "
            "are SHARED, SPLITDUPLEX, FATPIPE, FULLDUPLEX"},
        XmlMistake{"routing", "<zone id=\"z\" routing=\"Wifi\"/>",
                   "p.xml:2:23: 'Wifi' of attribute routing of <zone>: not supported: accepted are "
                   "Full, Floyd, Dijkstra, DijkstraCache, None, Cluster, Vivaldi"},
        XmlMistake{"peer_elsewhere", in_zone("<peer id=\"a\"/>"),
                   "p.xml:3:2: <peer> belongs in a zone with routing=\"Vivaldi\""},
        XmlMistake{"host_among_peers",
                   "<zone id=\"z\" routing=\"Vivaldi\"><host id=\"a\" speed=\"1Gf\"/></zone>",
                   "<host> does not belong in zone 'z', whose routing is Vivaldi: accepted is "
                   "<peer>"},
        XmlMistake{"coordinates",
                   "<zone id=\"z\" routing=\"Vivaldi\"><peer id=\"a\" speed=\"1Gf\" "
                   "bw_in=\"1Gbps\" bw_out=\"1Gbps\" coordinates=\"1 2\"/></zone>",
                   "'1 2' of attribute coordinates of <peer>: accepted are 3 numbers with spaces"},
        XmlMistake{"second_host",
                   in_zone("<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"a\" speed=\"1Gf\"/>"),
                   "p.xml:4:11: 'a' is declared a second time"},
        XmlMistake{"second_link", in_zone(kLinks + "<link id=\"l\" bandwidth=\"1GBps\"/>"),
                   "p.xml:4:11: link 'l' is declared a second time"},
        XmlMistake{"route_to_nowhere",
                   in_zone(kTwoHosts + kLinks +
                           "<route src=\"a\" dst=\"bb\"><link_ctn id=\"l\"/></route>"),
                   "p.xml:5:21: 'bb' of attribute dst of <route>: no host or router of that name "
                   "stands in zone 'z' before this (did you mean"},
        XmlMistake{"route_over_nothing",
                   in_zone(kTwoHosts + kLinks +
                           "<route src=\"a\" dst=\"b\">\n<link_ctn id=\"x\"/></route>"),
                   "p.xml:6:15: 'x' of attribute id of <link_ctn>: no link of that name"},
        XmlMistake{"no_direction",
                   in_zone(kTwoHosts + kLinks +
                           "<route src=\"a\" dst=\"b\">\n<link_ctn id=\"d\"/></route>"),
                   "p.xml:6:15: 'd' of attribute id of <link_ctn>: is SPLITDUPLEX"},
        XmlMistake{
            "direction_of_shared",
            in_zone(kTwoHosts + kLinks +
                    "<route src=\"a\" dst=\"b\">\n<link_ctn id=\"l\" direction=\"UP\"/></route>"),
            "p.xml:6:29: 'UP' of attribute direction of <link_ctn>: link 'l' is not SPLITDUPLEX"},
        XmlMistake{"empty_route", in_zone(kTwoHosts + "<route src=\"a\" dst=\"b\"/>"),
                   "p.xml:4:2: an empty route"},
        XmlMistake{"route_twice",
                   in_zone(kTwoHosts + kLinks +
                           "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"
                           "<route src=\"b\" dst=\"a\"><link_ctn id=\"l\"/></route>"),
                   "p.xml:6:2: a second route between 'b' and 'a'"},
        XmlMistake{"mixed_zone", in_zone(kTwoHosts + "<zone id=\"y\" routing=\"Full\"/>"),
                   "p.xml:4:2: <zone> does not belong in zone 'z'"},
        XmlMistake{
            "gateway_elsewhere",
            in_zone("<zone id=\"x\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/></zone>\n"
                    "<zone id=\"y\" routing=\"Full\"><host id=\"b\" speed=\"1Gf\"/></zone>\n" +
                    kLinks +
                    "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"b\" gw_dst=\"b\"><link_ctn "
                    "id=\"l\"/></zoneRoute>"),
            "p.xml:6:36: 'b' of attribute gw_src of <zoneRoute>: does not lie in zone 'x'"},
        XmlMistake{
            "pstate", in_zone("<host id=\"a\" speed=\"1Gf\" pstate=\"1\"/>"),
            "p.xml:3:34: '1' of attribute pstate of <host>: there are speeds for the states 0"},
        XmlMistake{"no_hosts", in_zone(""), "p.xml:1:2: the platform has no hosts"},
        XmlMistake{"text", in_zone("hello"), "p.xml:2:29: text inside <zone>"},
        XmlMistake{"two_zones",
                   "<zone id=\"x\" routing=\"Full\"/>\n<zone id=\"y\" routing=\"Full\"/>",
                   "p.xml:3:2: a second outermost zone"},
        XmlMistake{"not_xml", "<zone", "not well-formed XML"},
        XmlMistake{
            "wrong_end", "<zone id=\"z\" routing=\"Full\">\n</zoo>",
            "p.xml:3:3: not well-formed XML at 'zoo>' (Start-end tags mismatch): accepted is "
            "the end tag of the element that was begun last"},
        XmlMistake{"bad_attribute", "<zone id=z/>",
                   "not well-formed XML at 'z/>' (Error parsing element attribute): accepted is "
                   "NAME=\"VALUE\""},
        XmlMistake{
            "second_element", "</platform>\n<extra/>\n<platform>",
            "p.xml:3:2: 'extra' beside <platform>: accepted is one element and nothing else"},
        XmlMistake{"second_document",
                   "</platform>\n<?xml version='1.0'?>\n<platform version=\"4.1\">",
                   "p.xml:3:3: 'xml' beside <platform>"},
        XmlMistake{"text_behind", "</platform>\nhello <platform>",
                   "p.xml:3:1: 'hello' beside <platform>"},
        XmlMistake{
            "entity", "<zone id=\"&foo;\" routing=\"Full\"/>",
            "p.xml:2:11: undefined entity '&foo;': accepted are &amp; &lt; &gt; &quot; &apos; "
            "and numbers such as &#65;"},
        XmlMistake{"bare_ampersand", "<zone id=\"a & b\" routing=\"Full\"/>",
                   "p.xml:2:13: undefined entity '&'"},
        XmlMistake{"less_in_attribute", "<zone id=\"a<b\" routing=\"Full\"/>",
                   "p.xml:2:12: '<' inside an attribute's value: accepted is &lt;"},
        XmlMistake{
            "radical", cluster("radical=\"3-1\""),
            "p.xml:3:10: '3-1' of attribute radical of <cluster>: the range '3-1' ends before"},
        XmlMistake{"huge_radical", cluster("radical=\"0-1999999999\""), "more than 1048576 hosts"},
        XmlMistake{"torus_size",
                   cluster("radical=\"0-3\" topology=\"TORUS\" topo_parameters=\"3,3\""),
                   "p.xml:3:49: '3,3' of attribute topo_parameters of <cluster>: these parameters "
                   "connect 9 hosts, but radical names 4"},
        XmlMistake{"overflow",
                   cluster("radical=\"0-3\" topology=\"TORUS\" "
                           "topo_parameters=\"2000000000,2000000000,2000000000\""),
                   "these parameters connect 18446744073709551615 hosts"},
        XmlMistake{"fat_tree_lists",
                   cluster("radical=\"0-3\" topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1;1,1\""),
                   "'1' has not the 2 numbers"},
        XmlMistake{"fat_tree_too_large",
                   cluster("radical=\"0-3\" topology=\"FAT_TREE\" "
                           "topo_parameters=\"2;2,2;1,2000000000;1,2000000000\""),
                   "p.xml:2:2: cluster 'c' has more than"},
        XmlMistake{
            "dragonfly_groups",
            cluster("radical=\"0-11\" topology=\"DRAGONFLY\" topo_parameters=\"3,1;1,1;2,1;2\""),
            "p.xml:3:54: '3,1;1,1;2,1;2' of attribute topo_parameters of <cluster>: 3 groups "
            "need at least as many routers per chassis"},
        XmlMistake{
            "backbone_of_torus",
            cluster("radical=\"0-3\" topology=\"TORUS\" topo_parameters=\"4\" bb_bw=\"1GBps\""),
            "accepted with topology FLAT only"}),
    [](const auto& test) { return std::string(test.param.about); });

TEST(SimgridXml, OldVersionIsRefused) {
  EXPECT_THAT(xml_error_of("<platform version=\"3\"/>"),
              HasSubstr("p.xml:1:20: '3' of attribute version of <platform>: accepted are 4"));
  EXPECT_THAT(xml_error_of("<machine/>"),
              HasSubstr("p.xml:1:2: <machine> is not a SimGrid platform"));
}

// Entities that XML defines, and anything inside comments, are as good as other text.
TEST(SimgridXml, EntitiesAreRead) {
  const auto p = read(
      "<?xml version='1.0'?>\n<!-- a & b < c \" -->\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version='4.1'><zone id='z' routing='Full'>"
      "<host id='a&amp;b&#65;&#x42;' speed='1Gf'/></zone></platform>\n<!-- & -->\n");
  EXPECT_EQ(p->topology().name(VertexId{0}), "a&bAB");
}

TEST(SimgridXml, NoElement) {
  EXPECT_THAT(xml_error_of("<platform>"),
              HasSubstr("at the end of the file (Start-end tags mismatch)"));
  EXPECT_EQ(xml_error_of("<!-- nothing -->"),
            "p.xml:1:1: no XML element: accepted is one element <platform version=\"4.1\">");
}

// Three hosts of which only a and b are joined, by one link: two of the six ordered pairs have a
// route of one link, four have none.
TEST(SimgridXml, PairsWithoutARouteAreCounted) {
  for (const std::string routing : {"Full", "Floyd", "Dijkstra"}) {
    const auto p = read_platform("<zone id=\"z\" routing=\"" + routing + "\">\n" + kTwoHosts +
                                 "<host id=\"c\" speed=\"1Gf\"/>" + kLinks +
                                 "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>");
    const HopCounts hops = measure(*p).hops;
    EXPECT_EQ(hops.pairs, 2U) << routing;
    EXPECT_EQ(hops.cut_off, 4U) << routing;
    EXPECT_EQ(hops.most, 1U) << routing;
    EXPECT_EQ(hops.mean(), 1) << routing;
    EXPECT_FALSE(p->topology().can_wait_in_circles(RouteChoice::fixed)) << routing;
    EXPECT_EQ(longest_route(p->topology(), RouteChoice::fixed), 2U) << routing;
  }
}

// A route that nobody declared is missed when a message asks for it.
TEST(SimgridXml, MissingRoute) {
  for (const std::string routing : {"Full", "Floyd", "Dijkstra"}) {
    const auto p =
        read_platform("<zone id=\"z\" routing=\"" + routing + "\">\n" + kTwoHosts + "</zone>");
    try {
      route(*p, "a", "b");
      ADD_FAILURE() << "no error with routing " << routing;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("p.xml:2:2: zone 'z' declares no route from 'a' to 'b': "
                                      "accepted is <route src=\"a\" dst=\"b\"> with its links"));
    }
  }
}

TEST(SimgridXml, DeepNestingIsRefused) {
  std::string open;
  std::string close;
  for (int i = 0; i < 200; ++i) {
    open += "<zone id=\"z" + std::to_string(i) + "\" routing=\"Full\">\n";
    close += "</zone>";
  }
  EXPECT_THAT(platform_error(open + close), HasSubstr("zones nested more than 100 deep"));
}

TEST(SimgridXml, MissingFile) {
  EXPECT_THROW(read_simgrid_platform("/nowhere/p.xml"), InputError);
}

}  // namespace
}  // namespace heddle::platform
