// A program in the simulator's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/elf_file.hpp"

namespace heddle::host {

/// One copy of a prepared file, loaded and bound but not started. It stays in memory until the
/// process ends: taking hundreds of libraries out again is as slow as taking them in.
class LoadedProgram {
 public:
  /// Throws InputError if the loader refuses: a library is missing, or a symbol.
  explicit LoadedProgram(const ElfFile& file);

  /// The program's constructors, in their order.
  void construct(int argc, char** argv, char** environment) const;
  /// Its main function.
  int main(int argc, char** argv, char** environment) const {
    return main_(argc, argv, environment);
  }
  /// What the linker wants run at the end.
  void destruct() const;

  /// The memory it may write: globals, and the thread's variables.
  const std::vector<std::span<std::byte>>& writable() const { return writable_; }

 private:
  using Function = void (*)();
  using Constructor = void (*)(int, char**, char**);

  void* open(const ElfFile& file);
  void find_writable(const ElfFile& file);

  void* handle_;
  std::byte* base_ = nullptr;
  StartCode start_;
  StartCode finish_;
  int (*main_)(int, char**, char**) = nullptr;
  std::vector<std::span<std::byte>> writable_;
};

}  // namespace heddle::host
