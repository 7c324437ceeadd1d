#include "host/program/loading/turn_stubs.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/fiber.hpp"
#include "host/program/argument_registers.hpp"
#include "host/program/loading/bindings.hpp"
#include "host/rank/place_name.hpp"

// Where the linker has put the simulator's own code.
extern "C" const char __executable_start, etext;

extern "C" {
/// Where all stubs come to first.
[[gnu::used]] void heddle_turn_awaited() {
  heddle::FiberLead::come_back();
}
}

// A stub comes here with its function in a register. Those that may hold arguments are kept.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl heddle_turn_common
.hidden heddle_turn_common
heddle_turn_common:
)" HEDDLE_KEEP_ARGUMENTS R"(
  call heddle_turn_awaited
)" HEDDLE_GIVE_ARGUMENTS_BACK R"(
  jmp *%r11
)");
extern "C" char heddle_turn_common[];
#endif

namespace heddle::host {
namespace {

/// Of the C library: they look at their arguments only, or at what belongs to the thread.
constexpr std::array kOwnAffair = {"abs",
                                   "labs",
                                   "llabs",
                                   "div",
                                   "ldiv",
                                   "lldiv",
                                   "atoi",
                                   "atol",
                                   "atoll",
                                   "atof",
                                   "bcmp",
                                   "bcopy",
                                   "bzero",
                                   "bsearch",
                                   "qsort",
                                   "qsort_r",
                                   "snprintf",
                                   "sprintf",
                                   "vsnprintf",
                                   "vsprintf",
                                   "sscanf",
                                   "vsscanf",
                                   "__isoc99_sscanf",
                                   "__isoc99_vsscanf",
                                   "__isoc23_sscanf",
                                   "__snprintf_chk",
                                   "__sprintf_chk",
                                   "__vsnprintf_chk",
                                   "__vsprintf_chk",
                                   "aligned_alloc",
                                   "posix_memalign",
                                   "memalign",
                                   "setjmp",
                                   "_setjmp",
                                   "__sigsetjmp",
                                   "sigsetjmp",
                                   "toupper",
                                   "tolower",
                                   "rand_r",
                                   "__errno_location",
                                   "__ctype_b_loc",
                                   "__ctype_tolower_loc",
                                   "__ctype_toupper_loc",
                                   "__stack_chk_fail",
                                   "__cxa_finalize",
                                   "__gmon_start__",
                                   "reallocarray",
                                   "strdup",
                                   "strndup"};
/// Beginnings of such names; what is in the way of the rest is below.
constexpr std::array kOwnAffairs = {"mem",
                                    "__mem",
                                    "str",
                                    "__str",
                                    "__isoc23_strto",
                                    "is",
                                    "_Zn",
                                    "_Zd",
                                    "__cxa_",
                                    "__dynamic_cast",
                                    "__gxx_personality",
                                    "_ZNSt7__cxx1112basic_string",
                                    "_ZNKSt7__cxx1112basic_string",
                                    "_ZNSs",
                                    "_ZNKSs",
                                    "_ZSt18_Rb_tree",
                                    "_ZSt28_Rb_tree",
                                    "_ZSt29_Rb_tree",
                                    "_ZNSt8__detail15_List_node_base",
                                    "_ZNKSt8__detail20_Prime_rehash",
                                    "_ZSt11_Hash_bytes",
                                    "_ZNSt9exception",
                                    "_ZNKSt9exception",
                                    "_ZNSt13runtime_error",
                                    "_ZNKSt13runtime_error",
                                    "_ZNSt11logic_error",
                                    "_ZNKSt11logic_error",
                                    "_ZNSt12out_of_range",
                                    "_ZNSt16invalid_argument",
                                    "_ZNSt12length_error",
                                    "_ZSt16__throw",
                                    "_ZSt17__throw",
                                    "_ZSt18__throw",
                                    "_ZSt19__throw",
                                    "_ZSt20__throw",
                                    "_ZSt24__throw",
                                    "_ZSt25__throw"};
constexpr std::array kOthersToo = {"strtok",   "strerror", "strsignal", "strftime",
                                   "strptime", "isatty",   "strfmon"};
/// Libraries of which every function is its caller's own affair.
constexpr std::array kOwnAffairsOnly = {"libm.so", "libgcc_s.so"};
/// Variables that stay as they are, of C and of C++.
constexpr std::array kConstants = {"stdin", "stdout", "stderr", "_ZSt7nothrow",
                                   "__stack_chk_guard"};
constexpr std::array kKindsOfConstants = {
    "_ZTV", "_ZTI", "_ZTS",   "_ZNSt7__cxx1112basic_string", "_ZNSs4_Rep20_S_empty",
    "MPI",  "mpi",  "heddle_"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}
template <class Names>
bool begins_as_one_of(std::string_view name, const Names& names) {
  return std::ranges::any_of(names, [&](const char* one) { return name.starts_with(one); });
}

bool is_own_affair(std::string_view name) {
  if (is_one_of(name, kOwnAffair)) return true;
  return begins_as_one_of(name, kOwnAffairs) && !begins_as_one_of(name, kOthersToo);
}

bool is_constant(std::string_view name) {
  return is_one_of(name, kConstants) || begins_as_one_of(name, kKindsOfConstants);
}

bool is_simulators(const void* place) {
  return place >= &__executable_start && place < &etext;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// What is at a place that the loader has found for a name.
struct NamedFunction {
  bool function = false;
  std::string_view library;  ///< That has it.
};

NamedFunction found_at(const void* place) {
  Dl_info info{};
  const Elf64_Sym* symbol = nullptr;
  if (dladdr1(place, &info, reinterpret_cast<void**>(const_cast<Elf64_Sym**>(&symbol)),
              RTLD_DL_SYMENT) == 0) {
    return {};
  }
  const auto type = symbol == nullptr ? STT_NOTYPE : ELF64_ST_TYPE(symbol->st_info);
  return {type == STT_FUNC || type == STT_GNU_IFUNC,
          base_name(info.dli_fname == nullptr ? "" : info.dli_fname)};
}

#if defined(__x86_64__)
/// Stubs by function. They are the process's: programs stay in memory when their run is over, and
/// whoever runs their code then, such as a thread of a library, still comes to its stubs.
class StubMemory {
 public:
  void* stub_for(void* function) {
    void*& stub = stubs_[function];
    if (stub == nullptr) stub = written(function);
    return stub;
  }

 private:
  void* written(void* function) {
    constexpr std::size_t kStub = 32;
    if (room_ == end_) take_page();
    // The function into %r11; then a jump by way of the word behind it.
    constexpr std::array<std::uint8_t, 2> kLoad = {0x49, 0xbb};
    constexpr std::array<std::uint8_t, 6> kJump = {0xff, 0x25, 0, 0, 0, 0};
    char* const common = heddle_turn_common;
    std::memcpy(room_, kLoad.data(), kLoad.size());
    std::memcpy(room_ + 2, &function, sizeof function);
    std::memcpy(room_ + 10, kJump.data(), kJump.size());
    std::memcpy(room_ + 16, &common, sizeof common);
    return std::exchange(room_, room_ + kStub);
  }
  void take_page() {
    constexpr std::size_t kPage = 4096;
    void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw RunError("no memory is left for stubs of functions");
    room_ = static_cast<std::byte*>(page);
    end_ = room_ + kPage;
  }

  std::map<void*, void*> stubs_;
  std::byte* room_ = nullptr;  ///< For the next, ...
  std::byte* end_ = nullptr;   ///< ... up to here.
};

void* stub_for(void* function) {
  static StubMemory memory;
  return memory.stub_for(function);
}
#endif

}  // namespace

#if defined(__x86_64__)
bool TurnStubs::possible() {
  return true;
}

void TurnStubs::patch(const link_map& object) {
  Bindings(object).each([this](const Binding& one) {
    if (one.type == R_X86_64_COPY && !is_constant(one.name)) shared_variable_ = one.name;
    const bool is_call = one.type == R_X86_64_JUMP_SLOT;
    if (one.is_own || (!is_call && one.type != R_X86_64_GLOB_DAT && one.type != R_X86_64_64)) {
      return;
    }
    void* const place = *one.slot;
    if (place == nullptr || is_simulators(place) || is_programs(place)) return;
    const NamedFunction found = found_at(place);
    if (!is_call && !found.function) {
      if (!is_constant(one.name)) shared_variable_ = one.name;
    } else if (!begins_as_one_of(found.library, kOwnAffairsOnly) && !is_own_affair(one.name)) {
      Bindings::put(one.slot, stub_for(place));
    }
  });
}
#else
bool TurnStubs::possible() {
  return false;
}

void TurnStubs::patch(const link_map&) {}
#endif

}  // namespace heddle::host
