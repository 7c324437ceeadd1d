#include "host/program/loading/program_files.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "host/program/loading/libtool_script.hpp"
#include "host/program/loading/raw_system_calls.hpp"

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

/// The library that stands in for the simulator where a program is linked.
constexpr const char* kStandIn = "libportals.so.4";
/// The names of those whose functions call those of the simulator: they have nothing that ranks
/// could not share.
constexpr std::array kShims = {"libmpich.so.12", "libmpi.so.12", "libshmem.so"};
/// By these, a program wants the simulator's MPI or OpenSHMEM, whoever built it.
constexpr std::array kInterfaces = {"libmpich", "libmpichfort", "libmpi.so.12", "libmpifort.so.12",
                                    "libshmem"};

bool stands_in(const std::string& name) {
  return name == kStandIn || std::find(kShims.begin(), kShims.end(), name) != kShims.end();
}

/// Where the simulator's own libraries for programs lie: beside it where it was built, and where it
/// is installed.
std::string own_folders() {
  const fs::path simulator = fs::read_symlink("/proc/self/exe").parent_path();
  return (simulator / "stand-in").string() + ":" + (simulator / "../lib/heddle").string();
}

/// The system's libraries that keep state for a process, besides those that use MPI: these are made
/// for programs whose ranks are processes, and do so, too.
constexpr std::array kWithState = {"libgfortran", "libgomp", "libopenblas", "libcaf_single",
                                   "libpython3"};
/// Those that all others need, keep none of their own beyond what is ours, and are never private.
constexpr std::array kBase = {
    "libc",     "libm",    "libstdc++",       "libgcc_s",        "libpthread",
    "libdl",    "librt",   "libutil",         "ld-linux-x86-64", "libasan",
    "libubsan", "libtsan", "ld-linux-aarch64"};

/// Whether a library's name is `stem`, with or without its versions: "libfoo.so.1", "libfoo".
bool is_called(const std::string& name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  const std::string_view rest = std::string_view(name).substr(stem.size());
  return rest.empty() || rest.starts_with(".so") || rest.starts_with('.');
}

template <class Names>
bool is_among(const std::string& name, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& stem) { return is_called(name, stem); });
}

bool wants_interface(const ElfFile& file) {
  return std::ranges::any_of(
      file.needed(), [](const std::string& needed) { return is_among(needed, kInterfaces); });
}

bool names_open_mpi(const ElfFile& file) {
  return std::ranges::any_of(
      file.needed(), [](const std::string& needed) { return needed.starts_with("libmpi.so.40"); });
}

/// Where the system's loader looks by itself, with colons between them.
std::string system_folders() {
#if defined(__x86_64__)
  const std::string triplet = "x86_64-linux-gnu";
#else
  const std::string triplet = "aarch64-linux-gnu";
#endif
  return "/lib/" + triplet + ":/usr/lib/" + triplet +
         ":/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib/" + triplet + ":/usr/local/lib";
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
    for (std::size_t at = folder.find(word); at != std::string::npos; at = folder.find(word)) {
      folder.replace(at, word.size(), origin);
    }
  }
  return folder;
}

/// The first file called `name` in a list of folders with colons between them.
std::optional<std::string> find_in(const std::string& list, const std::string& name,
                                   const std::string& origin) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const fs::path path = fs::path(expanded(list.substr(begin, end - begin), origin)) / name;
    if (fs::is_regular_file(path)) return path;
    begin = end + 1;
  }
  return std::nullopt;
}

/// Whether the loader would find a symbol in the simulator or in the system's libraries that it
/// uses, before it looks into those of a program.
bool simulator_has(const char* name) {
  return dlsym(RTLD_DEFAULT, name) != nullptr;
}

std::string origin_of(const ElfFile& file) {
  return fs::canonical(file.path()).parent_path();
}

class Reader {
 public:
  explicit Reader(const LibraryPlaces& places) : places_(places) {}

  /// Makes those private that use what `defines` says is a rank's own.
  void bind_to(const std::function<bool(const char* name)>& defines) { defines_ = &defines; }
  /// Of a library that is there already.
  void know(const std::string& name) { known_[name] = true; }
  /// Adds what `file` needs, and what that needs, as far as it is private; answers whether any is.
  bool add_needed(const ElfFile& file) {
    bool any = false;
    const Folders folders{origin_of(file), file.early_path(), file.late_path()};
    for (const std::string& name : file.needed()) any = add(folders, name) || any;
    return any;
  }
  /// Adds a library that the program asks for by name.
  void add_opened(const std::string& name) {
    add({places_.origin, places_.early, places_.late}, name);
  }
  std::vector<OwnLibrary> take() { return std::move(libraries_); }

  /// Shows `file` and the libraries that it needs, each before those that it needs itself, until
  /// one is answered with true; answers whether one was.
  bool visit(const ElfFile& file, const std::function<bool(const ElfFile&)>& ends) {
    if (ends(file)) return true;
    const Folders folders{origin_of(file), file.early_path(), file.late_path()};
    for (const std::string& name : file.needed()) {
      if (stands_in(name) || is_among(name, kBase) || !known_.emplace(name, false).second) continue;
      const auto path = find(folders, name);
      if (path && visit(ElfFile(*path), ends)) return true;
    }
    return false;
  }

 private:
  /// Where who needs a library has it looked for.
  struct Folders {
    std::string origin;
    std::string early;
    std::string late;
  };

  /// Whether the library of this name is private; then it is added.
  bool add(const Folders& folders, const std::string& name) {
    if (stands_in(name) || is_among(name, kBase)) return false;
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    const auto path = find(folders, name);
    known_[name] = false;  // For circles.
    if (!path) return false;
    ElfFile library(*path);
    const bool needs_private = add_needed(library);
    const bool is_private = needs_private || !is_system(*path) || is_among(name, kWithState) ||
                            is_among(name, places_.private_libraries) || wants_interface(library) ||
                            (defines_ != nullptr && library.uses(*defines_));
    known_[name] = is_private;
    if (!is_private) return false;
    library.prepare(kStandIn);
    if (is_called(name, "libgomp")) RawSystemCalls::show(library);
    library.keep_own(simulator_has);
    libraries_.push_back({name, std::move(library)});
    return true;
  }

  /// Where the system's loader would find it, unless it is one of the simulator's own.
  std::optional<std::string> find(const Folders& from, const std::string& name) const {
    if (name.find('/') != std::string::npos) {
      return fs::is_regular_file(name) ? std::optional(name) : std::nullopt;
    }
    if (auto path = find_in(own_folders(), name, from.origin)) return path;
    const char* environment = std::getenv("LD_LIBRARY_PATH");
    if (auto path = find_in(from.early, name, from.origin)) return path;
    if (auto path = find_in(places_.early, name, places_.origin)) return path;
    if (auto path = find_in(environment == nullptr ? "" : environment, name, from.origin)) {
      return path;
    }
    if (auto path = find_in(from.late, name, from.origin)) return path;
    return find_in(system_folders(), name, from.origin);
  }

  const LibraryPlaces& places_;
  const std::function<bool(const char* name)>* defines_ = nullptr;
  std::map<std::string, bool> known_;  ///< Libraries looked at; whether they are private.
  std::vector<OwnLibrary> libraries_;
};

/// What the sanitizers' run-time libraries need that cannot come later.
void check_sanitizers(const ElfFile& file) {
  struct Sanitizer {
    const char* library;
    const char* name;
    const char* option;
    const char* mark;  ///< A function of it that is there if the simulator has it, too.
  };
  constexpr std::array kSanitizers = {
      Sanitizer{"libasan", "AddressSanitizer", "address", "__asan_init"},
      Sanitizer{"libtsan", "ThreadSanitizer", "thread", "__tsan_init"},
      Sanitizer{"liblsan", "LeakSanitizer", "leak", "__lsan_init"}};
  for (const std::string& needed : file.needed()) {
    for (const Sanitizer& s : kSanitizers) {
      if (!is_called(needed, s.library) || simulator_has(s.mark)) continue;
      throw InputError(
          {file.path()},
          std::string("built with ") + s.name +
              ", which must be in the simulator from its start: build the program "
              "without -fsanitize=" +
              s.option + ", or run it with a heddle that was built with it" +
              (s.option == std::string_view("address") ? " (-DHEDDLE_SANITIZE=ON)" : ""));
    }
  }
}

/// As scripts of libtool's do, for ranks see it, too.
void add_library_folders(const std::string& folders) {
  if (folders.empty()) return;
  const char* before = std::getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH", (folders + (before == nullptr ? "" : before)).c_str(), 1);
}

/// Variables of libraries of which a copy is as good. The streams of C are where they are, those of
/// C++ share their buffers with the originals, and what describes types is constant, as are the
/// marks of MPI and the program's name.
bool copy_is_as_good(std::string_view name) {
  constexpr std::array kNames = {"stdin",
                                 "stdout",
                                 "stderr",
                                 "_ZSt3cin",
                                 "_ZSt4cout",
                                 "_ZSt4cerr",
                                 "_ZSt4clog",
                                 "_ZSt4wcin",
                                 "_ZSt5wcout",
                                 "_ZSt5wcerr",
                                 "_ZSt5wclog",
                                 "program_invocation_name",
                                 "program_invocation_short_name",
                                 "__progname",
                                 "__progname_full",
                                 "MPI_UNWEIGHTED",
                                 "MPI_WEIGHTS_EMPTY",
                                 "MPI_T_PVAR_ALL_HANDLES"};
  constexpr std::array kKinds = {"_ZTV", "_ZTI", "_ZTS", "_ZTT"};
  return std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kKinds, [&](const char* kind) { return name.starts_with(kind); });
}

bool shows_main(const ElfFile& file) {
  return file.defines(kMainPlace) || file.defines("main");
}

void check(const ElfFile& file) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError({file.path()},
                     problem + ": build the program with heddlecc, heddlecxx or heddlef90");
  };
  if (file.is_static()) refuse("the program is linked statically");
  if (!file.position_independent()) refuse("the program has a fixed place in memory");
  check_sanitizers(file);
  if (!shows_main(file) && !file.main_function()) {
    refuse("the program does not show its main function");
  }
  if (file.is_executable() && file.memory().has_thread_locals()) {
    refuse("the program has thread-local variables at fixed places");
  }
  for (const CopiedVariable& variable : file.copied_variables()) {
    if (!copy_is_as_good(variable.name) && !is_kept_equal(variable.name)) {
      refuse("parts of the program were compiled without -fPIC and share " + variable.name +
             " with a library");
    }
  }
}

/// A program's search path leads to the simulator that it was built with, which may have gone, and
/// then on to a real MPI. The loader takes what is there already under the name it looks for.
void load_shims() {
  for (const char* shim : kShims) {
    if (const auto path = find_in(own_folders(), shim, "")) dlopen(path->c_str(), RTLD_LAZY);
  }
}

std::size_t globals_of(const ElfFile& file) {
  std::size_t size = file.memory().thread_local_size();
  for (const AddressRange& range : file.memory().writable()) size += range.end - range.begin;
  return size;
}

}  // namespace

std::size_t ProgramFiles::size_of_globals() const {
  std::size_t size = globals_of(program);
  for (const OwnLibrary& library : libraries) size += globals_of(library.file);
  return size;
}

std::size_t ProgramFiles::static_thread_locals() const {
  std::size_t size = 0;
  for (const OwnLibrary& library : libraries) {
    const ElfMemory memory = library.file.memory();
    if (memory.wants_static_thread_locals()) size += memory.thread_local_size();
  }
  return size;
}

std::size_t ProgramFiles::size() const {
  std::size_t size = program.bytes().size();
  for (const OwnLibrary& library : libraries) size += library.file.bytes().size();
  return size;
}

bool ProgramFiles::uses_openmp() const {
  return std::any_of(libraries.begin(), libraries.end(),
                     [](const OwnLibrary& l) { return is_called(l.name, "libgomp"); });
}

bool ProgramFiles::reads_counter() const {
  return program.memory().may_read_counter() ||
         std::any_of(libraries.begin(), libraries.end(), [](const OwnLibrary& l) {
           return !is_system(l.file.absolute_path()) && l.file.memory().may_read_counter();
         });
}

bool ProgramFiles::wants_executable_stacks() const {
  return program.wants_executable_stack() ||
         std::ranges::any_of(libraries, [](const OwnLibrary& library) {
           return library.file.wants_executable_stack();
         });
}

bool ProgramFiles::mentions(std::string_view name) const {
  return program.mentions(name) ||
         std::any_of(libraries.begin(), libraries.end(),
                     [&](const OwnLibrary& l) { return l.file.mentions(name); });
}

ProgramFiles read_program(const std::string& path,
                          const std::vector<std::string>& private_libraries) {
  const auto script = read_libtool_script(path);
  if (script) add_library_folders(script->libraries);
  ProgramFiles files{ElfFile(script ? script->path : path), {}};
  check(files.program);
  files.places = {origin_of(files.program), files.program.early_path(), files.program.late_path(),
                  private_libraries};
  Reader reader(files.places);
  reader.add_needed(files.program);
  files.libraries = reader.take();
  files.program.prepare(kStandIn);
  load_shims();
  return files;
}

bool is_kept_equal(std::string_view name) {
  constexpr std::array kNames = {"environ", "__environ", "_environ", "optarg",
                                 "optind",  "opterr",    "optopt"};
  return std::ranges::find(kNames, name) != kNames.end();
}

namespace {

/// As Reader::visit.
void visit(const ElfFile& program, const std::function<bool(const ElfFile&)>& ends) {
  const LibraryPlaces places{origin_of(program), program.early_path(), program.late_path(), {}};
  Reader(places).visit(program, ends);
}

/// The MPI that a program names or, if it names none, a library that it needs.
OtherMpi mpi_of(const ElfFile& program) {
  OtherMpi mpi = OtherMpi::none;
  visit(program, [&](const ElfFile& file) {
    if (wants_interface(file)) {
      mpi = OtherMpi::mpich;
    } else if (names_open_mpi(file)) {
      mpi = OtherMpi::open_mpi;
    }
    return mpi != OtherMpi::none;
  });
  return mpi;
}

}  // namespace

bool can_be_loaded(const std::string& path) {
  try {
    const auto script = read_libtool_script(path);
    const ElfFile file(script ? script->path : path);
    if (file.defines(kMainPlace) || mpi_of(file) == OtherMpi::mpich) return true;
    if (!shows_main(file)) return false;
    check(file);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

bool has_counts(const std::string& path) {
  try {
    return can_be_loaded(path) && read_program(path).mentions("heddle_has_counts");
  } catch (const InputError&) {
    return false;  // Whoever loads it says what is wrong with it.
  }
}

OtherMpi linked_mpi(const std::string& path) {
  try {
    return mpi_of(ElfFile(path));
  } catch (const InputError&) {
    return OtherMpi::none;
  }
}

bool needs_library(const std::string& path, const std::string& name) {
  bool found = false;
  try {
    visit(ElfFile(path), [&](const ElfFile& file) {
      found = std::ranges::any_of(file.needed(), [&](const std::string& needed) {
        return is_among(needed, std::array{name});
      });
      return found;
    });
  } catch (const InputError&) {
    return false;
  }
  return found;
}

std::string library_for_open_mpi(const std::string& path) {
  std::string found;
  try {
    visit(ElfFile(path), [&](const ElfFile& file) {
      if (names_open_mpi(file)) found = file.path();
      return !found.empty();
    });
  } catch (const InputError&) {
    return {};
  }
  return found;
}

std::vector<OwnLibrary> read_library(const LibraryPlaces& places, const std::string& name,
                                     const std::map<std::string, std::string>& known,
                                     const std::function<bool(const char* name)>& defines) {
  Reader reader(places);
  reader.bind_to(defines);
  for (const auto& [other, copy] : known) reader.know(other);
  reader.add_opened(name);
  std::vector<OwnLibrary> libraries = reader.take();
  // What it needs may be private while it is not there itself.
  if (!libraries.empty() && libraries.back().name != name) libraries.clear();
  return libraries;
}

}  // namespace heddle::host
