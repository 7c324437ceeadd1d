// MPI for other people's build systems: the header, the wrappers, CMake's FindMPI and pkg-config.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kMain =
    "#include <mpi.h>\n#include <stdio.h>\n"
    "int main(int argc, char** argv) {\n"
    "  int rank;\n"
    "  MPI_Init(&argc, &argv);\n"
    "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "  fprintf(stdout, \"rank %d\\n\", rank);\n"
    "  return MPI_Finalize();\n"
    "}\n";
constexpr const char* kFortranMain =
    "program main\nuse mpi_f08\nimplicit none\ninteger :: rank\ncall MPI_Init()\n"
    "call MPI_Comm_rank(MPI_COMM_WORLD, rank)\nprint '(a, i0)', 'rank ', rank\n"
    "call MPI_Finalize()\nend program\n";

bool has_gfortran() {
  return shell("command -v gfortran").status == 0;
}

// mpi.h is what a program of any age of C or C++ can include without a warning.
TEST(MpiWrapper, HeaderIsCleanInEveryDialect) {
  const Project project({{"a.c", kMain}});
  for (const std::string dialect : {"c89", "c99", "c11", "gnu2x"}) {
    EXPECT_EQ(project("heddlecc -std=" + dialect + " -Wall -Wextra -Werror -pedantic -c a.c").err,
              "")
        << dialect;
  }
  for (const std::string dialect : {"c++98", "c++11", "c++20"}) {
    EXPECT_EQ(
        project("heddlecxx -xc++ -std=" + dialect + " -Wall -Wextra -Werror -pedantic -c a.c").err,
        "")
        << dialect;
  }
}

TEST(MpiWrapper, SaysWhatItDoes) {
  const Project project({});
  EXPECT_THAT(project("heddlecc -show").out, AllOf(StartsWith("gcc "), HasSubstr("-lmpich")));
  EXPECT_THAT(project("heddlecxx -show a.cc").out, AllOf(StartsWith("g++ "), HasSubstr(" a.cc ")));
  EXPECT_THAT(project("heddlef90 -show").out, StartsWith("gfortran "));
  EXPECT_THAT(project("heddlecc -compile_info").out,
              AllOf(StartsWith("gcc "), HasSubstr("-I"), Not(HasSubstr("-lmpich"))));
  EXPECT_THAT(project("heddlecc -link_info").out, AllOf(StartsWith("gcc "), HasSubstr("-lmpich")));
  EXPECT_THAT(project("heddlecc -showme:compile").out, StartsWith("-I"));
  EXPECT_THAT(project("heddlecc --showme:link").out, HasSubstr("-lmpich"));
  EXPECT_THAT(project("heddlecc -showme:version").out, StartsWith("heddlecc: Heddle "));
  EXPECT_THAT(project("heddlecc -v").err, StartsWith("heddlecc for Heddle version "));
  // Any compiler that there is: clang need not be.
  EXPECT_THAT(project("mkdir bin && ln -s /bin/true bin/another && "
                      "PATH=$PWD/bin:$PATH heddlecc -cc=another -show a.c")
                  .out,
              AllOf(StartsWith("another "), HasSubstr(" a.c ")));
  const Outcome unknown = project("heddlecc -showme:nothing");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("accepted are compile, link"));
}

TEST(MpiWrapper, ProgramsStartedByThemselvesSayWhatTheyNeed) {
  const Project project({{"a.c", kMain}});
  ASSERT_EQ(project("heddlecc a.c -o a").err, "");
  const Outcome outcome = project("./a");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "MPI_Init: this program needs a simulated machine: start it with `heddle run`\n");
}

constexpr const char* kCMakeProject =
    "cmake_minimum_required(VERSION 3.16)\nproject(p C)\n"
    "find_package(MPI REQUIRED COMPONENTS C)\nadd_executable(prog a.c)\n"
    "target_link_libraries(prog MPI::MPI_C)\n";

// The plain compiler, told by FindMPI what the wrapper would have done.
TEST(MpiWrapper, AnswersCMakesFindMpi) {
  const Project project({{"a.c", kMain}, {"CMakeLists.txt", kCMakeProject}});
  const Outcome made = project(
      "cmake -S . -B b -DMPI_C_COMPILER=$(command -v heddlecc) >/dev/null && cmake --build b");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_EQ(project.run("-n 2 b/prog").out, "rank 0\nrank 1\n");
}

constexpr const char* kStreams = R"(
#include <mpi.h>
#include <iostream>
#include <stdexcept>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    throw std::runtime_error("rank ");
  } catch (const std::exception& error) {
    std::cout.width(6);
    std::cout.fill('.');
    std::cout << error.what() << rank << std::endl;
  }
  return MPI_Finalize();
}
)";

// Many projects take of FindMPI the folder of the header and the libraries alone: nothing asks the
// compiler for code at any place, so the program has copies of the streams and of what describes
// types, and nothing asks the linker to show the main function. Each rank's stream counts for
// itself, also in a program without its names.
TEST(MpiWrapper, NeedsNoOptionsButFolderAndLibrary) {
  const Project project({{"a.cpp", kStreams}});
  const std::string folder = built("stand-in");
#if defined(__x86_64__)  // Elsewhere the code of such executables asks where variables are.
  const std::string has_copies = "nm -D a | grep -q 'B _ZSt4cout' && ";
#else
  const std::string has_copies;
#endif
  const Outcome made = project("g++ -O1 -I" + built("mpi/include") + " a.cpp -o a -L" + folder +
                               " -Wl,-rpath," + folder + " -lmpich && " + has_copies + "strip a");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  for (const std::string globals : {"copies", "swap", "none"}) {
    EXPECT_EQ(project.run("-n 2 --privatize " + globals + " ./a").out, ".rank 0\n.rank 1\n")
        << globals;
  }
}

// The simulator that a program was built with may have been moved or removed since. The loader
// would then find a real MPI, if one is installed, whose threads wait for ever.
TEST(MpiWrapper, ProgramsOutliveTheSimulatorTheyWereBuiltWith) {
  const Project project({{"a.c", kMain}});
  const Outcome made = project("gcc -I" + built("mpi/include") + " a.c -o a -L" +
                               built("stand-in") + " -Wl,-rpath,/nowhere -lmpich");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_EQ(project.run("-n 2 ./a").out, "rank 0\nrank 1\n");
}

TEST(MpiWrapper, IsTheCompilerOfACMakeProject) {
  const Project project({{"a.c", kMain}, {"CMakeLists.txt", kCMakeProject}});
  const Outcome made = project("CC=heddlecc cmake -S . -B b >/dev/null && cmake --build b");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_EQ(project.run("-n 2 b/prog").out, "rank 0\nrank 1\n");
}

TEST(MpiWrapper, PkgConfigKnowsMpi) {
  const Project project({{"a.c", kMain}});
  const Outcome made = project("export PKG_CONFIG_PATH=" + built("stand-in/pkgconfig") +
                               "; gcc a.c -o a $(pkg-config --cflags --libs mpi-c)");
  ASSERT_EQ(made.err, "");
  EXPECT_EQ(project.run("-n 2 ./a").out, "rank 0\nrank 1\n");
}

TEST(MpiWrapper, FortranThroughFindMpi) {
  if (!has_gfortran()) GTEST_SKIP() << "gfortran is not installed";
  const Project project({{"a.f90", kFortranMain},
                         {"CMakeLists.txt",
                          "cmake_minimum_required(VERSION 3.16)\nproject(p Fortran)\n"
                          "find_package(MPI REQUIRED COMPONENTS Fortran)\n"
                          "add_executable(prog a.f90)\n"
                          "target_link_libraries(prog MPI::MPI_Fortran)\n"}});
  const Outcome made = project(
      "cmake -S . -B b -DMPI_Fortran_COMPILER=$(command -v heddlef90) >/dev/null && "
      "cmake --build b");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_EQ(project.run("-n 2 b/prog").out, "rank 0\nrank 1\n");
}

}  // namespace
}  // namespace heddle::cli
