#include "host/program_files.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/error.hpp"

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

/// The library that stands in for the simulator where a program is linked.
constexpr const char* kStandIn = "libportals.so.4";
/// The names of the one whose functions call those of the simulator: it has nothing that ranks
/// could not share.
constexpr std::array kShims = {"libmpich.so.12", "libmpi.so.12"};

bool stands_in(const std::string& name) {
  return name == kStandIn || std::find(kShims.begin(), kShims.end(), name) != kShims.end();
}

bool is_system(const fs::path& path) {
  const std::string real = fs::canonical(path);
  constexpr std::array kFolders = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  return std::any_of(kFolders.begin(), kFolders.end(),
                     [&](const char* folder) { return real.starts_with(folder); });
}

/// "$ORIGIN" stands for the folder of the file that says it.
std::string expanded(std::string folder, const std::string& origin) {
  for (const std::string word : {"$ORIGIN", "${ORIGIN}"}) {
    for (std::size_t at = folder.find(word); at != std::string::npos; at = folder.find(word))
      folder.replace(at, word.size(), origin);
  }
  return folder;
}

/// The first file called `name` in a list of folders with colons between them, if it is not the
/// system's.
std::optional<std::string> find_in(const std::string& list, const std::string& name,
                                   const std::string& origin) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const fs::path path = fs::path(expanded(list.substr(begin, end - begin), origin)) / name;
    if (fs::is_regular_file(path))
      return is_system(path) ? std::nullopt : std::optional<std::string>(path);
    begin = end + 1;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(const ElfFile& program) : program_(program) {}

  /// Adds what `file` needs, and what that needs.
  void add_needed(const ElfFile& file) {
    for (const std::string& name : file.needed()) {
      const bool known = std::any_of(libraries_.begin(), libraries_.end(),
                                     [&](const OwnLibrary& l) { return l.name == name; });
      if (known || stands_in(name)) continue;
      const auto path = find(file, name);
      if (!path) continue;
      ElfFile library(*path);
      add_needed(library);
      library.prepare(kStandIn);
      libraries_.push_back({name, std::move(library)});
    }
  }
  std::vector<OwnLibrary> take() { return std::move(libraries_); }

 private:
  /// Where the system's loader would find it, if that is not a folder of the system.
  std::optional<std::string> find(const ElfFile& file, const std::string& name) const {
    const char* environment = std::getenv("LD_LIBRARY_PATH");
    const std::string origin = origin_of(file);
    if (auto path = find_in(file.early_path(), name, origin)) return path;
    if (auto path = find_in(program_.early_path(), name, origin_of(program_))) return path;
    if (auto path = find_in(environment == nullptr ? "" : environment, name, origin)) return path;
    return find_in(file.late_path(), name, origin);
  }
  static std::string origin_of(const ElfFile& file) {
    return fs::canonical(file.path()).parent_path();
  }

  const ElfFile& program_;
  std::vector<OwnLibrary> libraries_;
};

void check(const ElfFile& file) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError({file.path()}, problem + ": build the program with heddlecc or heddlecxx");
  };
  if (!file.position_independent()) refuse("the program has a fixed place in memory");
  if (!file.defines(kMainPlace) && !file.defines("main"))
    refuse("the program does not show its main function");
  if (file.is_executable() && file.has_thread_locals())
    refuse("the program has thread-local variables at fixed places");
  if (file.has_copy_relocations()) refuse("parts of the program were compiled without -fPIC");
}

std::size_t globals_of(const ElfFile& file) {
  std::size_t size = file.thread_local_size();
  for (const AddressRange& range : file.writable()) size += range.end - range.begin;
  return size;
}

}  // namespace

std::size_t ProgramFiles::size_of_globals() const {
  std::size_t size = globals_of(program);
  for (const OwnLibrary& library : libraries) size += globals_of(library.file);
  return size;
}

ProgramFiles read_program(const std::string& path) {
  ProgramFiles files{ElfFile(path), {}};
  check(files.program);
  Reader reader(files.program);
  reader.add_needed(files.program);
  files.libraries = reader.take();
  files.program.prepare(kStandIn);
  return files;
}

}  // namespace heddle::host
