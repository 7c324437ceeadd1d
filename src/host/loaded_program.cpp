#include "host/loaded_program.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

extern "C" void* __tls_get_addr(void*);

namespace heddle::host {
namespace {

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

/// A path to an open file that differs from every earlier one: the loader takes equal paths for the
/// same library. The number is written in dots and slashes, which the file system passes over.
std::string distinct_path(int file) {
  static std::uint32_t number = 0;
  std::string path = fmt::format("/proc/{}/fd/", getpid());
  for (std::uint32_t rest = ++number; rest > 0; rest /= 2) path += rest % 2 ? ".//" : "./";
  return path + std::to_string(file);
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

}  // namespace

LoadedProgram::LoadedProgram(const ElfFile& file)
    : handle_(open(file)), start_(file.start()), finish_(file.finish()) {
  link_map* map = nullptr;
  dlinfo(handle_, RTLD_DI_LINKMAP, &map);
  base_ = reinterpret_cast<std::byte*>(map->l_addr);
  main_ = reinterpret_cast<int (*)(int, char**, char**)>(dlsym(handle_, "main"));
  find_writable(file);
}

void* LoadedProgram::open(const ElfFile& file) {
  const int copy = memory_file(file.bytes());
  void* handle = dlopen(distinct_path(copy).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(copy);
  if (handle != nullptr) return handle;
  const std::string problem = dlerror();
  throw InputError({file.path()}, "cannot load the program: " + problem);
}

void LoadedProgram::find_writable(const ElfFile& file) {
  for (const AddressRange& range : file.writable())
    writable_.emplace_back(base_ + range.begin, base_ + range.end);
  if (file.has_thread_locals())
    writable_.emplace_back(thread_locals(handle_), file.thread_local_size());
}

void LoadedProgram::construct(int argc, char** argv, char** environment) const {
  if (start_.function != 0) reinterpret_cast<Function>(base_ + start_.function)();
  const auto* array = reinterpret_cast<Constructor*>(base_ + start_.array);
  for (std::size_t i = 0; i < start_.count; ++i) array[i](argc, argv, environment);
}

void LoadedProgram::destruct() const {
  const auto* array = reinterpret_cast<Function*>(base_ + finish_.array);
  for (std::size_t i = finish_.count; i-- > 0;) array[i]();
  if (finish_.function != 0) reinterpret_cast<Function>(base_ + finish_.function)();
}

}  // namespace heddle::host
