// Ultra Ethernet's congestion controls against what another simulator of them, htsim, finished
// with: 2 MB messages in 490 packets of up to 4150 B over a full fat tree of three tiers, cables of
// 100 Gb/s and 1 us, switches without latency.
//
// There a switch passes a packet on when all of it is there, here when its head is; there a message
// ends when its source has heard so, here when it has arrived. So the times here are given 5 *
// 0.332 us more, of a packet at five switches, and 6.03 us, the way of the last acknowledgement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "network/support.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

const std::string kSubject = "Ultra Ethernet's congestion controls against htsim";
constexpr std::int64_t kMessage = 2'000'000;

struct Traffic {
  std::uint32_t nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};
/// i to (i + n/2) mod n.
Traffic shift(std::uint32_t nodes) {
  Traffic traffic{nodes, {}};
  for (std::uint32_t i = 0; i < nodes; ++i) traffic.pairs.emplace_back(i, (i + nodes / 2) % nodes);
  return traffic;
}
/// So many of the second half to node 0.
Traffic incast(std::uint32_t nodes, std::uint32_t sources) {
  Traffic traffic{nodes, {}};
  for (std::uint32_t i = 0; i < sources; ++i) traffic.pairs.emplace_back(nodes / 2 + i, 0);
  return traffic;
}

platform::Platform fat_tree(std::uint32_t nodes, const std::string& routing,
                            const Settings& settings) {
  const std::int64_t half = nodes == 16 ? 2 : 4;
  auto topology = std::make_unique<platform::FatTree>(
      platform::FatTreeShape{{half, half, 2 * half}, {1, half, half}, {1, 1, 1}});
  auto chosen = platform::make_routing(routing, *topology, {}, settings);
  const platform::LinkParams link{Bandwidth::gbps(100), {}, Time::us(1), platform::Duplex::full};
  return {"fat tree",
          std::move(topology),
          std::move(chosen),
          link,
          platform::SwitchParams{Time::zero()},
          {},
          {}};
}

struct Finish {
  double first;  ///< In us.
  double mean;
  double last;
  PacketCounts packets;
};

/// Over all ways, or over the one that a hash by `ecmp_seed` gives each pair.
Finish finish(const Traffic& traffic, const std::vector<std::string>& controls,
              std::optional<int> ecmp_seed = {}) {
  Settings settings(platform::routing_sections());
  if (ecmp_seed) settings.assign("ecmp.seed=" + std::to_string(*ecmp_seed), {});
  const platform::Platform platform =
      fat_tree(traffic.nodes, ecmp_seed ? "ecmp" : "spray", settings);
  std::vector<std::string> assignments = {
      "packet.flow_control=lossy", "lossy.full=trim",       "lossy.queue=178450B",
      "packet.flit=50B",           "packet.header=64B",     "packet.max_packet=4150B",
      "packet.switch_output=84",   "packet.host_output=84", "packet.paths=128"};
  if (!ecmp_seed) assignments.emplace_back("packet.path_by=mixed");
  assignments.insert(assignments.end(), controls.begin(), controls.end());
  Bed bed("packet", platform, assignments);
  for (std::size_t i = 0; i < traffic.pairs.size(); ++i) {
    bed.send(i, traffic.pairs[i].first, traffic.pairs[i].second, kMessage);
  }
  bed.simulation.run();
  Finish found{1e30, 0, 0, bed.network->packets_arrived()};
  constexpr double kForwardingUs = 5 * 0.332;
  constexpr double kAckUs = 6.03;
  for (std::size_t i = 0; i < traffic.pairs.size(); ++i) {
    const double us = bed.recorder.at(i).seconds() * 1e6 + kForwardingUs + kAckUs;
    found.first = std::min(found.first, us);
    found.last = std::max(found.last, us);
    found.mean += us / static_cast<double>(traffic.pairs.size());
  }
  return found;
}

const std::vector<std::string> kNscc = {"packet.congestion=nscc"};
const std::vector<std::string> kRccc = {"packet.congestion=rccc"};

/// The share of the last in what a peer needed; no message ends before its packets can have passed
/// the cables.
void compare(const std::string& what, const Finish& found, double published, double allowed,
             double floor) {
  const double error = 100 * (found.last - published) / published;
  validation_row(kSubject, what + ": last",
                 fmt::format("{:.1f} us, {} packets again", found.last, found.packets.sent_again),
                 fmt::format("{:.1f} us", published), fmt::format("{:+.2f} %", error),
                 fmt::format("{} %, at least {:.1f} us", allowed, floor));
  EXPECT_LT(std::abs(error), allowed) << what;
  EXPECT_GE(found.last, floor) << what;
}

/// 490 packets of 332 ns; of one flow, with the way there and back.
constexpr double kSerialUs = 2'000'000.0 / 4'086 * 0.332;
constexpr double kOneUs = kSerialUs + 6 + 5 * 0.332 + 6.03;

// All within 1 %.
TEST(UltraEthernet, OneFlow) {
  const Traffic one{16, {{0, 8}}};
  compare("NSCC, one flow", finish(one, kNscc), 176.2, 1, kOneUs - 0.1);
  compare("RCCC, one flow", finish(one, kRccc), 177.368, 1, kOneUs - 0.1);
}

void compare_shifts(std::uint32_t nodes, double nscc, double rccc) {
  const std::string of = fmt::format("shift of {} hosts, spraying", nodes);
  compare("NSCC, " + of, finish(shift(nodes), kNscc), nscc, 5, kOneUs - 0.1);
  compare("RCCC, " + of, finish(shift(nodes), kRccc), rccc, 5, kOneUs - 0.1);
}
void compare_incasts(std::uint32_t nodes, std::uint32_t sources, double nscc, double rccc) {
  const std::string of = fmt::format("{} to 1 of {} hosts", sources, nodes);
  compare("NSCC, " + of, finish(incast(nodes, sources), kNscc), nscc, 3, sources * kSerialUs);
  compare("RCCC, " + of, finish(incast(nodes, sources), kRccc), rccc, 3, sources * kSerialUs);
}
/// Where a hash gives each pair its way, luck decides: the peer's last lies among those of five
/// seeds, or no further from them than these are apart.
void compare_hashed(const std::string& control, std::uint32_t nodes, double published) {
  double least = 1e30;
  double most = 0;
  for (int seed = 1; seed <= 5; ++seed) {
    const double last = finish(shift(nodes), {"packet.congestion=" + control}, seed).last;
    least = std::min(least, last);
    most = std::max(most, last);
  }
  validation_row(kSubject,
                 fmt::format("{}, shift of {} hosts, a way by a hash: last", control, nodes),
                 fmt::format("{:.1f} to {:.1f} us, five seeds", least, most),
                 fmt::format("{:.1f} us", published), "", "within");
  EXPECT_GE(published, least);
  EXPECT_LE(published, most);
}

TEST(UltraEthernet, Of16Hosts) {
  compare_shifts(16, 190.759, 195.444);
  compare_incasts(16, 8, 1350.9, 1315.28);
  compare_hashed("nscc", 16, 414.068);
  compare_hashed("rccc", 16, 404.438);
}

TEST(UltraEthernet, Of128Hosts) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  compare_shifts(128, 195.712, 197.24);
  compare_incasts(128, 8, 1315.94, 1315.31);
  compare_incasts(128, 64, 10473.8, 10527.6);
  compare_hashed("nscc", 128, 722.917);
  compare_hashed("rccc", 128, 823.608);
}

// How the ways are chosen: the last of 128 hosts. One that goes by no news depends on luck.
TEST(UltraEthernet, WaysOf128Hosts) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  const std::pair<const char*, double> all[] = {
      {"oblivious", 211.233}, {"bitmap", 196.992}, {"reps", 202.877}, {"mixed", 195.712}};
  for (const auto& [by, published] : all) {
    compare(fmt::format("NSCC, shift of 128 hosts, packet.path_by={}", by),
            finish(shift(128), {"packet.congestion=nscc", fmt::format("packet.path_by={}", by)}),
            published, 15, kOneUs - 0.1);
  }
}

}  // namespace
}  // namespace heddle::network
