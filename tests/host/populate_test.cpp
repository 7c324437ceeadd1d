#include "host/memory/populate.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace heddle::host {
namespace {

// Memory from the kernel, all zero; not one page of it has been touched.
class NewPages {
 public:
  NewPages() {
    memory_ = static_cast<std::byte*>(
        mmap(nullptr, kPages * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  ~NewPages() { munmap(memory_, kPages * page_); }
  NewPages(const NewPages&) = delete;
  NewPages& operator=(const NewPages&) = delete;

  std::byte* at(std::size_t offset) const { return memory_ + offset; }
  std::size_t page() const { return page_; }
  bool resident(std::size_t number) const {
    unsigned char there = 0;
    EXPECT_EQ(mincore(memory_ + number * page_, page_, &there), 0);
    return (there & 1) != 0;
  }

 private:
  static constexpr std::size_t kPages = 8;
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::byte* memory_;
};

// From the middle of page 2 to the middle of page 4: these three are there afterwards, their
// neighbours are not.
TEST(Populate, ProvidesThePagesThatAreTouchedAndNoOthers) {
  const NewPages pages;
  populate(pages.at(2 * pages.page() + 100), 2 * pages.page(), PageUse::write);
  if (!pages.resident(2)) GTEST_SKIP() << "this kernel cannot";
  EXPECT_FALSE(pages.resident(1));
  EXPECT_TRUE(pages.resident(3));
  EXPECT_TRUE(pages.resident(4));
  EXPECT_FALSE(pages.resident(5));
}

// What is in memory stays, whether it is going to be read or written.
TEST(Populate, ChangesNoContents) {
  const NewPages pages;
  std::memset(pages.at(0), 7, 2 * pages.page());
  populate(pages.at(0), 2 * pages.page(), PageUse::read);
  populate(pages.at(0), 2 * pages.page(), PageUse::write);
  EXPECT_EQ(pages.at(0)[0], std::byte{7});
  EXPECT_EQ(pages.at(0)[2 * pages.page() - 1], std::byte{7});
}

// A program may name memory that it does not have: the copy says so later, and errno is its own.
TEST(Populate, IsSilentWhereThereIsNoMemory) {
  const NewPages pages;
  mprotect(pages.at(0), pages.page(), PROT_NONE);
  errno = 42;
  populate(pages.at(0), pages.page(), PageUse::write);
  EXPECT_EQ(errno, 42);
}

}  // namespace
}  // namespace heddle::host
