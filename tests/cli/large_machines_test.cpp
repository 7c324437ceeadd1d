// Machines of a million nodes, of which little is used.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/program.hpp"
#include "sanitized.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class LargeMachines : public testing::TestWithParam<const char*> {
 protected:
  LargeMachines() {
    std::ofstream(folder_ / "machine.yaml") << GetParam();
    std::ofstream(folder_ / "few.txt")
        << "0us 0 n1048575 64KiB\n0us 3 1000 4KiB\n1us 700000 7 64\n";
  }
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "sanitizers keep memory of their own for all memory";
  }

  /// What `heddle` prints, which must take no more memory than that.
  std::string output_within(std::int64_t bytes, const std::string& arguments) const {
    const std::string command = "cd '" + folder_.path() + "' && exec " + HEDDLE_PROGRAM + " " +
                                arguments + " >out 2>err </dev/null";
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    int status = -1;
    rusage use{};
    EXPECT_EQ(wait4(child, &status, 0, &use), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << file_text(folder_ / "err");
    EXPECT_LE(use.ru_maxrss, bytes / 1024) << arguments;
    return file_text(folder_ / "out");
  }

  const TemporaryFolder folder_;
};

// 2^20 nodes have millions of cables: a byte for each place of a link would be 10 MB or more, 16
// bytes, as the network has them, 100 to 200. Three messages take what a machine of 64 nodes takes,
// and a description that looks for a narrow cut of a dragonfly some bytes for each of its cables.
// The longest way of these is five or six links, and 64 KiB at 100 Gb/s take 5.243 us.
TEST_P(LargeMachines, TakeMemoryForWhatIsUsed) {
  constexpr std::int64_t kMiB = 1 << 20;
  const std::string traffic = output_within(40 * kMiB, "traffic -p machine.yaml --file few.txt");
  EXPECT_THAT(traffic, HasSubstr("GB/s_per_sender"));
  EXPECT_THAT(traffic, HasSubstr("       3  69696"));
  output_within(40 * kMiB, "traffic -p machine.yaml --file few.txt --network loggops");
  output_within(40 * kMiB, "replay --pattern ring --set pattern.ranks=64 -p machine.yaml");
  output_within(40 * kMiB,
                "replay --pattern ring --set pattern.ranks=64 -p machine.yaml --network loggops");
  const std::string topo = output_within(
      150 * kMiB, "topo machine.yaml --route 0 n1048575 --size 64KiB --network queue");
  EXPECT_THAT(topo, HasSubstr("1048576"));
  EXPECT_THAT(topo, HasSubstr("64 KiB at 100 Gb/s  5.243 us"));
}

INSTANTIATE_TEST_SUITE_P(
    Of, LargeMachines,
    testing::Values("topology: {kind: fat-tree}\n"
                    "fat-tree: {down: [128, 128, 64], up: [1, 128, 128]}\n",
                    "topology: {kind: dragonfly}\n"
                    "dragonfly: {nodes_per_switch: 32, switches_per_group: 32,\n"
                    "            global_per_switch: 32, groups: 1024}\n"),
    [](const auto& test) { return std::string(test.index == 0 ? "FatTree" : "Dragonfly"); });

}  // namespace
}  // namespace heddle::cli
