// Programs that somebody's compiler made as it makes them, for somebody's MPI: what they take for
// granted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kForeignMain = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char** environ;
int main(int argc, char** argv) {
  int rank, option, sum = 0, mine = 0;
  char number[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while ((option = getopt(argc, argv, "a:v")) != -1)
    if (option == 'a') mine = atoi(optarg) * (rank + 1);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  sprintf(number, "%d", rank);
  setenv("MINE", number, 1);
  int copies = 0;
  for (char** e = environ; *e; ++e) copies += e[0][0] == 'M' && e[0][1] == 'I' && e[0][5] == number[0];
  printf("%d %d %s %d\n", rank, sum, argv[optind], copies);
  return MPI_Finalize();
}
)";

/// Makes libtheirs.so, a library called `library` that has no more than names.
std::string library_named(const std::string& library) {
  return "printf 'int MPI_Init(int*a,char***b){return 1;}int MPI_Finalize(){return 1;}"
         "int MPI_Comm_rank(int a,int*b){return 1;}"
         "int MPI_Allreduce(void*a,void*b,int c,int d,int e,int f){return 1;}' > mpi.c && "
         "gcc -w -shared -fPIC -Wl,-soname," +
         library + " mpi.c -o libtheirs.so";
}

/// Compiles `program` as an MPI's own wrapper would: the linker sees only a library called
/// `library`, which has no more than names.
Outcome link_with(const Project& project, const std::string& library) {
  return project(library_named(library) + " && gcc -O2 -fPIE -pie -I" + built("mpi/include") +
                 " a.c -o a -L. -ltheirs && strip a");
}

// MPICH's wrappers link an ordinary executable: its main function is not shown to anybody, and
// `optarg`, `optind` and `environ` are copies of the C library's, which its functions must keep up
// to date. 2 * (1 + 2 + 3) = 12.
TEST(RunForeign, BinariesForMpichRunAsTheyAre) {
  const Project project({{"a.c", kForeignMain}});
  const Outcome made = link_with(project, "libmpich.so.12");
  ASSERT_EQ(made.status, 0) << made.err;
#if defined(__x86_64__)  // Elsewhere the code of such executables asks where variables are.
  ASSERT_THAT(project("nm -D a").out, HasSubstr("B optarg"));
#endif
  for (const std::string globals : {"", "--privatize swap"}) {
    const Outcome run = project.run("-n 3 " + globals + " ./a -v -a 2 word");
    for (const char* line : {"0 12 word 1\n", "1 12 word 1\n", "2 12 word 1\n"}) {
      EXPECT_THAT(run.out, HasSubstr(line)) << globals << run.err;
    }
  }
}

// Calls of MPI may all be in a library: the program itself names none. 2 * (1 + 2) = 6.
TEST(RunForeign, BinariesMayUseMpichThroughALibrary) {
  std::string library = kForeignMain;
  library.replace(library.find("int main("), 9, "int work(");
  const Project project(
      {{"a.c", library},
       {"main.c", "int work(int, char**);\nint main(int c, char** v) { return work(c, v); }\n"}});
  for (const char* mpi : {"libmpich.so.12", "libmpi.so.40"}) {
    project(library_named(mpi));
    const Outcome made = project("gcc -O2 -shared -fPIC -I" + built("mpi/include") +
                                 " a.c -o libwork.so -L. -ltheirs && gcc -O2 main.c -o main -L. "
                                 "-lwork -Wl,-rpath,'$ORIGIN' -Wl,--allow-shlib-undefined");
    ASSERT_EQ(made.status, 0) << made.err;
    const Outcome run = project.run("-n 2 ./main -a 2 word");
    const Outcome mpirun = project("heddle mpirun -n 2 ./main");
    if (mpi == std::string("libmpich.so.12")) {
      EXPECT_EQ(run.out, "0 6 word 1\n1 6 word 1\n") << run.err;
      EXPECT_THAT(mpirun.err, HasSubstr("linked with MPICH"));
    } else {
      EXPECT_THAT(run.err, HasSubstr("is linked with Open MPI"));
    }
  }
}

// A program that is not here is looked for where a shell would find it.
TEST(RunForeign, BinariesAreFoundByTheirNames) {
  const Project project({{"a.c", kForeignMain}});
  ASSERT_EQ(link_with(project, "libmpich.so.12").status, 0);
  const Outcome run = project(
      "mkdir bin && mv a bin/our-program && PATH=$PWD/bin:$PATH && "
      "heddle run -q -n 1 our-program -a 1 word");
  EXPECT_EQ(run.out, "0 1 word 1\n") << run.err;
}

// Who mixes up the two ways to start programs of others is told the right one.
TEST(RunForeign, BinariesStartedTheWrongWaySaySo) {
  const Project project({{"a.c", kForeignMain}});
  ASSERT_EQ(link_with(project, "libmpich.so.12").status, 0);
  const Outcome refused = project("heddle mpirun -n 2 ./a");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("linked with MPICH"));
  EXPECT_THAT(refused.err, HasSubstr("start it with 'heddle run'"));
  ASSERT_EQ(link_with(project, "libmpi.so.40").status, 0);
  EXPECT_THAT(project.run("-n 2 ./a").err,
              HasSubstr("warning: './a' is linked with Open MPI, for which every rank is alone "
                        "here: 'heddle mpirun' makes them one job"));
}

// A program may find another library than it was linked with: the distribution's, which is for
// Open MPI. Its handles mean nothing here, and which library it is nobody sees in what follows.
TEST(RunForeign, LibrariesForOpenMpiAreNamed) {
  const Project project({{"a.c",
                          "#include <mpi.h>\nint work();\n"
                          "int main(int c, char** v) { MPI_Init(&c, &v); work(); "
                          "return MPI_Finalize(); }\n"},
                         {"work.c",
                          "int MPI_Finalize();\nint work() { return 0; }\n"
                          "int end() { return MPI_Finalize(); }\n"}});
  const Outcome made = project(
      library_named("libmpi.so.40") +
      " && gcc -shared -fPIC work.c -o libwork.so -L. -ltheirs && heddlecc a.c -o a -L. -lwork "
      "-Wl,--allow-shlib-undefined && mkdir mpich && gcc -shared -fPIC work.c -o mpich/libwork.so");
  ASSERT_EQ(made.status, 0) << made.err;
  const Outcome mixed = project("LD_LIBRARY_PATH=$PWD heddle run -q -n 2 ./a");
  EXPECT_THAT(mixed.err, testing::ContainsRegex("warning: './a' is linked with MPICH, but "
                                                "'.*/libwork.so', which it needs, with Open MPI"));
  const Outcome right = project("LD_LIBRARY_PATH=$PWD/mpich heddle run -q -n 2 ./a");
  EXPECT_EQ(right.err, "");
  EXPECT_EQ(right.status, 0);
}

// A pointer to a nested function is code on the stack: Fortran's internal procedures that are
// handed to others, above all.
TEST(RunForeign, NestedFunctionsMayBePointedTo) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <stdio.h>
    static int apply(int (*function)(int), int x) { return function(x); }
    static void* other(void* argument) {
      int k = *(int*)argument;
      int times(int x) { return x * k; }
      printf("%d\n", apply(times, 10));
      return 0;
    }
    int main(void) {
      int k = heddle_rank() + 2;
      int add(int x) { return x + k; }
      printf("%d\n", apply(add, 4));
      pthread_t thread;
      pthread_create(&thread, 0, other, &k);
      pthread_join(thread, 0);
      return 0;
    })");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "6\n7\n20\n30\n");
}

// The interpreter's library has globals for each rank, and so have its modules in C, which lie in
// the system's folders and take what they need of the interpreter from whoever opens them.
TEST(RunForeign, PythonIsARankLikeAnyOther) {
  const Project project(
      {{"a.c",
        "#include <Python.h>\nint main(int argc, char** argv) { return Py_BytesMain(argc, argv); "
        "}\n"},
       {"a.py",
        "import _ctypes, os, sys\nprint(os.getpid(), os.uname().nodename, sys.argv[1:])\n"}});
  const Outcome made = project(
      "V=$(/usr/bin/python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])') && "
      "heddlecc a.c -o a -I/usr/include/python$V -lpython$V");
  if (made.status != 0) GTEST_SKIP() << "libpython and its headers are not installed";
  const Outcome run = project.run("-n 2 ./a a.py word");
  EXPECT_EQ(run.out, "1000 n00 ['word']\n1001 n01 ['word']\n") << run.err;
}

// Distributions compile with -D_FORTIFY_SOURCE: functions whose place for an answer is known have
// other names then. And a program finds its own file, by which many look for their data.
TEST(RunForeign, FortifiedProgramsSeeTheSimulatedMachine) {
  const CompiledProgram program(R"(
    #define _GNU_SOURCE
    #include <limits.h>
    #include <poll.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>
    int main(int argc, char** argv) {
      char name[64], link[PATH_MAX] = "", real[PATH_MAX];
      struct pollfd none[4];
      struct timespec before, after;
      gethostname(name, argc * 8);
      clock_gettime(CLOCK_MONOTONIC, &before);
      poll(none, argc - 2, 3000);
      clock_gettime(CLOCK_MONOTONIC, &after);
      readlink("/proc/self/exe", link, argc * 100);
      dprintf(1, "%s ", name);
      const char* file = realpath("/proc/self/exe", real);
      printf("%ld %s %d\n", after.tv_sec - before.tv_sec, strrchr(link, '/'), strcmp(link, file));
      return 0;
    })",
                                "c", "-O2 -Wno-unused-result -D_FORTIFY_SOURCE=2");
  ASSERT_EQ(program.compilation().err, "");
  const Outcome run = program.run("-n 2", "word");
  EXPECT_EQ(run.out, "n00 3 /program 0\nn01 3 /program 0\n");
}

}  // namespace
}  // namespace heddle::cli
