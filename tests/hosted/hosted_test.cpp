// A program that was compiled and loaded, with the C library that ranks see in front of the real
// one, and nothing else: also under the sanitizers, which use that library before they are set up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "host/host_support.hpp"
#include "host/libc/streams.hpp"
#include "host/program/crash_handler.hpp"
#include "host/program/load_program.hpp"
#include "temporary_folder.hpp"

namespace heddle::host {
namespace {

/// Counts in a thread, under a lock, in its own heap and environment, and ends with 10 times its
/// number plus the count.
constexpr const char* kProgram = R"(
  #include <heddle.h>
  #include <pthread.h>
  #include <stdlib.h>
  #include <string.h>
  static int count;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static void* add(void* text) {
    pthread_mutex_lock(&lock);
    count += strlen(text);
    pthread_mutex_unlock(&lock);
    return text;
  }
  int main(int argc, char** argv) {
    pthread_t thread;
    void* text = strdup(argv[1]);
    setenv("WORD", argv[1], 1);
    pthread_create(&thread, NULL, add, text);
    pthread_join(thread, &text);
    heddle_barrier();
    free(text);
    if (strcmp(getenv("WORD"), argv[1]) != 0) exit(99);
    return 10 * heddle_rank() + count;
  })";

/// The program, compiled as a user would.
class Compiled {
 public:
  Compiled() {
    std::ofstream(folder_ / "program.c") << kProgram;
    const auto compiler = std::filesystem::path(HEDDLE_PROGRAM).parent_path() / "heddlecc";
    const std::string command =
        compiler.string() + " " + folder_ / "program.c" + " -lpthread -o " + path();
    status = std::system(command.c_str());
  }
  std::string path() const { return folder_ / "program"; }
  int status = -1;

 private:
  TemporaryFolder folder_;
};

// "abc" has three letters: rank r ends with 10 r + 3.
TEST(Hosted, RanksAreProcesses) {
  constexpr std::uint32_t kRanks = 4;
  const Compiled compiled;
  ASSERT_EQ(compiled.status, 0);
  for (const Privatization how : {Privatization::copies, Privatization::swap}) {
    TestMachine machine(kRanks);
    const auto program = load_program({compiled.path(), {"abc"}, how, kRanks});
    Job job(machine.fibers, *machine.platform, *program, {.ranks = kRanks});
    {
      const CrashHandler crashes;
      const RankStreams streams(RankStreams::Lines::plain);
      machine.simulation.run();
      machine.fibers.run();
    }
    for (std::uint32_t r = 0; r < kRanks; ++r) {
      EXPECT_EQ(job.ends().status(RankId{r}), static_cast<int>(10 * r + 3));
    }
  }
}

}  // namespace
}  // namespace heddle::host
