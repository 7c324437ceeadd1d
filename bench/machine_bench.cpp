// What a large machine costs before anything happens on it.
#include <malloc.h>

#include "cases.hpp"
#include "core/fiber.hpp"
#include "network/queue/queue_network.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::bench {
namespace {

/// 48 nodes on each of 48 * 48 switches in three levels: 110,592 nodes.
constexpr std::int64_t kArity = 48;
constexpr std::int64_t kLevels = 3;
constexpr double kNodes = 110'592;

platform::Platform fat_tree() {
  auto topology =
      std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(kArity, kLevels));
  auto routing = platform::make_routing("minimal", *topology);
  const platform::LinkParams link{Bandwidth::gbps(100), {}, Time::ns(100)};
  return {"fat tree", std::move(topology), std::move(routing), link, {}, {}, {}};
}

/// Bytes handed out by the allocator and not given back.
double allocated() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

Sample machine_bytes() {
  const double before = allocated();
  const platform::Platform platform = fat_tree();
  return {allocated() - before, kNodes};
}

Sample machine_and_queue_bytes() {
  const double before = allocated();
  const platform::Platform platform = fat_tree();
  Simulation simulation;
  const network::QueueNetwork network(simulation, platform, {});
  return {allocated() - before, kNodes};
}

}  // namespace

void add_machine_cases(Suite& suite) {
  const std::string name = "fat tree of 110,592 nodes: ";
  suite.cases.push_back(
      {"machine", name + "build", {1e3, "ms"}, [] { return timed(1, [] { fat_tree(); }); }});
  suite.cases.push_back({"machine", name + "description", {1, "B/node"}, machine_bytes});
  suite.cases.push_back(
      {"machine", name + "with idle 'queue' network", {1, "B/node"}, machine_and_queue_bytes});
}

}  // namespace heddle::bench
