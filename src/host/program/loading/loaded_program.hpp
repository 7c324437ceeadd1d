// A program in the simulator's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "host/program/loading/call_patches.hpp"
#include "host/program/loading/program_files.hpp"
#include "host/program/loading/shared_pages.hpp"

namespace heddle::host {

/// A loaded file whose code runs when it is told to.
class LoadedObject {
 public:
  LoadedObject(void* handle, const ElfFile& file, const CallPatches& patches);
  std::byte* base() const { return base_; }
  bool contains(const void* address) const {
    return address >= base_ && address < base_ + whole_.end;
  }
  /// The constructors, in their order.
  void construct(int argc, char** argv, char** environment) const;
  /// What the linker wants run at the end.
  void destruct() const;

 private:
  std::byte* base_;
  AddressRange whole_;
  StartCode start_;
  StartCode finish_;
};

/// A file in which needed libraries are called by the names of their copies.
ElfFile renamed(ElfFile file, const std::map<std::string, std::string>& names);

/// One copy of a program and its own libraries, loaded and bound but not started. It stays in
/// memory until the process ends: taking hundreds of libraries out again is as slow as taking them
/// in.
class LoadedProgram {
 public:
  /// `shared`, if there are several copies: what they have in common. Throws InputError if the
  /// system's loader refuses: a library is missing, or a symbol.
  LoadedProgram(const ProgramFiles& files, const CallPatches& patches,
                SharedPages* shared = nullptr);

  /// The constructors, in their order.
  void construct(int argc, char** argv, char** environment) const;
  /// The main function.
  int main(int argc, char** argv, char** environment) const {
    return main_(argc, argv, environment);
  }
  /// What the linker wants run at the end.
  void destruct() const;

  /// Gives the C library what the program has in its copies of variables that are kept equal, and
  /// back.
  void give_variables() const;
  void take_variables() const;

  /// What dlsym() takes for the program.
  void* handle() const { return handle_; }
  /// What the program or one of its own libraries defines under a name, or null.
  void* find(const char* name) const;
  /// The names under which the loader has its own libraries, by the names under which others need
  /// them.
  const std::map<std::string, std::string>& names() const { return names_; }
  /// The memory it may write: globals, and the thread's variables.
  const std::vector<std::span<std::byte>>& writable() const { return writable_; }
  /// Without the latter.
  const std::vector<std::span<std::byte>>& globals() const { return globals_; }

 private:
  /// What the program has as a copy, and where a library has it.
  struct Copied {
    std::byte* to;
    void* from;
    std::size_t size;
  };
  void add(void* handle, const ElfFile& file, const CallPatches& patches);
  void find_copied(const ProgramFiles& files);
  void* original(const ProgramFiles& files, const char* name);
  void copy_variables() const;

  std::vector<LoadedObject> objects_;  ///< In the order of construction; the program comes last.
  std::map<std::string, std::string> names_;
  void* handle_ = nullptr;
  int (*main_)(int, char**, char**) = nullptr;
  std::vector<std::span<std::byte>> writable_;
  std::vector<std::span<std::byte>> globals_;
  std::vector<Copied> copied_;
  std::vector<Copied> kept_equal_;  ///< Those of them that the C library's calls change.
};

/// While the C library uses variables of which a program may have copies.
class WithVariables {
 public:
  explicit WithVariables(const LoadedProgram& program) : program_(program) {
    program_.give_variables();
  }
  WithVariables(const WithVariables&) = delete;
  WithVariables& operator=(const WithVariables&) = delete;
  ~WithVariables() { program_.take_variables(); }

 private:
  const LoadedProgram& program_;
};

}  // namespace heddle::host
