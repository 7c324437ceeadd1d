#include "host/program/opened_libraries.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "host/memory/executable_stack.hpp"
#include "host/program/hosted_program.hpp"
#include "host/program/loading/loading_folder.hpp"
#include "host/program/thread_identity.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {
namespace {

/// A path that means the same from everywhere; a name stays one.
std::string key_of(const char* path) {
  std::string name(path);
  if (name.find('/') == std::string::npos) return name;
  std::error_code missing;
  const std::filesystem::path real = std::filesystem::canonical(name, missing);
  return missing ? name : real.string();
}

}  // namespace

std::optional<void*> OpenedLibraries::open(const char* path, int flags) {
  const LoadedProgram& loaded = program_.loaded(rank_);
  const std::string name = key_of(path);
  if (const auto it = libraries_.find(name); it != libraries_.end()) {
    it->second.global |= (flags & RTLD_GLOBAL) != 0;
    return it->second.handle;
  }
  if (const auto own = loaded.names().find(name); own != loaded.names().end()) {
    const OutsideRanks outside;
    return dlopen(own->second.c_str(), RTLD_NOW | RTLD_NOLOAD);
  }
  std::map<std::string, std::string> known = loaded.names();
  known.insert(names_.begin(), names_.end());
  std::vector<OwnLibrary> files;
  try {
    const OutsideRanks outside;
    files = read_library(program_.places(), name, known,
                         [&](const char* symbol) { return find(loaded, symbol) != nullptr; });
  } catch (const InputError&) {
    // The system's loader says what is wrong with it.
  }
  if (files.empty()) return std::nullopt;
  if ((flags & RTLD_NOLOAD) != 0) return nullptr;
  const std::size_t before = objects_.size();
  void* handle = nullptr;
  try {
    handle = load(files, loaded, flags);
  } catch (const RunError&) {
    // There is no place for a copy.
  }
  if (handle == nullptr) return nullptr;
  libraries_[name] = {handle, (flags & RTLD_GLOBAL) != 0};
  for (std::size_t i = before; i < objects_.size(); ++i) {
    objects_[i].construct(argc_, argv_, environ);
  }
  return handle;
}

void* OpenedLibraries::load(const std::vector<OwnLibrary>& files, const LoadedProgram& program,
                            int flags) {
  const OutsideRanks outside;
  LoadingFolder folder;
  std::map<std::string, std::string> names = program.names();
  names.insert(names_.begin(), names_.end());
  for (const OwnLibrary& library : files) {
    if (library.file.wants_executable_stack()) {
      make_executable(rank_.thread().fiber().context().stack());
    }
    ElfFile copy = renamed(library.file, names);
    copy.bind([&](const char* name) { return find(program, name); });
    names[library.name] = folder.add(copy.bytes());
  }
  const int how = (flags & RTLD_LAZY) != 0 ? RTLD_LAZY : RTLD_NOW;
  void* handle = dlopen(names[files.back().name].c_str(), how | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  for (const OwnLibrary& library : files) {
    names_[library.name] = names[library.name];
    objects_.emplace_back(dlopen(names[library.name].c_str(), RTLD_NOW | RTLD_NOLOAD), library.file,
                          program_.patches());
  }
  return handle;
}

const void* OpenedLibraries::find(const LoadedProgram& program, const char* name) const {
  if (const void* found = program.find(name)) return found;
  for (const auto& [path, library] : libraries_) {
    if (!library.global) continue;
    const void* found = dlsym(library.handle, name);
    for (const LoadedObject& object : objects_) {
      if (object.contains(found)) return found;
    }
  }
  return nullptr;
}

bool OpenedLibraries::has(void* handle) const {
  for (const auto& [path, library] : libraries_) {
    if (library.handle == handle) return true;
  }
  return false;
}

void OpenedLibraries::destruct() const {
  for (auto object = objects_.rbegin(); object != objects_.rend(); ++object) object->destruct();
}

}  // namespace heddle::host
