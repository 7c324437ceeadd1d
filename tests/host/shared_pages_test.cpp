#include "host/program/loading/shared_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "host/memory/kept_once.hpp"

namespace heddle::host {
namespace {

constexpr std::size_t kPages = 64;

std::size_t page() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A file of 64 pages, each full of its number, of which the first 40 are mapped as a program's
/// are; the rest is for debuggers.
class Copy {
 public:
  Copy() : file_(memfd_create("copy", 0)) {
    std::vector<char> bytes(page());
    for (std::size_t i = 0; i < kPages; ++i) {
      std::memset(bytes.data(), static_cast<int>(i + 1), bytes.size());
      EXPECT_EQ(write(file_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    segment_.p_type = PT_LOAD;
    segment_.p_flags = PF_R | PF_W;
    segment_.p_filesz = segment_.p_memsz = 40 * page();
    memory_ = static_cast<char*>(
        mmap(nullptr, 40 * page(), PROT_READ | PROT_WRITE, MAP_PRIVATE, file_, 0));
  }
  ~Copy() {
    munmap(memory_, 40 * page());
    close(file_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  char& at(std::size_t number) { return memory_[number * page()]; }
  void share(SharedPages& pages) {
    pages.share("program", file_, reinterpret_cast<std::byte*>(memory_), {&segment_, 1});
  }
  /// That the file takes.
  std::size_t pages() const {
    struct stat status {};
    fstat(file_, &status);
    return static_cast<std::size_t>(status.st_blocks) * 512 / page();
  }

 private:
  int file_;
  Elf64_Phdr segment_{};
  char* memory_;
};

// Of the first, 40 pages stay. The second has changed number 20, between two rows of 20 and 19 that
// are worth a mapping: only that page stays its own, and 39 are saved. Both still have what they
// had, and what one writes the other does not see; such a page is no longer saved.
TEST(SharedPages, AreKeptOnceUntilTheyAreWrittenTo) {
  KeptOnce kept(false);
  SharedPages pages(kept);
  Copy first;
  Copy second;
  second.at(20) = 99;
  first.share(pages);
  EXPECT_EQ(kept.saved().bytes, 0U);
  second.share(pages);
  EXPECT_EQ(first.pages(), 40U);
  EXPECT_EQ(second.pages(), 1U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(first.at(i), static_cast<char>(i + 1));
    EXPECT_EQ(second.at(i), i == 20 ? 99 : static_cast<char>(i + 1));
  }
  second.at(3) = 77;
  EXPECT_EQ(kept.saved().bytes, 38 * page());
  EXPECT_EQ(first.at(3), 4);
  first.at(5) = 66;
  EXPECT_EQ(second.at(5), 6);
}

// Ten pages in a row are not worth a mapping.
TEST(SharedPages, AreMany) {
  KeptOnce kept(false);
  SharedPages pages(kept);
  Copy first;
  Copy second;
  first.share(pages);
  for (std::size_t i = 0; i < 40; i += 11) second.at(i) = 99;
  second.share(pages);
  EXPECT_EQ(second.pages(), 40U);
}

}  // namespace
}  // namespace heddle::host
