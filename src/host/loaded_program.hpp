// A program in the simulator's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/program_files.hpp"

namespace heddle::host {

/// One copy of a program and its own libraries, loaded and bound but not started. It stays in
/// memory until the process ends: taking hundreds of libraries out again is as slow as taking them
/// in.
class LoadedProgram {
 public:
  /// Throws InputError if the system's loader refuses: a library is missing, or a symbol.
  explicit LoadedProgram(const ProgramFiles& files);

  /// The constructors, in their order.
  void construct(int argc, char** argv, char** environment) const;
  /// The main function.
  int main(int argc, char** argv, char** environment) const {
    return main_(argc, argv, environment);
  }
  /// What the linker wants run at the end.
  void destruct() const;

  /// What dlsym() takes for the program.
  void* handle() const { return handle_; }
  /// The memory it may write: globals, and the thread's variables.
  const std::vector<std::span<std::byte>>& writable() const { return writable_; }

 private:
  /// The program, or one of its libraries.
  struct Object {
    std::byte* base;
    StartCode start;
    StartCode finish;
  };

  void add(void* handle, const ElfFile& file);

  std::vector<Object> objects_;  ///< In the order of their construction; the program comes last.
  void* handle_ = nullptr;
  int (*main_)(int, char**, char**) = nullptr;
  std::vector<std::span<std::byte>> writable_;
};

}  // namespace heddle::host
