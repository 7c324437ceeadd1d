#include "host/program/loading/elf_file.hpp"

#include <algorithm>
#include <filesystem>

#include "host/program/loading/main_function.hpp"

namespace heddle::host {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kCopyRelocation = R_X86_64_COPY;
constexpr std::uint32_t kRelativeRelocation = R_X86_64_RELATIVE;
#elif defined(__aarch64__)
constexpr std::uint32_t kCopyRelocation = R_AARCH64_COPY;
constexpr std::uint32_t kRelativeRelocation = R_AARCH64_RELATIVE;
#endif

/// A tag that the loader passes over in anything but the main program.
constexpr std::int64_t kIgnored = DT_DEBUG;

void strike(const ElfImage& image, Elf64_Dyn& entry, std::string_view without) {
  switch (entry.d_tag) {
    case DT_INIT:
    case DT_FINI:
      entry.d_tag = kIgnored;
      break;
    case DT_INIT_ARRAYSZ:
    case DT_FINI_ARRAYSZ:
      entry.d_un.d_val = 0;
      break;
    case DT_FLAGS_1:
      entry.d_un.d_val &= ~static_cast<std::uint64_t>(DF_1_PIE);
      break;
    case DT_NEEDED:
      if (without == image.string(entry.d_un.d_val)) entry.d_tag = kIgnored;
      break;
    default:
      break;
  }
}

void make_private(std::span<Elf64_Sym> symbols) {
  for (Elf64_Sym& s : symbols) {
    if (ELF64_ST_BIND(s.st_info) == STB_GNU_UNIQUE) {
      s.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(s.st_info));
    }
  }
}

std::string path_of(const ElfImage& image, std::int64_t tag) {
  const Elf64_Dyn* entry = image.dynamic(tag);
  return entry == nullptr ? "" : image.string(entry->d_un.d_val);
}

}  // namespace

ElfFile::ElfFile(const std::string& path)
    : image_(path), absolute_path_(std::filesystem::absolute(path)) {}

std::string ElfFile::early_path() const {
  return path_of(image_, DT_RUNPATH).empty() ? path_of(image_, DT_RPATH) : "";
}

std::string ElfFile::late_path() const {
  return path_of(image_, DT_RUNPATH);
}

bool ElfFile::position_independent() const {
  return image_.header().e_type == ET_DYN;
}

bool ElfFile::defines(std::string_view name) const {
  const auto all = image_.symbols();
  return std::any_of(all.begin(), all.end(), [&](const Elf64_Sym& s) {
    return s.st_shndx != SHN_UNDEF && name == image_.string(s.st_name);
  });
}

bool ElfFile::mentions(std::string_view name) const {
  const auto all = image_.symbols();
  return std::any_of(all.begin(), all.end(),
                     [&](const Elf64_Sym& s) { return name == image_.string(s.st_name); });
}

bool ElfFile::uses(const std::function<bool(const char* name)>& holds) const {
  return std::ranges::any_of(image_.symbols(), [&](const Elf64_Sym& s) {
    return s.st_shndx == SHN_UNDEF && s.st_name != 0 && holds(image_.string(s.st_name));
  });
}

void ElfFile::keep_own(const std::function<bool(const char* name)>& elsewhere) {
  for (Elf64_Sym& s : image_.symbols()) {
    const bool others_see_it = s.st_shndx != SHN_UNDEF && ELF64_ST_BIND(s.st_info) != STB_LOCAL &&
                               ELF64_ST_VISIBILITY(s.st_other) == STV_DEFAULT;
    const bool may_move =
        ELF64_ST_TYPE(s.st_info) == STT_FUNC || ELF64_ST_TYPE(s.st_info) == STT_OBJECT;
    if (others_see_it && may_move && elsewhere(image_.string(s.st_name))) {
      s.st_other |= STV_PROTECTED;
    }
  }
}

/// The loader takes a local symbol as it is, and adds nothing to an absolute one.
void ElfFile::bind(const std::function<const void*(const char* name)>& find) {
  for (Elf64_Sym& s : image_.symbols()) {
    const bool is_used =
        s.st_shndx == SHN_UNDEF && s.st_name != 0 && ELF64_ST_BIND(s.st_info) != STB_LOCAL;
    if (!is_used || ELF64_ST_TYPE(s.st_info) == STT_TLS) continue;
    const void* found = find(image_.string(s.st_name));
    if (found == nullptr) continue;
    s.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(s.st_info));
    s.st_shndx = SHN_ABS;
    s.st_value = reinterpret_cast<std::uintptr_t>(found);
  }
}

std::vector<CopiedVariable> ElfFile::copied_variables() const {
  const std::span<const Elf64_Sym> symbols = image_.symbols();
  std::vector<CopiedVariable> variables;
  for (const Elf64_Rela& r : image_.relocations()) {
    if (ELF64_R_TYPE(r.r_info) != kCopyRelocation) continue;
    if (ELF64_R_SYM(r.r_info) >= symbols.size()) image_.refuse("the file is damaged");
    const Elf64_Sym& symbol = symbols[ELF64_R_SYM(r.r_info)];
    variables.push_back({image_.string(symbol.st_name), r.r_offset, symbol.st_size});
  }
  return variables;
}

std::optional<std::uint64_t> ElfFile::main_function() const {
  constexpr std::uint64_t kStartCode = 64;
  if (image_.header().e_entry == 0) return std::nullopt;
  const std::uint64_t place = image_.offset_of(image_.header().e_entry);
  const std::uint64_t length = std::min<std::uint64_t>(kStartCode, bytes().size() - place);
  const auto found = find_main({image_.at<std::byte>(place, length), length},
                               image_.header().e_entry, ElfImage::kMachine);
  if (!found || !found->indirect) return found ? std::optional(found->address) : std::nullopt;
  for (const Elf64_Rela& r : image_.relocations()) {
    if (r.r_offset == found->address && ELF64_R_TYPE(r.r_info) == kRelativeRelocation) {
      return static_cast<std::uint64_t>(r.r_addend);
    }
  }
  return std::nullopt;
}

void ElfFile::prepare(std::string_view without) {
  start_ = {image_.dynamic_value(DT_INIT), image_.dynamic_value(DT_INIT_ARRAY),
            image_.dynamic_value(DT_INIT_ARRAYSZ) / sizeof(void*)};
  finish_ = {image_.dynamic_value(DT_FINI), image_.dynamic_value(DT_FINI_ARRAY),
             image_.dynamic_value(DT_FINI_ARRAYSZ) / sizeof(void*)};
  for (const Elf64_Dyn& entry : image_.entries()) {
    strike(image_, const_cast<Elf64_Dyn&>(entry), without);
  }
  make_private(image_.symbols());
  take_executable_stack();
}

/// The stacks of ranks are ours; the loader would see to those of the simulator, or refuse to.
void ElfFile::take_executable_stack() {
  const Elf64_Phdr* segment = image_.find_segment(PT_GNU_STACK);
  if (segment == nullptr) return;
  executable_stack_ = (segment->p_flags & PF_X) != 0;
  const_cast<Elf64_Phdr*>(segment)->p_flags &= ~static_cast<std::uint32_t>(PF_X);
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::string> names;
  for (const Elf64_Dyn& entry : image_.entries()) {
    if (entry.d_tag == DT_NEEDED) names.emplace_back(image_.string(entry.d_un.d_val));
  }
  return names;
}

void ElfFile::rename_needed(std::string_view old, std::string_view name) {
  for (const Elf64_Dyn& entry : image_.entries()) {
    if (entry.d_tag != DT_NEEDED || old != image_.string(entry.d_un.d_val)) continue;
    auto* place = const_cast<char*>(image_.string(entry.d_un.d_val));
    std::copy(name.begin(), name.end(), place);
    place[name.size()] = '\0';
  }
}

void ElfFile::replace_instruction(std::uint32_t old, std::uint32_t instruction) {
  for (const Elf64_Phdr& s : image_.segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
    const std::uint64_t words = s.p_filesz / sizeof old;
    auto* const code = image_.at<std::uint32_t>(s.p_offset, words);
    std::replace(code, code + words, old, instruction);
  }
}

}  // namespace heddle::host
