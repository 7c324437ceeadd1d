// `heddle run --check` over programs that are wrong in one way each, and over right ones.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

std::string source_of(const std::string& name) {
  std::ifstream file(std::string(HEDDLE_PROGRAMS) + "/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const CompiledProgram& cases() {
  static const CompiledProgram program(source_of("check_cases.c"));
  return program;
}

// Each wrong program is told what it does, and the run ends with status 3 unless it has failed
// anyway; of a right one nothing is said, and it ends with 0.
TEST(RunMpiCheck, NamesWhatIsWrongAndBlamesNobodyElse) {
  ASSERT_EQ(cases().compilation().status, 0) << cases().compilation().err;
  std::istringstream list(heddle("run -q -n 1 ./program", cases().folder()).out);
  int number = 0;
  for (std::string name, ranks, found;
       std::getline(list, name, '|') && std::getline(list, ranks, '|') && std::getline(list, found);
       ++number) {
    const Outcome run =
        heddle("run -q --check -n " + ranks + " ./program " + name, cases().folder());
    if (found.empty()) {
      EXPECT_EQ(run.status, 0) << name << "\n" << run.err;
      EXPECT_EQ(run.err, "") << name;
    } else {
      EXPECT_THAT(run.err, HasSubstr(found)) << name;
      EXPECT_TRUE(run.status == 3 || run.status == 1) << name << "\n" << run.err;
    }
  }
  EXPECT_GT(number, 100);
}

// What messages through the adapters do is looked at in the same way.
TEST(RunMpiCheck, LooksAtOneSidedOperationsThroughAdapters) {
  for (const std::string name : {"two_puts_by_fences", "get_then_store_all_locked"}) {
    const Outcome run = heddle("run -q --check -n 3 --set mpi.transport=portals ./program " + name,
                               cases().folder());
    EXPECT_EQ(run.status, 3) << name << "\n" << run.err;
  }
  const Outcome right = heddle(
      "run -q --check -n 3 --set mpi.transport=portals ./program epochs_in_turn", cases().folder());
  EXPECT_EQ(right.status, 0) << right.err;
}

// The status: 3 with what was found; with `warn` the program's own; one of the program's that is
// not 0 stays; without --check nothing is looked for.
TEST(RunMpiCheck, HasAStatusOfItsOwn) {
  const CompiledProgram program(
      "#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char** argv) {\n"
      "  MPI_Group g; MPI_Init(&argc, &argv); MPI_Comm_group(MPI_COMM_WORLD, &g);\n"
      "  MPI_Finalize(); return atoi(argv[1]);\n}\n");
  const auto status = [&](const std::string& options, const char* own) {
    return heddle("run -n 2 " + options + " ./program " + own, program.folder()).status;
  };
  EXPECT_EQ(status("--check", "0"), 3);
  EXPECT_EQ(status("--check=error", "0"), 3);
  EXPECT_EQ(status("--check=warn", "0"), 0);
  EXPECT_EQ(status("--check=warn", "7"), 7);
  EXPECT_EQ(status("--check", "7"), 7);
  EXPECT_EQ(status("", "0"), 0);
  const Outcome refused = heddle("run -n 2 --check=3 ./program 0", program.folder());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("'3' is not accepted: accepted are error, warn"));
}

}  // namespace
}  // namespace heddle::cli
