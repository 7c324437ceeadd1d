// Memory is for what messages use, not for all that a machine has.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "network/link_use.hpp"
#include "network/support.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/fat_tree.hpp"
#include "sanitized.hpp"

namespace heddle::network {
namespace {

constexpr std::uint32_t kNodes = 1U << 20;

/// Of this process.
std::int64_t resident_bytes() {
  std::int64_t all = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

platform::Platform machine_of(std::unique_ptr<platform::Topology> topology) {
  auto routing = platform::make_routing("minimal", *topology);
  const MachineParams params;
  return {"large",     std::move(topology), std::move(routing),
          params.link, params.switches,     params.node,
          {}};
}

/// Routes are as long as that, the two cables of the nodes included.
void expect_little_memory(const platform::Platform& platform, std::int64_t before,
                          const std::string& model, std::size_t links) {
  ASSERT_EQ(platform.nodes(), kNodes);
  Bed bed(model, platform);
  for (std::uint32_t m = 0; m < 8; ++m) bed.send(m, m * 1000, kNodes - 1 - m * 100'000, 4096);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.count(), 8U);
  const LinkSpan span{{}, bed.network->carried(), bed.simulation.now()};
  EXPECT_EQ(busiest_links(platform, span, kNodes).size(), 8 * links);
  EXPECT_LE(resident_bytes() - before, std::int64_t{8} << 20) << model;
}

// A fat tree of 2^20 nodes has 6.3 million links, and as many places for links within nodes: 16
// bytes for each are 200 MB. Eight messages cross six of them each: one on each side of the root
// for each level. Their state, what is known of the links, and what they carried lie in some
// hundred pages of 4 KiB, less than a megabyte, in the place of half a gigabyte.
TEST(LargeMachine, AFatTreeTakesMemoryForLinksThatMessagesCross) {
  if (kSanitized) GTEST_SKIP() << "sanitizers keep memory of their own for all memory";
  const std::int64_t before = resident_bytes();
  const platform::Platform platform = machine_of(std::make_unique<platform::FatTree>(
      platform::FatTreeShape{{128, 128, 64}, {1, 128, 128}, {1, 1, 1}, kNodes}));
  expect_little_memory(platform, before, "queue", 6);
  expect_little_memory(platform, before, "loggops", 0);
}

}  // namespace
}  // namespace heddle::network
