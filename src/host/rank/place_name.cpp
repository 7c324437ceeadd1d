#include "host/rank/place_name.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/core.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

namespace heddle::host {
namespace {

/// Code that is in memory, and where it comes from.
struct ProgramCode {
  const std::byte* begin;
  const std::byte* end;
  const std::byte* base;
  std::string file;
};

/// In the order of addresses; changes only while programs and libraries are loaded.
std::vector<ProgramCode>& program_code() {
  static std::vector<ProgramCode> code;
  return code;
}

const ProgramCode* find_code(const void* place) {
  const auto& code = program_code();
  const auto* address = static_cast<const std::byte*>(place);
  const auto after =
      std::upper_bound(code.begin(), code.end(), address,
                       [](const std::byte* a, const ProgramCode& c) { return a < c.begin; });
  if (after == code.begin() || address >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

/// What a command writes.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

/// What the program's own notes for debuggers say of a place; empty where they say nothing.
struct SourcePlace {
  std::string function;
  std::string line;  ///< "solve.c:12"
};

SourcePlace source_place(const ProgramCode& code, const void* place) {
  if (code.file.find('\'') != std::string::npos) return {};
  const std::string text =
      output_of(fmt::format("addr2line -f -C -s -e '{}' {:#x} 2>/dev/null", code.file,
                            static_cast<const std::byte*>(place) - code.base));
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || text.starts_with('?')) return {};
  const std::string line = text.substr(end + 1, text.find_first_of(" \n", end + 1) - end - 1);
  return {text.substr(0, end), line.starts_with('?') || line.ends_with('?') ? "" : line};
}

/// An address in a library whose function has no name: "libc.so.6+0x9a7c0".
std::string library_place(const void* place, const Dl_info& info) {
  const std::string_view path = info.dli_fname;
  const auto offset =
      static_cast<const std::byte*>(place) - static_cast<const std::byte*>(info.dli_fbase);
  return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), offset);
}

}  // namespace

void add_program_code(std::span<const std::byte> code, const std::byte* base,
                      const std::string& file) {
  auto& all = program_code();
  const auto after =
      std::upper_bound(all.begin(), all.end(), code.data(),
                       [](const std::byte* a, const ProgramCode& c) { return a < c.begin; });
  all.insert(after, {code.data(), code.data() + code.size(), base, file});
}

bool is_programs(const void* place) {
  return find_code(place) != nullptr;
}

std::string place_name(const void* place) {
  const ProgramCode* code = find_code(place);
  const SourcePlace source = code == nullptr ? SourcePlace{} : source_place(*code, place);
  const std::string line = source.line.empty() ? "" : " (" + source.line + ")";
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  if (dladdr1(place, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
              RTLD_DL_SYMENT) == 0) {
    return fmt::format("{}", place);
  }
  // A name without a length is the nearest one, whatever function this is.
  if (info.dli_sname == nullptr || symbol == nullptr || symbol->st_size == 0) {
    if (code == nullptr) return library_place(place, info);
    return source.function.empty() ? fmt::format("{}", place) : source.function + line;
  }
  int status = 0;
  char* readable = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  const std::string name = readable == nullptr ? info.dli_sname : readable;
  std::free(readable);
  const auto offset =
      static_cast<const std::byte*>(place) - static_cast<const std::byte*>(info.dli_saddr);
  return fmt::format("{}+{:#x}{}", name, offset, line);
}

}  // namespace heddle::host
