// `heddle replay` by several threads, and by processes that `mpirun` starts: every reference
// schedule has the results of one.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// All schedules whose times are known from LogGOPSim.
std::set<std::string> reference_schedules() {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_DATA "/goal")) {
    if (entry.path().extension() == ".goal") paths.insert(entry.path().string());
  }
  return paths;
}

/// The line of the fingerprint, which stands for all times of all ranks, or what went wrong.
std::string fingerprint_of(const std::string& arguments) {
  const Outcome outcome = heddle("replay --fingerprint " + arguments);
  const std::size_t at = outcome.out.find("fingerprint ");
  return at == outcome.out.npos ? outcome.err : outcome.out.substr(at, 28);
}

// One, two, three and eight threads, of schedules with two ranks up to sixteen: no bit differs, and
// those that stall are told so in the same words.
TEST(ReplayThreads, GiveTheResultsOfOne) {
  const auto schedules = reference_schedules();
  EXPECT_GT(schedules.size(), 20U);
  for (const std::string& path : schedules) {
    const std::string one = fingerprint_of(path);
    for (const char* threads : {"2", "3", "8"}) {
      EXPECT_EQ(fingerprint_of(path + " --threads " + threads), one) << path << " " << threads;
    }
  }
}

// 4,096 ranks, so that windows hold work for all: the results are those of one thread, with noise
// of the system, too.
TEST(ReplayThreads, AreTheSameWithManyRanks) {
  const std::string run =
      "--pattern nearest-neighbour --set pattern.ranks=4096 --set pattern.iterations=5 "
      "--set pattern.compute=10000 --set noise.kind=periodic --set noise.period=100us "
      "--set noise.duration=1us --seed 3";
  const std::string one = fingerprint_of(run);
  EXPECT_THAT(one, HasSubstr("fingerprint "));
  for (const char* threads : {"2", "3", "8"}) {
    EXPECT_EQ(fingerprint_of(run + " --threads " + threads), one) << threads;
  }
}

}  // namespace
}  // namespace heddle::cli
