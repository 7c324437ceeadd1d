#include "traffic/parts/division.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "network/packet/packet_network.hpp"
#include "network/parts/row.hpp"
#include "network/queue/queue_network.hpp"

namespace heddle::traffic {
namespace {

using network::FabricCut;
using platform::Platform;

/// Why the network is one thread's, or "".
std::string indivisible(network::Network& network, const Platform& platform) {
  if (const network::PacketNetwork* const packets = network::packet_network_of(network)) {
    if (const std::string why = packets->indivisible(); !why.empty()) return why;
  } else if (const network::QueueLinks* const links = network::queue_links_of(network)) {
    if (links->may_fail()) return "links that fail while messages are under way are one thread's";
  } else {
    return "only the links of the models queue and packet can be divided, with one adapter to a "
           "node";
  }
  return network::indivisible(platform);
}

/// Why those who look on see one thread only, or "".
std::string watched(const TrafficWatch& watch, WorkloadKind kind) {
  if (watch.watcher != nullptr) return "one thread records what it simulates";
  if (watch.messages != nullptr && !kind.numbered) {
    return "one thread numbers messages as they are sent";
  }
  return "";
}

/// By node, the parts being stretches of nodes: those of one switch together, if that gives as
/// many.
std::vector<std::uint16_t> parts_of_nodes(const Platform& platform,
                                          const std::vector<NodeId>& senders, std::size_t parts) {
  const std::uint32_t nodes = platform.nodes();
  std::vector<std::uint8_t> sends(nodes, 0);
  for (const NodeId node : senders) sends[index(node)] = 1;
  // Messages arrive at all nodes alike, as far as is known.
  const auto weight = [&](std::size_t n) { return std::uint64_t{1} + sends[n]; };
  const std::vector<std::uint32_t> homes = network::homes_of(platform.topology());
  std::vector<std::uint32_t> first(platform.topology().vertices(), UINT32_MAX);
  network::Row row(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    std::uint32_t& before = first[homes[n]];
    if (before != UINT32_MAX) row.join(before, n);
    before = n;
  }
  std::vector<std::uint32_t> begins = row.cut(parts, weight);
  if (begins.size() <= parts) begins = network::Row(nodes).cut(parts, weight);
  std::vector<std::uint16_t> part_of(nodes);
  for (std::uint16_t p = 0; p + 1U < begins.size(); ++p) {
    std::fill(part_of.begin() + begins[p], part_of.begin() + begins[p + 1], p);
  }
  return part_of;
}

/// The latency of the last link that leads to a node: it is known so long before when a message
/// arrives there.
Time last_latency(const Platform& platform, From from) {
  const platform::Port port = port_of(from);
  const platform::NoLoads idle;
  Time least = Time::never();
  for (std::uint32_t n = 0; n < platform.nodes(); ++n) {
    platform::Walk walk =
        platform.routes().walk({NodeId{(n + 1) % platform.nodes()}, port}, {NodeId{n}, port}, 0);
    Time last;
    for (LinkId link = platform.routes().next(walk, idle); link != kNoLink;
         link = platform.routes().next(walk, idle)) {
      last = platform.routes().latency(walk, link);
    }
    least = std::min(least, last);
  }
  const platform::Topology& topology = platform.topology();
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    if (topology.is_switch(topology.ends(LinkId{l}).to)) continue;
    least = std::min(least, platform.links()[LinkId{l}].latency);
  }
  return least;
}

/// From when it is known that a message arrives, or it has arrived, to its source's sending another
/// one: at least this.
Time answer_time(const Platform& platform, From from, bool over_packets) {
  if (!over_packets) return last_latency(platform, from);
  Time receive = Time::never();
  Time send = Time::never();
  for (std::uint32_t n = 0; n < platform.nodes(); ++n) {
    receive = std::min(receive, platform.nic(NodeId{n}).receive_overhead);
    send = std::min(send, platform.nic(NodeId{n}).send_overhead);
  }
  return receive + send;
}

}  // namespace

Divided divide(const Sweep& sweep, const std::vector<NodeId>& senders, WorkloadKind kind) {
  const std::size_t wanted = sweep.watch.threads;
  if (wanted < 2) return {};
  if (const std::string why = watched(sweep.watch, kind); !why.empty()) return {{}, why};
  const Platform& platform = sweep.platform;
  auto clock = std::make_unique<Simulation>(static_cast<std::uint64_t>(sweep.config.seed));
  auto network = network::make_network(sweep.network, *clock, platform, sweep.settings);
  if (const std::string why = indivisible(*network, platform); !why.empty()) return {{}, why};
  const std::size_t parts =
      std::min<std::size_t>(wanted, platform.nodes() / sweep.watch.least_nodes);
  std::string why;
  if (parts < wanted) {
    why = fmt::format("a thread should have {} nodes or more", sweep.watch.least_nodes);
  }
  if (parts < 2) return {{}, why};

  const bool over_packets = network::packet_network_of(*network) != nullptr;
  FabricCut cut(platform, parts_of_nodes(platform, senders, parts), parts, over_packets);
  Time window = cut.window();
  if (window == Time::zero()) return {{}, "cables between parts have no latency"};
  if (kind.closed) {
    window = std::min(window, answer_time(platform, sweep.config.from, over_packets));
    if (window == Time::zero()) return {{}, "sources hear at once that a message has arrived"};
  }
  std::vector<std::vector<NodeId>> by_part(parts);
  for (const NodeId node : senders) by_part[cut.part_of(node)].push_back(node);
  return {
      Division{std::move(clock), std::move(network), std::move(cut), window, std::move(by_part)},
      why};
}

}  // namespace heddle::traffic
