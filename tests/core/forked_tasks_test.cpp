#include "core/forked_tasks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>
#include <stdexcept>

namespace heddle {
namespace {

// Ten tasks, three at a time, whose results are their numbers: all come back, each as its own, and
// what the tasks change is changed in their copies only.
TEST(ForkedTasks, GiveTheirBytesBack) {
  int changed = 0;
  ForkedTasks tasks(
      [&](std::size_t number) {
        ++changed;
        return std::to_string(number) + " " + std::to_string(changed);
      },
      10, 3);
  while (tasks.wait()) {
  }
  EXPECT_EQ(tasks.done(), 10U);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(tasks.result(i), std::to_string(i) + " 1");
  EXPECT_EQ(changed, 0);
}

// A result longer than a socket holds (some 200 KiB as a rule) arrives whole.
TEST(ForkedTasks, GiveLongResultsBack) {
  ForkedTasks tasks([](std::size_t) { return std::string(1'000'000, 'x'); }, 2, 2);
  while (tasks.wait()) {
  }
  EXPECT_EQ(tasks.result(0), std::string(1'000'000, 'x'));
  EXPECT_EQ(tasks.result(1), std::string(1'000'000, 'x'));
}

// Task 1 throws and task 2 is killed: neither has a result, the others do.
TEST(ForkedTasks, FailAlone) {
  ForkedTasks tasks(
      [](std::size_t number) -> std::string {
        if (number == 1) throw std::runtime_error("no");
        if (number == 2) raise(SIGKILL);
        return "well";
      },
      4, 2);
  while (tasks.wait()) {
  }
  EXPECT_EQ(tasks.result(0), "well");
  EXPECT_FALSE(tasks.result(1).has_value());
  EXPECT_FALSE(tasks.result(2).has_value());
  EXPECT_EQ(tasks.result(3), "well");
}

// Tasks that would sleep for ever end with the object.
TEST(ForkedTasks, EndWithTheirOwner) {
  ForkedTasks tasks(
      [](std::size_t) {
        for (;;) pause();
        return std::string();
      },
      2, 2);
  EXPECT_TRUE(tasks.wait());
  EXPECT_EQ(tasks.done(), 0U);
}

/// How many children a process has, by the kernel's own list; 0 where there is none.
std::size_t children_of(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  std::size_t count = 0;
  for (pid_t child = 0; list >> child;) ++count;
  return count;
}

// Two tasks, one at a time. The first sees that there are two processes: the second is prepared
// while the first runs. It begins only then: the first has left a file that the second finds.
TEST(ForkedTasks, ArePreparedBeforeTheirTurn) {
  if (!std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children")) {
    GTEST_SKIP() << "this kernel has no list of children";
  }
  std::string first = testing::TempDir() + "first-XXXXXX";
  close(mkstemp(first.data()));
  ForkedTasks tasks(
      [&](std::size_t number) {
        if (number == 1) return std::string(std::ifstream(first).peek() == 'x' ? "after" : "early");
        while (children_of(getppid()) < 2) usleep(1000);
        std::ofstream(first) << 'x';
        return std::string("two");
      },
      2, 1);
  while (tasks.wait()) {
  }
  EXPECT_EQ(tasks.result(0), "two");
  EXPECT_EQ(tasks.result(1), "after");
  unlink(first.c_str());
}

// Three tasks, one at a time. Once the first is done, their owner looks at them no more, and the
// other two are done all the same: the last one leaves a file.
TEST(ForkedTasks, NeedNobodyToBeginAfterOthers) {
  std::string last = testing::TempDir() + "last-XXXXXX";
  close(mkstemp(last.data()));
  ForkedTasks tasks(
      [&](std::size_t number) {
        if (number == 2) std::ofstream(last) << 'x';
        return std::string();
      },
      3, 1);
  while (tasks.done() == 0) tasks.wait();
  for (int i = 0; i < 10'000 && std::ifstream(last).peek() != 'x'; ++i) usleep(1000);
  EXPECT_EQ(std::ifstream(last).peek(), 'x');
  EXPECT_LT(tasks.done(), 3U);
  unlink(last.c_str());
}

// Three tasks, of which one is killed: each is told of once, with its result or the signal, and the
// results are handed over.
TEST(ForkedTasks, TellHowTheyEnded) {
  ForkedTasks tasks(
      [](std::size_t number) {
        if (number == 1) raise(SIGKILL);
        return std::to_string(number);
      },
      3, 1);
  std::vector<ForkedTasks::Ending> endings;
  for (bool more = true; more;) {
    more = tasks.wait();
    for (auto& ending : tasks.take_endings()) endings.push_back(std::move(ending));
  }
  ASSERT_EQ(endings.size(), 3U);
  EXPECT_EQ(endings[0].result, "0");
  EXPECT_EQ(endings[1].signal, SIGKILL);
  EXPECT_FALSE(endings[1].result);
  EXPECT_FALSE(endings[1].too_large);
  EXPECT_GT(endings[2].memory, Bytes(0));
  EXPECT_FALSE(tasks.result(2));
}

/// What this process has in memory, which tasks have from their start; under AddressSanitizer it is
/// much.
Bytes memory_of_this_process() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  statm >> size >> resident;
  return Bytes(resident * sysconf(_SC_PAGESIZE));
}

// A task that takes 256 MiB where 128 MiB are allowed is ended; the one that takes nothing is not.
TEST(ForkedTasks, EndThoseThatAreTooLarge) {
  constexpr std::size_t kMuch = std::size_t{256} << 20;
  ForkedTasks tasks(
      [](std::size_t number) {
        std::vector<char> memory(number == 0 ? kMuch : 1, 'x');
        if (number == 0) sleep(10);
        return std::string(1, memory.back());
      },
      2, 2);
  tasks.limit_memory(memory_of_this_process() + Bytes(kMuch / 2));
  std::vector<ForkedTasks::Ending> endings;
  for (bool more = true; more;) {
    more = tasks.wait();
    for (auto& ending : tasks.take_endings()) endings.push_back(std::move(ending));
  }
  ASSERT_EQ(endings.size(), 2U);
  for (const auto& ending : endings) EXPECT_EQ(ending.too_large, ending.number == 0);
}

// Forty short tasks begin where others have ended: each of them may use all the cores that this
// process may, wherever it began.
TEST(ForkedTasks, MayUseAllCores) {
  ForkedTasks tasks([](std::size_t) { return std::to_string(ForkedTasks::cores()); }, 40, 3);
  while (tasks.wait()) {
  }
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(tasks.result(i), std::to_string(ForkedTasks::cores())) << i;
  }
}

TEST(ForkedTasks, KnowAtLeastOneCore) {
  EXPECT_GE(ForkedTasks::cores(), 1U);
}

}  // namespace
}  // namespace heddle
