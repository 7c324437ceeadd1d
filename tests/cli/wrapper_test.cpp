// heddlecc and heddlecxx in the place of the compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// A project whose makers ask for a compiler by CC and CXX.
struct CompilerProject : Project {
  CompilerProject(std::initializer_list<std::pair<std::string, std::string>> files)
      : Project(files, "CC=heddlecc CXX=heddlecxx") {}
};

constexpr const char* kPlainMain =
    "#include <heddle.h>\n#include <stdio.h>\nint helper(void);\n"
    "int main(void) { printf(\"%d %d\\n\", heddle_rank(), helper()); return 0; }\n";
constexpr const char* kHelper = "static int count;\nint helper(void) { return ++count; }\n";

TEST(Wrapper, TakesWhatTheCompilerTakes) {
  const CompilerProject project(
      {{"main.c", kPlainMain}, {"helper.c", kHelper}, {"args", "-c 'helper.c' -O2"}});
  EXPECT_EQ(project("$CC -c main.c -o main.o && $CC @args && $CC main.o helper.o -o a").err, "");
  EXPECT_EQ(project.run("-n 2 ./a").out, "0 1\n1 1\n");
  // Preprocessing, dependencies and reading from the standard input.
  EXPECT_THAT(project("$CC -E main.c").out, HasSubstr("heddle_rank"));
  EXPECT_THAT(project("$CC -MM main.c").out, HasSubstr("main.o: main.c"));
  EXPECT_EQ(project("$CC -xc -c -o in.o - < helper.c").status, 0);
  // A language that is named is the sources' alone.
  EXPECT_EQ(project("cp main.c main.txt && $CC -x c main.txt helper.c -o named").err, "");
  EXPECT_EQ(project.run("-n 1 ./named").out, "0 1\n");
  EXPECT_EQ(project("cat main.c helper.c | $CC -x c - -o piped").err, "");
  EXPECT_EQ(project.run("-n 1 ./piped").out, "0 1\n");
  EXPECT_THAT(project("$CC --version").out, HasSubstr("gcc"));
  EXPECT_EQ(project("$CC -v").status, 0);
  // What would make a program that cannot be loaded is left out.
  EXPECT_EQ(project("$CC -fno-pic -no-pie -static main.c helper.c -o b").status, 0);
  EXPECT_EQ(project.run("-n 1 ./b").out, "0 1\n");
  EXPECT_EQ(project("$CC -c missing.c").status, 1);
}

// A Makefile that knows no names but those of other implementations works with the folder of such
// names on the PATH: compilers of C, C++ and Fortran, and a launcher with the options of others.
TEST(Wrapper, NamesOfOtherImplementationsOnThePath) {
  const CompilerProject project(
      {{"hello.c",
        "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char** v) { int r, n; "
        "MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &n); "
        "printf(\"%d of %d\\n\", r, n); return MPI_Finalize(); }\n"},
       {"Makefile",
        "all: c cxx\n\tmpirun --oversubscribe -np 2 ./c\n\tmpiexec -n 1 ./cxx\n"
        "c: hello.c\n\tmpicc -O1 hello.c -o c\ncxx: hello.c\n\tmpicxx -x c++ hello.c -o cxx\n"}});
  const Outcome outcome = project(
      "PATH=$(dirname $(which heddlecc))/mpi-names:$PATH HEDDLE_RUN='-q -p fat-tree-64' "
      "make -s");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "0 of 2\n1 of 2\n0 of 1\n");
}

// Symbols that nothing defines are found when linking, those of Heddle are there.
TEST(Wrapper, LinkingFindsMissingSymbols) {
  const CompilerProject project(
      {{"main.c", kPlainMain},
       {"probe.c", "int heddle_rank(); int main() { return heddle_rank(); }"}});
  EXPECT_NE(project("$CC main.c -o a").status, 0);
  EXPECT_EQ(project("$CC -Wl,--no-undefined probe.c -o probe -lportals").status, 0);
}

// SMPI's own mpi.h has macros that ours leaves to a header of theirs: who lacks them is told which.
TEST(Wrapper, NamesTheHeaderOfSmpisMacros) {
  const CompilerProject project(
      {{"shared.c", "void* SMPI_SHARED_CALL(); int main() { return SMPI_SHARED_CALL() != 0; }"},
       {"other.c", "void* other(); int main() { return other() != 0; }"}});
  const Outcome shared = project("$CC shared.c -o a");
  EXPECT_NE(shared.status, 0);
  EXPECT_THAT(shared.err, testing::AllOf(HasSubstr("undefined reference"),
                                         HasSubstr("come with -include smpi/smpi.h")));
  const Outcome other = project("$CC other.c -o a");
  EXPECT_NE(other.status, 0);
  EXPECT_THAT(other.err, testing::Not(HasSubstr("smpi")));
}

// A program that needs the simulated machine says so; one that does not runs, as configure scripts
// expect.
TEST(Wrapper, ProgramsStartedByThemselves) {
  const CompilerProject project(
      {{"main.c", kPlainMain}, {"helper.c", kHelper}, {"plain.c", "int main() { return 3; }"}});
  ASSERT_EQ(project("$CC main.c helper.c -o a && $CC plain.c -o plain").status, 0);
  const Outcome outcome = project("./a");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("start it with `heddle run`"));
  EXPECT_EQ(project("./plain").status, 3);
}

// The main function is in an archive.
TEST(Wrapper, MainInAnArchive) {
  const CompilerProject project({{"main.c", kPlainMain}, {"helper.c", kHelper}});
  EXPECT_EQ(project("$CC -c main.c helper.c && ar rc libmain.a main.o helper.o && "
                    "$CC -o a libmain.a")
                .err,
            "");
  EXPECT_EQ(project.run("-n 1 ./a").out, "0 1\n");
}

TEST(Wrapper, WorksInAMakefile) {
  const CompilerProject project(
      {{"main.c", kPlainMain},
       {"helper.c", kHelper},
       {"Makefile", "prog: main.o helper.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n"}});
  ASSERT_EQ(project("make -s CC=$CC CFLAGS='-O2 -g'").status, 0);
  EXPECT_EQ(project.run("-n 2 ./prog").out, "0 1\n1 1\n");
}

TEST(Wrapper, WorksInACMakeProject) {
  const CompilerProject project(
      {{"main.c", kPlainMain},
       {"helper.c", kHelper},
       {"CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(p C)\n"
        "add_library(helper STATIC helper.c)\nadd_executable(prog main.c)\n"
        "target_link_libraries(prog helper)\n"}});
  const Outcome built = project("cmake -S . -B build >/dev/null && cmake --build build");
  ASSERT_EQ(built.status, 0) << built.out << built.err;
  EXPECT_EQ(project.run("-n 2 build/prog").out, "0 1\n1 1\n");
}

// A program with a library of its own, whose globals are private, too.
TEST(Wrapper, LibrariesOfTheProgram) {
  const CompilerProject project({{"main.c", kPlainMain}, {"helper.c", kHelper}});
  ASSERT_EQ(project("$CC -shared helper.c -o libhelper.so && "
                    "$CC main.c -L. -lhelper -Wl,-rpath,'$ORIGIN' -o a")
                .status,
            0);
  for (const std::string how : {"copies", "swap"}) {
    EXPECT_EQ(project.run("-n 3 --privatize " + how + " ./a").out, "0 1\n1 1\n2 1\n") << how;
  }
}

}  // namespace
}  // namespace heddle::cli
