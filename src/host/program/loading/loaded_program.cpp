#include "host/program/loading/loaded_program.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <ios>

#include "core/error.hpp"
#include "host/program/loading/guarded_loading.hpp"
#include "host/program/loading/loading_folder.hpp"
#include "host/rank/place_name.hpp"

extern "C" void* __tls_get_addr(void*);

namespace heddle::host {
namespace {

/// Where the running thread keeps the variables of a module.
std::byte* thread_locals(void* handle) {
  struct {
    std::size_t module = 0;
    std::size_t offset = 0;
  } index;
  dlinfo(handle, RTLD_DI_TLS_MODID, &index.module);
  return static_cast<std::byte*>(__tls_get_addr(&index));
}

using Main = int (*)(int, char**, char**);

/// Programs that heddlecc linked show where it is, also if they hide their symbols; those of others
/// may keep it to themselves.
Main main_of(void* handle, const ElfFile& file, std::byte* base) {
  if (void* place = dlsym(handle, kMainPlace)) return *static_cast<Main*>(place);
  if (file.defines("main")) return reinterpret_cast<Main>(dlsym(handle, "main"));
  return reinterpret_cast<Main>(base + file.main_function().value_or(0));
}

std::byte* base_of(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  return reinterpret_cast<std::byte*>(map->l_addr);
}

}  // namespace

ElfFile renamed(ElfFile file, const std::map<std::string, std::string>& names) {
  for (const auto& [old, name] : names) file.rename_needed(old, name);
  return file;
}

LoadedObject::LoadedObject(void* handle, const ElfFile& file, const CallPatches& patches)
    : whole_(file.memory().whole()), start_(file.start()), finish_(file.finish()) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  base_ = reinterpret_cast<std::byte*>(map->l_addr);
  for (const AddressRange& range : file.memory().code()) {
    add_program_code({base_ + range.begin, base_ + range.end}, base_, file.absolute_path());
  }
  patches.patch(*map, file);
}

void LoadedObject::construct(int argc, char** argv, char** environment) const {
  using Constructor = void (*)(int, char**, char**);
  if (start_.function != 0) reinterpret_cast<void (*)()>(base_ + start_.function)();
  const auto* array = reinterpret_cast<Constructor*>(base_ + start_.array);
  for (std::size_t i = 0; i < start_.count; ++i) array[i](argc, argv, environment);
}

void LoadedObject::destruct() const {
  using Destructor = void (*)();
  const auto* array = reinterpret_cast<Destructor*>(base_ + finish_.array);
  for (std::size_t i = finish_.count; i-- > 0;) array[i]();
  if (finish_.function != 0) reinterpret_cast<void (*)()>(base_ + finish_.function)();
}

LoadedProgram::LoadedProgram(const ProgramFiles& files, const CallPatches& patches,
                             SharedPages* shared) {
  LoadingFolder folder;
  for (const OwnLibrary& library : files.libraries) {
    names_[library.name] = folder.add(renamed(library.file, names_).bytes());
  }
  const std::string program = folder.add(renamed(files.program, names_).bytes());
  void* handle = load_guarded(program, RTLD_NOW | RTLD_LOCAL, files.program.path());
  if (handle == nullptr) {
    const std::string problem = dlerror();
    const bool crowded = problem.find("static TLS") != std::string::npos;
    throw InputError({files.program.path()},
                     "cannot load the program: " + problem +
                         (crowded ? ": with host.privatize=swap it is loaded once" : ""));
  }
  const auto take = [&](void* object, const std::string& name, const ElfFile& file) {
    if (shared != nullptr) {
      shared->share(file.absolute_path(), folder.file(name), base_of(object),
                    file.memory().segments());
    }
    add(object, file, patches);
  };
  for (const OwnLibrary& library : files.libraries) {
    const std::string& name = names_[library.name];
    take(dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD), name, library.file);
  }
  take(handle, program, files.program);
  find_copied(files);
  main_ = main_of(handle, files.program, objects_.back().base());
  handle_ = handle;
}

void LoadedProgram::find_copied(const ProgramFiles& files) {
  for (const CopiedVariable& variable : files.program.copied_variables()) {
    const bool constant = std::ranges::none_of(
        files.program.memory().writable(),
        [&](const AddressRange& r) { return variable.place >= r.begin && variable.place < r.end; });
    void* const from = constant ? nullptr : original(files, variable.name.c_str());
    if (from == nullptr) continue;
    copied_.push_back({objects_.back().base() + variable.place, from, variable.size});
    if (is_kept_equal(variable.name)) kept_equal_.push_back(copied_.back());
  }
}

void LoadedProgram::add(void* handle, const ElfFile& file, const CallPatches& patches) {
  std::byte* base = objects_.emplace_back(handle, file, patches).base();
  for (const AddressRange& range : file.memory().writable()) {
    globals_.emplace_back(base + range.begin, base + range.end);
    writable_.push_back(globals_.back());
  }
  if (file.memory().has_thread_locals()) {
    writable_.emplace_back(thread_locals(handle), file.memory().thread_local_size());
  }
}

/// Where the library has it that the program needs: one of its own, or the simulator's.
void* LoadedProgram::original(const ProgramFiles& files, const char* name) {
  for (std::size_t i = 0; i < files.libraries.size(); ++i) {
    void* library = dlopen(names_[files.libraries[i].name].c_str(), RTLD_NOW | RTLD_NOLOAD);
    void* found = dlsym(library, name);
    if (objects_[i].contains(found)) return found;
  }
  return dlsym(RTLD_DEFAULT, name);
}

/// The loader has copied what the libraries had before their constructors ran. The streams of C++
/// begin with the first object of a class of theirs.
void LoadedProgram::copy_variables() const {
  if (copied_.empty()) return;
  static const std::ios_base::Init simulators_streams;
  static std::byte first_of_own_streams;
  using Begin = void (*)(void*);
  if (void* begin = find("_ZNSt8ios_base4InitC1Ev")) {
    reinterpret_cast<Begin>(begin)(&first_of_own_streams);
  }
  for (const Copied& variable : copied_) std::memcpy(variable.to, variable.from, variable.size);
}

void LoadedProgram::give_variables() const {
  for (const Copied& variable : kept_equal_) std::memcpy(variable.from, variable.to, variable.size);
}

void LoadedProgram::take_variables() const {
  for (const Copied& variable : kept_equal_) std::memcpy(variable.to, variable.from, variable.size);
}

void* LoadedProgram::find(const char* name) const {
  void* found = dlsym(handle_, name);
  const bool is_own =
      std::any_of(objects_.begin(), objects_.end(),
                  [&](const LoadedObject& object) { return object.contains(found); });
  return is_own ? found : nullptr;
}

void LoadedProgram::construct(int argc, char** argv, char** environment) const {
  for (const LoadedObject& object : objects_) {
    if (&object == &objects_.back()) copy_variables();
    object.construct(argc, argv, environment);
  }
}

void LoadedProgram::destruct() const {
  for (auto object = objects_.rbegin(); object != objects_.rend(); ++object) object->destruct();
}

}  // namespace heddle::host
