// A program and the libraries that come with it.
#pragma once

#include <string>
#include <vector>

#include "host/elf_file.hpp"

namespace heddle::host {

/// The variable in which a program says where its main function is.
inline constexpr const char* kMainPlace = "heddle_program_main";

/// A library of the program's own, by the name under which others need it.
struct OwnLibrary {
  std::string name;
  ElfFile file;
};

/// Everything of a program that has globals of its own, ready to be loaded: the program, and those
/// libraries that it finds by its own search path or by LD_LIBRARY_PATH outside of the system's
/// folders. The system's libraries are shared by all ranks.
struct ProgramFiles {
  ElfFile program;
  std::vector<OwnLibrary> libraries;  ///< Each behind those that it needs.

  /// Bytes of all globals.
  std::size_t size_of_globals() const;
};

/// Throws InputError if there is no such program, or it was not built to be loaded.
ProgramFiles read_program(const std::string& path);

}  // namespace heddle::host
