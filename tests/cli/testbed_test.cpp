// `heddle testbed`, with figures that were recorded.
#include <gmock/gmock.h>

#include <fmt/core.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A network of 25 Mb/s: 10.5 us for nothing, and 335 ns for each byte. A ring takes what a message
/// takes; one that took twice as long is no such network.
std::string figures(double ring) {
  std::string text = "test,ranks,bytes,least_us,median_us\n";
  for (const int bytes : {0, 64, 1024, 8192, 65536}) {
    const double time = 10.5 + 0.335 * bytes;
    text += fmt::format("lat,2,{0},{1:.3f},{1:.3f}\n", bytes, time);
    const double window = 8 * 0.335 * bytes + 21;
    if (bytes > 0) text += fmt::format("bw,2,{0},{1:.3f},{1:.3f}\n", bytes, window);
    if (bytes > 1024) text += fmt::format("ring,8,{0},{1:.3f},{1:.3f}\n", bytes, ring * time);
  }
  return text;
}

/// What a host sends to seven others at once, with two pieces of 4 KiB of each in line at its
/// cable: of 16 pieces each, the last two of all come one pair after the other, at the places 100,
/// 102 and so on of 112.
std::string outcasts() {
  std::string text;
  for (int k = 1; k <= 7; ++k) {
    text += fmt::format("outcast-{0},8,65536,{1:.3f},{1:.3f}\n", k, 153'600.0 * (98 + 2 * k) / 112);
  }
  return text;
}

class TestbedTest : public testing::Test {
 protected:
  Outcome testbed(double ring) const {
    std::ofstream(folder_ / "star-eager.csv") << figures(ring);
    return heddle(
        "testbed --recorded --native . --topology star --eager eager --network queue --rows",
        folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(TestbedTest, ComparesWithWhatWasRecorded) {
  const Outcome outcome = testbed(1);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("8 hosts of 25 Mb/s, one switch, all messages eager (recorded)"));
  EXPECT_THAT(outcome.out, HasSubstr("| ring | queue "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("beyond")));
}

TEST_F(TestbedTest, SaysWhatIsBeyondWhatIsAllowed) {
  const Outcome outcome = testbed(2);
  EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("beyond"));
}

TEST_F(TestbedTest, LearnsWhatIsInLineAtACable) {
  std::ofstream(folder_ / "star-eager.csv") << figures(1) << outcasts();
  const Outcome outcome =
      heddle("testbed --recorded --native . --topology star --eager eager --network packet",
             folder_.path());
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("from outcasts: packet.send_window=8KiB, packet.unevenness=0.0"));
}

TEST_F(TestbedTest, MissesWhatWasNotRecorded) {
  const Outcome outcome = heddle("testbed --recorded --native . --topology tree", folder_.path());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("tree-eager.csv is not there"));
  EXPECT_EQ(heddle("testbed --topology ring", folder_.path()).status, 2);
}

}  // namespace
}  // namespace heddle::cli
