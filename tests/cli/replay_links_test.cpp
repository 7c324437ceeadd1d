// `heddle replay --threads` over the links of a machine.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Of a run that went well.
std::string fingerprint_over_links(const std::string& arguments) {
  const Outcome outcome = heddle("replay --fingerprint " + arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::size_t at = outcome.out.find("fingerprint ");
  return at == outcome.out.npos ? outcome.err : outcome.out.substr(at, 28);
}

// 1,152 nodes of a fat tree with buses, and a torus of 4,096: links, ranks and busiest links are
// those of one thread. A thread has 128 ranks or more, so all eight have work.
TEST(ReplayLinks, ThreadsGiveTheResultsOfOne) {
  for (const std::string run :
       {"-p bxi-v2-1k --network queue --pattern nearest-neighbour --set pattern.ranks=1152 "
        "--set pattern.iterations=2 --set pattern.compute=900 --set loggops.o=200ns",
        "-p torus-512 --set torus.dims=16,16,16 --pattern dissemination "
        "--set pattern.ranks=4096 --set pattern.size=700"}) {
    const std::string one = fingerprint_over_links(run);
    EXPECT_THAT(one, HasSubstr("fingerprint "));
    for (const char* threads : {"2", "3", "8"}) {
      const Outcome outcome = heddle("replay --fingerprint " + run + " --threads " + threads);
      EXPECT_THAT(outcome.out, HasSubstr(one)) << threads;
      EXPECT_THAT(outcome.err, Not(HasSubstr("--threads"))) << threads;
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
              HasSubstr("--threads 2: one thread replayed this, for a thread should have 128 ranks "
                        "or more"));
}

TEST(ReplayLinks, OtherModelsAreRefused) {
  for (const std::string model : {"fluid", "packet"}) {
    const Outcome outcome =
        heddle("replay -p fat-tree-64 --pattern dissemination --threads 2 --network " + model);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--threads: accepted with --network loggops and queue; '" +
                                       model + "' is replayed by one thread"));
  }
}

}  // namespace
}  // namespace heddle::cli
