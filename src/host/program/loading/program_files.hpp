// A program and the libraries that come with it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/program/loading/elf_file.hpp"

namespace heddle::host {

/// The variable in which a program says where its main function is.
inline constexpr const char* kMainPlace = "heddle_program_main";

/// A library of the program's own, by the name under which others need it.
struct OwnLibrary {
  std::string name;
  ElfFile file;
};

/// Where libraries of a program are looked for, and which of the system's are private.
struct LibraryPlaces {
  std::string origin;                          ///< The folder of the program.
  std::string early;                           ///< Folders before those of the environment,
  std::string late;                            ///< and after, as the program spells them.
  std::vector<std::string> private_libraries;  ///< As the user names them.
};

/// Everything of a program that has globals of its own, ready to be loaded: the program, those
/// libraries that it finds by its own search path or by LD_LIBRARY_PATH outside of the system's
/// folders, and those of the system's that keep state for a process (those that use MPI, the
/// run-time libraries of Fortran and OpenMP, and what the user names), with all that need one of
/// them. The system's other libraries are shared by all ranks.
struct ProgramFiles {
  ElfFile program;
  LibraryPlaces places;
  std::vector<OwnLibrary> libraries = {};  ///< Each behind those that it needs.

  /// Bytes of all globals.
  std::size_t size_of_globals() const;
  /// Bytes of thread-local variables that want a place among the few that threads have from their
  /// start.
  std::size_t static_thread_locals() const;
  /// Bytes of all files.
  std::size_t size() const;
  bool uses_openmp() const;
  /// Whether the program or a library of its own uses or defines a symbol.
  bool mentions(std::string_view name) const;
  /// Whether code of its own may read the processor's counter.
  bool reads_counter() const;
  /// Whether code of its own puts code on stacks.
  bool wants_executable_stacks() const;
};

/// Reads a program. `private_libraries` are further names of the system's libraries that each rank
/// gets for itself, such as "libfoo" or "libfoo.so.1". Throws InputError if there is no such
/// program or library, or it was not built to be loaded.
ProgramFiles read_program(const std::string& path,
                          const std::vector<std::string>& private_libraries = {});

/// Whether the C library's variable `name` is kept equal to the copy that a program has of it:
/// calls that use or change it look at the copy before, and write it after.
bool is_kept_equal(std::string_view name);

/// Whether a program was built to be loaded, or at least to be run in no other way than that.
bool can_be_loaded(const std::string& path);

/// Whether the program at `path`, or a library of its own, counts what it does; no for what cannot
/// be loaded.
bool has_counts(const std::string& path);

/// The MPI libraries of others that a program may have been linked with.
enum class OtherMpi { none, mpich, open_mpi };
/// Which of them the program at `path`, or a library that it needs, names; none for what is no
/// program.
OtherMpi linked_mpi(const std::string& path);
/// Whether the program at `path`, or a library that it needs, needs one called so: "libfoo" or
/// "libfoo.so.1".
bool needs_library(const std::string& path, const std::string& name);
/// Where, of the program at `path` and the libraries that it needs, the first lies that was linked
/// with Open MPI; empty if none was.
std::string library_for_open_mpi(const std::string& path);

/// Reads a library that a program opens while it runs, with all that it needs and is private and
/// not in `known`, each behind those that it needs; empty if there is none, or ranks share it. A
/// library of the system's that uses what `defines` holds for, symbols that the rank's program or
/// one of its libraries has, is private as well: a plugin.
/// Throws InputError if a file is none for this machine.
std::vector<OwnLibrary> read_library(const LibraryPlaces& places, const std::string& name,
                                     const std::map<std::string, std::string>& known,
                                     const std::function<bool(const char* name)>& defines);

}  // namespace heddle::host
