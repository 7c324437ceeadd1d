// Libraries that a program opens while it runs.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/program/loading/loaded_program.hpp"

namespace heddle::host {

class Process;
class HostedProgram;
class Rank;

/// The libraries that one rank has opened: copies of its own, which find what its program defines.
/// They stay until the rank ends, however often they are closed.
class OpenedLibraries {
 public:
  /// The arguments are those that constructors of libraries are given.
  OpenedLibraries(Rank& rank, HostedProgram& program, int argc, char** argv)
      : rank_(rank), program_(program), argc_(argc), argv_(argv) {}

  /// As dlopen(3), whose answer it gives, for a library that each rank has for itself; nullopt for
  /// those that all share. On the rank's fiber.
  std::optional<void*> open(const char* path, int flags);
  /// Whether this is one of them.
  bool has(void* handle) const;
  /// What the linker wants run at the end.
  void destruct() const;

 private:
  struct Library {
    void* handle;
    bool global;  ///< Whether libraries that are opened later find what it defines.
  };

  void* load(const std::vector<OwnLibrary>& files, const LoadedProgram& program, int flags);
  const void* find(const LoadedProgram& program, const char* name) const;

  Rank& rank_;
  HostedProgram& program_;
  int argc_;
  char** argv_;
  std::map<std::string, Library> libraries_;  ///< By name, or by path.
  std::map<std::string, std::string> names_;  ///< Of the copies of all that was loaded.
  std::deque<LoadedObject> objects_;
};

}  // namespace heddle::host
