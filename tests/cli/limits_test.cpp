// Limits of the computer that ranks run on, and values that contradict themselves.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"
#include "core/sanitizer.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RunLimits : public testing::Test {
 protected:
  RunLimits()
      : program_(
            "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char** v) {\n"
            "  MPI_Init(&c, &v);\n  puts(\"said\");\n  MPI_Finalize();\n  return 0;\n}\n") {}
  void SetUp() override {
    ASSERT_EQ(program_.compilation().status, 0) << program_.compilation().err;
  }
  Outcome run(const std::string& before, const std::string& options) const {
    return shell(before + std::string(HEDDLE_PROGRAM) + " run -q " + options + " ./program",
                 program_.folder());
  }
  void expect_refused(const std::string& options, const std::string& text) const {
    const Outcome outcome = run("", "-n 2 " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(text)) << options;
  }

  CompiledProgram program_;
};

// A batch system's limit of 2 GB: two ranks want no more than they need, a thousand are too many,
// and the error says what to raise.
TEST_F(RunLimits, OfTheAddressSpaceLeaveRoomForFewRanks) {
#ifdef HEDDLE_ASAN
  GTEST_SKIP() << "sanitizers want all of it";
#endif
  const Outcome two = run("ulimit -v 2000000; ", "-n 2");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(two.out, "said\nsaid\n");
  const Outcome many = run("ulimit -v 2000000; ", "-n 1000");
  EXPECT_EQ(many.status, 1);
  EXPECT_THAT(many.err, AllOf(HasSubstr("raise the limit on virtual memory (ulimit -v)"),
                              HasSubstr("--stack")));
}

TEST_F(RunLimits, OfValuesThatMeanNothing) {
  expect_refused("--fidelity '2ms:portals/packet, 1ms:hybrid/queue'",
                 "the times are not in their order");
  expect_refused("--trace-only time=2ms:1ms --perfetto p.json", "ends before it begins");
  expect_refused("--set mpi.send_overhead=5", "'5' is not a valid mpi.send_overhead");
}

}  // namespace
}  // namespace heddle::cli
