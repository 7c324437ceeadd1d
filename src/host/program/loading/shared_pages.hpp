// Pages of loaded files that ranks have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <elf.h>

namespace heddle::host {

class KeptOnce;

/// Each rank's copy of a program or library is a file of its own in memory, as the loader wants it.
/// What the copies have in common when they have been loaded and bound (code, constants, tables) is
/// kept once: later copies have the first one's pages there, which become their own when they are
/// written to. What no copy has in memory, such as notes for debuggers, is given back.
class SharedPages {
 public:
  /// `kept` is told what copies have in common.
  explicit SharedPages(KeptOnce& kept) : kept_(kept) {}
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  /// A copy of what `path` names has been loaded at `base` from `file`, with these segments.
  void share(const std::string& path, int file, std::byte* base,
             std::span<const Elf64_Phdr> segments);

 private:
  /// Of the first copy.
  struct Original {
    int file = -1;
    std::span<const std::byte> bytes;
  };
  const Original& original(const std::string& path, int file);
  void share_segment(const Original& from, std::byte* base, const Elf64_Phdr& segment,
                     std::vector<bool>& needed);
  static void give_back(int file, const std::vector<bool>& needed);

  KeptOnce& kept_;
  std::map<std::string, Original> originals_;
};

}  // namespace heddle::host
