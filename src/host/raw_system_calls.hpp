// System calls that code makes without the C library.
#pragma once

#include <memory>

namespace heddle::host {

/// As long as it lives, threads of ranks that wait by a system call of their own, not by a function
/// of the C library, wait as fibers: GCC's OpenMP does so. Other such calls are made as they are.
class RawSystemCalls {
 public:
  /// Whether the kernel lets us see them.
  static bool visible();

  RawSystemCalls();
  ~RawSystemCalls();
  RawSystemCalls(const RawSystemCalls&) = delete;
  RawSystemCalls& operator=(const RawSystemCalls&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
