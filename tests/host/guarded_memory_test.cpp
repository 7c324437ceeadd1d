#include "host/memory/guarded_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cfenv>
#include <cstring>

#include "core/sanitizer.hpp"
#include "host/program/crash_handler.hpp"

namespace heddle::host {
namespace {

// Nothing is at null, and nothing is needed for nothing.
TEST(GuardedMemory, NothingIsAtNull) {
  GuardedMemory memory;
  std::byte buffer{};
  EXPECT_FALSE(memory.read(&buffer, nullptr, 1));
  EXPECT_FALSE(memory.write(nullptr, &buffer, 1));
  EXPECT_TRUE(memory.read(&buffer, nullptr, 0));
}

// A copy within one range moves it, as memmove does.
TEST(GuardedMemory, CopiesOverlappingRanges) {
  char text[] = "abcdef";
  GuardedMemory memory;
  EXPECT_TRUE(memory.write(text + 1, text, 5));
  EXPECT_STREQ(text, "aabcde");
}

#ifndef HEDDLE_ASAN
// Memory that is not mapped cannot be read, and what is read-only cannot be written; both are found
// without harm, also in the middle of a copy and time after time.
TEST(GuardedMemory, FindsMemoryThatIsNotThere) {
  const CrashHandler handler;
  constexpr std::size_t kPage = 65'536;
  auto* pages = static_cast<std::byte*>(
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  mprotect(pages + kPage, kPage, PROT_NONE);
  GuardedMemory memory;
  std::byte buffer[100];
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(memory.read(buffer, pages + kPage - 100, 100));
    EXPECT_FALSE(memory.read(buffer, pages + kPage - 50, 100));
    EXPECT_FALSE(memory.write(pages + kPage, buffer, 1));
  }
  mprotect(pages + kPage, kPage, PROT_READ);
  EXPECT_TRUE(memory.read(buffer, pages + kPage, 100));
  EXPECT_FALSE(memory.write(pages + kPage, buffer, 1));
  munmap(pages, 2 * kPage);
}

// A signal's handler rounds to nearest on some machines; who looked for memory in vain rounds as
// before: up, where 1/3 is more than rounded down.
TEST(GuardedMemory, RoundingSurvivesAFault) {
  const CrashHandler handler;
  volatile double one = 1;
  std::fesetround(FE_DOWNWARD);
  const double down = one / 3;
  std::fesetround(FE_UPWARD);
  std::byte buffer;
  const void* nothing = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_FALSE(GuardedMemory().read(&buffer, nothing, 1));
  const double up = one / 3;
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_GT(up, down);
}
#endif

}  // namespace
}  // namespace heddle::host
