// Libraries of programs: opened while they run, overridden, and where all of it lies in memory.
#include <gmock/gmock.h>

#include <map>

#include "cli/hosted.hpp"
#include "core/sanitizer.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// Files, and what a shell makes of them with the compiler wrappers.
class Sources {
 public:
  explicit Sources(const std::map<std::string, std::string>& files, const std::string& commands) {
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
    outcome = shell(
        "set -e; export CC=" + built("heddlecc") + " CXX=" + built("heddlecxx") + "\n" + commands,
        folder_.path());
  }
  Outcome run(const std::string& arguments) const {
    return heddle("run -q " + arguments, folder_.path());
  }
  Outcome outcome;

 private:
  TemporaryFolder folder_;
};

constexpr const char* kPlugin = R"(
  #include <stdio.h>
  extern int of_program(void);
  static int count = 10;
  static int made;
  __attribute__((constructor)) static void make(void) { made = 1; }
  __attribute__((destructor)) static void end(void) { printf("closed at %d\n", count); }
  int next(void) { return made * ++count + of_program(); })";

constexpr const char* kOpener = R"(
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <heddle.h>
  #include <stdio.h>
  static int mine;
  int of_program(void) { return mine; }
  int main(void) {
    mine = 100 * heddle_rank();
    void* library = dlopen("./plugin.so", RTLD_NOW);
    if (!library) { puts(dlerror()); return 1; }
    int (*next)(void) = (int (*)(void))dlsym(library, "next");
    heddle_barrier();
    for (int i = 0; i < heddle_rank(); ++i) next();
    heddle_barrier();
    int (*self)(void) = (int (*)(void))dlsym(dlopen(NULL, RTLD_NOW), "of_program");
    printf("rank %d: %d %d %d\n", heddle_rank(), next(), self(), dlopen("./plugin.so", RTLD_NOW) == library);
    if (dlclose(library) != 0) return 2;
    return dlsym(RTLD_DEFAULT, "of_program") == (void*)of_program ? 0 : 1;
  })";

// Rank r has called the library r times before it prints 11 + r, plus its program's 100 r. What the
// library defines to be done at the end is done at the rank's.
TEST(Libraries, OpenedAtRunTimeAreEachRanksOwn) {
  const Sources sources({{"plugin.c", kPlugin}, {"main.c", kOpener}},
                        "$CC -shared plugin.c -o plugin.so; $CC main.c -o main -ldl");
  ASSERT_EQ(sources.outcome.err, "");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(sources.run("-n 3 --privatize " + how + " ./main").out,
              "rank 0: 11 0 1\nclosed at 11\nrank 1: 112 100 1\nclosed at 12\n"
              "rank 2: 213 200 1\nclosed at 13\n")
        << how;
  }
  EXPECT_EQ(sources.run("-n 16 ./main").status, 0);
}

TEST(Libraries, ThatAreNotThereAreToldOf) {
  const CompiledProgram program(R"(
    #include <dlfcn.h>
    #include <stdio.h>
    int main(void) {
      void* library = dlopen("./none.so", RTLD_NOW);
      printf("%d %s\n", library == NULL, dlerror());
    })");
  EXPECT_THAT(program.run("-n 1").out, HasSubstr("1 ./none.so: cannot open shared object file"));
}

// The library asks a function that it defines itself, and the program as well: the program's
// answers, as anywhere else. What the simulator has of the same name answers nobody.
TEST(Libraries, UseWhatTheProgramDefinesInTheirPlace) {
  const Sources sources({{"helper.c", R"(
                           int answer(void) { return 1; }
                           int current_rank(void) { return 7; }
                           int strverscmp(const char* a, const char* b) { return 42; }
                           int ask(void) { return answer() + 100 * strverscmp("", ""); })"},
                         {"main.c", R"(
                           #include <stdio.h>
                           int ask(void); int current_rank(void);
                           int answer(void) { return 5; }
                           int main(void) { printf("%d %d\n", ask(), current_rank()); })"}},
                        "$CC -shared helper.c -o libhelper.so\n"
                        "$CC main.c -L. -lhelper -Wl,-rpath,'$ORIGIN' -o main");
  ASSERT_EQ(sources.outcome.status, 0) << sources.outcome.err;
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(sources.run("-n 2 --privatize " + how + " ./main").out, "4205 7\n4205 7\n") << how;
  }
}

// From low to high: data from __data_start to _end, the heap, what is mapped, and the stack.
TEST(Memory, LiesAsOnARealSystem) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    extern char __data_start, edata, _end, __bss_start;
    static int set[1000] = {1};
    static int unset[1000];
    static int within(void* from, void* p, void* to) { return p >= from && p < to; }
    int main(void) {
      char* heap = malloc(100);
      char* mapped = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      printf("%d %d %d %d\n", within(&__data_start, set, &edata), within(&__bss_start, unset, &_end),
             (void*)&_end < (void*)heap, heap < mapped);
    })");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "1 1 1 1\n1 1 1 1\n") << how;
  }
}

// Rank 0 prints in hexadecimal digits and finds an error on its stream, rank 1 prints as ever.
TEST(Streams, OfCxxAreSetByEachRankForItself) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <iomanip>
    #include <iostream>
    int main() {
      if (heddle_rank() == 0) std::cout << std::hex << std::setfill('*');
      if (heddle_rank() == 2) std::cout.setstate(std::ios::failbit);
      heddle_barrier();
      std::cout << heddle_rank() << ": " << std::setw(4) << 255 << std::endl;
      heddle_barrier();
      if (heddle_rank() == 2) std::cerr << std::cout.fail() << std::endl;
    })",
                                "cpp");
  for (const std::string how : kPrivatizations) {
    const Outcome outcome = program.run("-n 3 --privatize " + how);
    EXPECT_EQ(outcome.out, "0: **ff\n1:  255\n") << how;
    EXPECT_EQ(outcome.err, "1\n") << how;
  }
}

#if defined(__x86_64__)
const std::string kLargeModel = "-mcmodel=large";
#else
const std::string kLargeModel;  // Compilers for others refuse it for any position-independent code.
#endif

// What cannot be loaded says what to do instead, if it is to be loaded.
TEST(Programs, ThatCannotBeLoadedSayWhatToDo) {
  const Sources sources({{"main.c", "int main(void) { return 0; }"}},
                        "gcc main.c -o plain; gcc -static main.c -o static\n"
                        "gcc -no-pie main.c -o fixed; $CC -fsanitize=address main.c -o asan\n"
                        "$CC -fsanitize=leak main.c -o lsan\n"
                        "printf '#!/bin/sh\\nexec ./plain\\n' > script; chmod +x script\n"
                        "$CC --static " +
                            kLargeModel + " main.c -o large");
  ASSERT_EQ(sources.outcome.status, 0) << sources.outcome.err;
  // An ordinary executable can be loaded, where its user asks for that.
  EXPECT_EQ(sources.run("--privatize copies ./plain").status, 0);
  EXPECT_THAT(sources.run("--privatize copies ./static").err,
              HasSubstr("linked statically: build the program with"));
  EXPECT_THAT(sources.run("--privatize copies ./fixed").err,
              HasSubstr("build the program with heddlecc"));
#ifndef HEDDLE_ASAN
  EXPECT_THAT(sources.run("./asan").err, HasSubstr("build the program without -fsanitize=address"));
  EXPECT_THAT(sources.run("./lsan").err, HasSubstr("build the program without -fsanitize=leak"));
#endif
  EXPECT_THAT(sources.run("--privatize copies ./script").err,
              HasSubstr("name the program that it starts"));
  EXPECT_EQ(sources.run("./large").status, 0);
}

// What libtool leaves in a build tree: a script that starts the program with its libraries.
TEST(Programs, OfLibtoolAreFound) {
  const Sources sources({{"helper.c", "static int count; int helper(void) { return ++count; }"},
                         {"main.c",
                          "#include <stdio.h>\nint helper(void);\n"
                          "int main(void) { printf(\"%d\\n\", helper()); }"},
                         {"main",
                          "#! /bin/sh\n# main - temporary wrapper script for .libs/main\n"
                          "LD_LIBRARY_PATH=\"LIBS:$LD_LIBRARY_PATH\"\n"}},
                        "mkdir .libs; sed -i \"s,LIBS,$PWD/.libs,\" main\n"
                        "$CC -shared helper.c -o .libs/libhelper.so\n"
                        "$CC main.c -L.libs -lhelper -o .libs/main");
  ASSERT_EQ(sources.outcome.status, 0) << sources.outcome.err;
  EXPECT_EQ(sources.run("-n 2 ./main").out, "1\n1\n");
}

}  // namespace
}  // namespace heddle::cli
