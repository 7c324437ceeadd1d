// System calls that code makes without the C library.
#pragma once

namespace heddle::host {

class ElfFile;

/// As long as it lives, threads of ranks that wait by a system call of their own, not by a function
/// of the C library, wait as fibers: GCC's OpenMP does so. Other such calls are made as they are.
class RawSystemCalls {
 public:
  /// Whether we can see them.
  static bool visible();
  /// Has those of a library seen that is to be loaded, where it takes a change of its code.
  static void show(ElfFile& library);

  RawSystemCalls();
  ~RawSystemCalls();
  RawSystemCalls(const RawSystemCalls&) = delete;
  RawSystemCalls& operator=(const RawSystemCalls&) = delete;
};

}  // namespace heddle::host
