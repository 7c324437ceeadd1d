// `heddle replay --threads` over the links of a machine.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// Of a run that went well.
std::string fingerprint_over_links(const std::string& arguments) {
  const Outcome outcome = heddle("replay --fingerprint " + arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::size_t at = outcome.out.find("fingerprint ");
  return at == outcome.out.npos ? outcome.err : outcome.out.substr(at, 28);
}

// A torus of 4,096 nodes, of which each of eight threads has 512: links and ranks are those of one
// thread. Of a fat tree with buses and 1,152 nodes two threads are all that have as many.
TEST(ReplayLinks, ThreadsGiveTheResultsOfOne) {
  const std::string torus =
      "-p torus-512 --set torus.dims=16,16,16 --pattern dissemination --set pattern.ranks=4096 "
      "--set pattern.size=700";
  const std::string tree =
      "-p bxi-v2-1k --network queue --pattern nearest-neighbour --set pattern.ranks=1152 "
      "--set pattern.iterations=2 --set pattern.compute=900 --set loggops.o=200ns";
  const std::string packets =
      "-p torus-512 --set torus.dims=16,16,16 --network packet --pattern binomial-bcast --set "
      "pattern.ranks=4096 --set pattern.size=5000";
  for (const std::string& run : {torus, tree, packets}) {
    const std::string one = fingerprint_over_links(run);
    EXPECT_THAT(one, HasSubstr("fingerprint "));
    for (const char* threads : {"2", "3", "8"}) {
      const Outcome outcome = heddle("replay --fingerprint " + run + " --threads " + threads);
      EXPECT_THAT(outcome.out, HasSubstr(one)) << threads;
      const bool all = run != tree || threads == std::string("2");
      EXPECT_EQ(outcome.err.find("--threads") == outcome.err.npos, all) << outcome.err;
    }
  }
}

// 64 ranks are not worth a second thread, and one more makes no difference to the results.
TEST(ReplayLinks, TooFewRanksAreReplayedByOneThreadAndItIsSaid) {
  const std::string run =
      "-p fat-tree-64 --network queue --pattern dissemination --set pattern.ranks=64";
  const Outcome outcome = heddle("replay --fingerprint " + run + " --threads 2");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr(fingerprint_over_links(run)));
  EXPECT_THAT(outcome.err,
              HasSubstr("--threads 2: one thread replayed this, for a thread should have 512 ranks "
                        "or more"));
}

TEST(ReplayLinks, OtherModelsAreRefused) {
  const Outcome outcome =
      heddle("replay -p fat-tree-64 --pattern dissemination --threads 2 --network fluid");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("--threads: accepted with --network loggops, queue and packet; "
                        "'fluid' is replayed by one thread"));
}

}  // namespace
}  // namespace heddle::cli
