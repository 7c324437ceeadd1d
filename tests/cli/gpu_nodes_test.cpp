// Nodes of GPUs that are built in: what NCCL's rings reach on them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "temporary_file.hpp"

namespace heddle::cli {
namespace {

/// Microseconds of an all-reduce of 256 MiB by rings, in Simple, over idle links.
double ring_us(const std::string& machine, int gpus, int per_node) {
  const Outcome run = heddle(
      "replay --pattern nccl --set nccl.size=256MiB --set nccl.algorithm=ring --set "
      "nccl.protocol=simple --network queue --json - -p " +
      machine + " --set nccl.ranks=" + std::to_string(gpus) + " --set nccl.ranks_per_node=" +
      std::to_string(per_node) + " --ranks-per-node " + std::to_string(per_node));
  EXPECT_EQ(run.status, 0) << run.err;
  return nlohmann::json::parse(run.out)["makespan_ps"].get<double>() / 1e6;
}

constexpr double kSize = 256 * 1024 * 1024;

// Each of 8 GPUs sends 2 x 7/8 of the data over its cable of 450 GB/s: 1044 us. On two nodes it is
// 2 x 15/16, which all rings of a node send by its eight adapters of 50 GB/s together: 1258 us. The
// latencies of the steps are hidden but for some.
TEST(GpuNodes, EightWithRails) {
  EXPECT_NEAR(ring_us("gpu-h100-256", 8, 8), 1.75 * kSize / 450e3, 3);
  EXPECT_NEAR(ring_us("gpu-h100-256", 16, 8), 1.875 * kSize / 400e3, 5);
}

// Four GPUs: 2 x 3/4 over 300 GB/s; eight on two nodes: 2 x 7/8 over four adapters of 25 GB/s.
TEST(GpuNodes, FourWithRails) {
  EXPECT_NEAR(ring_us("gpu-a100-256", 4, 4), 1.5 * kSize / 300e3, 3);
  EXPECT_NEAR(ring_us("gpu-a100-256", 8, 4), 1.75 * kSize / 100e3, 10);
}

// A schedule in text says which of its ranks are switches: what was generated is replayed as the
// pattern is, on nodes of the size that it is for, and only where switches reduce.
TEST(GpuNodes, SchedulesSayWhichRanksAreSwitches) {
  const std::string settings = "--set nccl.size=4MiB --set nccl.algorithm=nvls ";
  const TemporaryFile goal("");
  ASSERT_EQ(heddle("goal generate nccl --size 4MiB --algorithm nvls -o " + goal.path).status, 0);
  const auto finish = [](const std::string& arguments) {
    const Outcome outcome =
        heddle("replay " + arguments + " --network queue --json - -p gpu-h100-256");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["makespan_ps"].get<std::int64_t>();
  };
  EXPECT_EQ(finish(goal.path), finish("--pattern nccl " + settings));
  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome = heddle("replay " + goal.path + " " + arguments);
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(refused("-p gpu-a100-256"), testing::HasSubstr("gpu-h100-256"));
  EXPECT_THAT(refused("-p gpu-h100-256 --ranks-per-node 4"), testing::HasSubstr("accepted is 8"));
  EXPECT_THAT(refused("-p gpu-h100-256 --network packet"),
              testing::HasSubstr("accepted for this schedule are loggops, queue and fluid"));
}

}  // namespace
}  // namespace heddle::cli
