// What the kernel tells of the pages of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::host {

/// Which pages are in memory, and whether they are the process's own. Pages are of the size that
/// the kernel gives.
class PageMap {
 public:
  PageMap();
  ~PageMap();
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  static std::size_t page();

  class Page {
   public:
    bool present() const { return (bits_ >> 63) != 0; }
    /// There, and no longer, or never, what a file has: nobody else has this memory.
    bool own() const { return present() && (bits_ >> 61 & 1) == 0; }

   private:
    std::uint64_t bits_;
  };
  /// Of the pages from `place` on, until the next call; empty where the kernel does not tell.
  std::span<const Page> read(const void* place, std::size_t pages);

 private:
  int file_;
  std::vector<Page> pages_;
};

}  // namespace heddle::host
