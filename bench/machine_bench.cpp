// What a large machine costs: before anything happens on it, for a few messages, and for one of
// each node.
#include <unistd.h>

#include <fstream>

#include "cases.hpp"
#include "network/link_use.hpp"
#include "network/queue/queue_network.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::bench {
namespace {

platform::Platform fat_tree(const platform::FatTreeShape& shape) {
  auto topology = std::make_unique<platform::FatTree>(shape);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::LinkParams link{Bandwidth::gbps(100), {}, Time::ns(100)};
  return {"fat tree", std::move(topology), std::move(routing), link, {}, {}, {}};
}

/// 48 nodes on each of 48 * 48 switches in three levels: 110,592 nodes.
platform::FatTreeShape medium() {
  return platform::FatTreeShape::k_ary_n_tree(48, 3);
}
constexpr double kMediumNodes = 110'592;

/// Three levels, half of the ports of the last one unused: ports^3 / 2 nodes.
platform::FatTreeShape of_ports(std::int64_t ports) {
  return {{ports, ports, ports / 2}, {1, ports, ports}, {1, 1, 1}};
}

/// Memory of this process that is there; what was only asked for is not.
double resident() {
  double all = 0;
  double pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Sample machine_bytes() {
  const double before = resident();
  const platform::Platform platform = fat_tree(medium());
  return {resident() - before, kMediumNodes};
}

Sample machine_and_queue_bytes() {
  const double before = resident();
  const platform::Platform platform = fat_tree(medium());
  Simulation simulation;
  const network::QueueNetwork network(simulation, platform, {});
  return {resident() - before, kMediumNodes};
}

class Arrivals final : public network::TransferClient {
 public:
  void transfer_reached(network::Instant, std::uint64_t) override { ++count; }
  std::uint32_t count = 0;
};

/// Every `stride`th node sends 4 KiB to one as far away as can be; then the busiest links are
/// looked for. The memory of this process at the end.
double send_messages(const platform::Platform& platform, std::uint32_t stride) {
  Simulation simulation;
  network::QueueNetwork network(simulation, platform, {});
  Arrivals arrivals;
  const std::uint32_t nodes = platform.nodes();
  for (std::uint32_t n = 0; n < nodes; n += stride) {
    network::Transfer transfer;
    transfer.source.node = NodeId{n};
    transfer.destination.node = NodeId{nodes - 1 - n};
    transfer.size = Bytes(4096);
    transfer.client = &arrivals;
    network.start(transfer);
  }
  simulation.run();
  const network::LinkSpan span{{}, network.carried(), simulation.now()};
  const bool all = arrivals.count == nodes / stride;
  if (!all || busiest_links(platform, span, 5).size() != 5) std::abort();
  return resident();
}

/// 16 messages on 2^20 nodes.
constexpr std::uint32_t kFew = 1U << 16;

Sample few_messages() {
  return timed(1, [] { send_messages(fat_tree(of_ports(128)), kFew); });
}

Sample few_messages_bytes() {
  const double before = resident();
  const platform::Platform platform = fat_tree(of_ports(128));
  return {send_messages(platform, kFew) - before, 1};
}

Sample message_of_each_node(std::int64_t ports) {
  const platform::Platform platform = fat_tree(of_ports(ports));
  return timed(platform.nodes(), [&] { send_messages(platform, 1); });
}

}  // namespace

void add_machine_cases(Suite& suite) {
  const std::string name = "fat tree of 110,592 nodes: ";
  suite.cases.push_back({"machine", name + "build", {1e3, "ms"}, [] {
                           return timed(1, [] { fat_tree(medium()); });
                         }});
  suite.cases.push_back({"machine", name + "description", {1, "B/node"}, machine_bytes});
  suite.cases.push_back(
      {"machine", name + "with idle 'queue' network", {1, "B/node"}, machine_and_queue_bytes});
  const std::string few = "fat tree of 2^20 nodes, 16 messages";
  suite.cases.push_back({"machine", few, {1e3, "ms"}, few_messages});
  suite.cases.push_back({"machine", few + ", memory", {1e-6, "MB"}, few_messages_bytes});
  for (const auto& [ports, exponent] : {std::pair{32, 14}, {64, 17}, {128, 20}}) {
    suite.cases.push_back({"machine",
                           "a message of each of 2^" + std::to_string(exponent) + " nodes",
                           {1e9, "ns/message"},
                           [ports = ports] { return message_of_each_node(ports); }});
  }
  suite.growths.push_back(
      {"a message of each of 2^14 nodes", "a message of each of 2^20 nodes", 64, 1.25});
}

}  // namespace heddle::bench
