// Operating-system noise on the ranks of a program.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

const std::string kNoise =
    "--set noise.kind=periodic --set noise.period=100us --set noise.duration=10us ";

// A millisecond of computation begins ten interruptions of 10 us, or one less or more by where the
// rank stands in the pattern: 1.09 to 1.11 ms. Without noise it is 1 ms.
TEST(Noise, MakesComputationLonger) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      heddle_compute(1e-3);
      printf("%d\n", (int)(heddle_time() * 1e6 + 0.5));
    })");
  EXPECT_EQ(program.run("-n 1").out, "1000\n");
  const int us = std::stoi(program.run(kNoise + "-n 1").out);
  EXPECT_GE(us, 1090);
  EXPECT_LE(us, 1110);
  const std::string random = "--set noise.kind=exponential --set noise.period=100us -n 8 ";
  EXPECT_EQ(program.run(random + "--seed 7").out, program.run(random + "--seed 7").out);
  EXPECT_NE(program.run(random + "--seed 7").out, program.run(random + "--seed 8").out);
}

// Two ranks in lock-step: each swaps its word into the other's place until it finds that the other
// has not done so in the same instant, which takes for ever on a perfect machine. Interruptions of
// calls end it.
TEST(Noise, BreaksPerfectSymmetry) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      char key[32];
      for (int round = 0; round < 5000; ++round) {
        sprintf(key, "%d", round);
        double time = heddle_time(), other;
        heddle_put(key, &time, sizeof time);
        heddle_fence();
        heddle_get(1 - heddle_rank(), key, &other, sizeof other);
        if (time != other) { printf("apart\n"); return 0; }
      }
      printf("together\n");
    })");
  EXPECT_EQ(program.run("-n 2").out, "together\ntogether\n");
  EXPECT_EQ(program.run(kNoise + "-n 2").out, "apart\napart\n");
}

TEST(Noise, SaysWhatIsAccepted) {
  const CompiledProgram program("int main(void) { return 0; }");
  EXPECT_THAT(program.run("--set noise.kind=trace").err, HasSubstr("noise.file is expected"));
}

}  // namespace
}  // namespace heddle::cli
