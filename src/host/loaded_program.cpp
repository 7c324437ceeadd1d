#include "host/loaded_program.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "host/place_name.hpp"

extern "C" void* __tls_get_addr(void*);

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

/// A file in memory with these contents.
int memory_file(const std::vector<std::byte>& bytes) {
  const int file = memfd_create("heddle program", MFD_CLOEXEC);
  if (file < 0) throw RunError(fmt::format("cannot copy the program: {}", std::strerror(errno)));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n <= 0) throw RunError(fmt::format("cannot copy the program: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(n);
  }
  return file;
}

/// A folder for the time of loading. The loader takes files of equal paths for the same library, so
/// every file in it, a link to a file in memory, has a name that none has had before: short,
/// because it replaces the names of needed libraries in their place.
class LoadingFolder {
 public:
  LoadingFolder() {
    path_ = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr)
      throw RunError(fmt::format("cannot make a folder {}: {}", path_, std::strerror(errno)));
    before_ = fs::current_path();
    fs::current_path(path_);
  }
  ~LoadingFolder() {
    for (const int file : files_) close(file);
    std::error_code ignored;
    fs::current_path(before_, ignored);
    fs::remove_all(path_, ignored);
  }
  LoadingFolder(const LoadingFolder&) = delete;
  LoadingFolder& operator=(const LoadingFolder&) = delete;

  /// A new name for the contents of a file: "./a2".
  std::string add(const std::vector<std::byte>& bytes) {
    files_.push_back(memory_file(bytes));
    std::string name = fresh_name();
    fs::create_symlink(fmt::format("/proc/{}/fd/{}", getpid(), files_.back()), name);
    return name;
  }

 private:
  static std::string fresh_name() {
    static std::uint32_t number = 0;
    constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string name = "./";
    for (std::uint32_t rest = ++number; rest > 0; rest /= kDigits.size())
      name += kDigits[rest % kDigits.size()];
    return name;
  }

  std::string path_;
  fs::path before_;
  std::vector<int> files_;
};

/// Gives needed libraries the names of their copies.
ElfFile renamed(ElfFile file, const std::map<std::string, std::string>& names) {
  for (const auto& [old, name] : names) file.rename_needed(old, name);
  return file;
}

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

/// Programs that heddlecc linked show where it is, also if they hide their symbols.
Main main_of(void* handle) {
  if (void* place = dlsym(handle, kMainPlace)) return *static_cast<Main*>(place);
  return reinterpret_cast<Main>(dlsym(handle, "main"));
}

}  // namespace

LoadedProgram::LoadedProgram(const ProgramFiles& files) {
  LoadingFolder folder;
  std::map<std::string, std::string> names;
  for (const OwnLibrary& library : files.libraries)
    names[library.name] = folder.add(renamed(library.file, names).bytes());
  const std::string program = folder.add(renamed(files.program, names).bytes());
  void* handle = dlopen(program.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string problem = dlerror();
    const bool crowded = problem.find("static TLS") != std::string::npos;
    throw InputError({files.program.path()},
                     "cannot load the program: " + problem +
                         (crowded ? ": take --privatize swap, which loads it once" : ""));
  }
  for (const OwnLibrary& library : files.libraries)
    add(dlopen(names[library.name].c_str(), RTLD_NOW | RTLD_NOLOAD), library.file);
  add(handle, files.program);
  main_ = main_of(handle);
  handle_ = handle;
}

void LoadedProgram::add(void* handle, const ElfFile& file) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  auto* base = reinterpret_cast<std::byte*>(map->l_addr);
  objects_.push_back({base, file.start(), file.finish()});
  for (const AddressRange& range : file.code()) {
    add_program_code({base + range.begin, base + range.end}, base, file.absolute_path());
  }
  for (const AddressRange& range : file.writable())
    writable_.emplace_back(base + range.begin, base + range.end);
  if (file.has_thread_locals())
    writable_.emplace_back(thread_locals(handle), file.thread_local_size());
}

void LoadedProgram::construct(int argc, char** argv, char** environment) const {
  using Constructor = void (*)(int, char**, char**);
  for (const Object& object : objects_) {
    const StartCode& code = object.start;
    if (code.function != 0) reinterpret_cast<void (*)()>(object.base + code.function)();
    const auto* array = reinterpret_cast<Constructor*>(object.base + code.array);
    for (std::size_t i = 0; i < code.count; ++i) array[i](argc, argv, environment);
  }
}

void LoadedProgram::destruct() const {
  using Destructor = void (*)();
  for (auto object = objects_.rbegin(); object != objects_.rend(); ++object) {
    const StartCode& code = object->finish;
    const auto* array = reinterpret_cast<Destructor*>(object->base + code.array);
    for (std::size_t i = code.count; i-- > 0;) array[i]();
    if (code.function != 0) reinterpret_cast<void (*)()>(object->base + code.function)();
  }
}

}  // namespace heddle::host
