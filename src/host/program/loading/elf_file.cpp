#include "host/program/loading/elf_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "files/files_read.hpp"
#include "host/program/loading/main_function.hpp"
#include "host/rank/counter_instruction.hpp"

namespace heddle::host {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
constexpr std::uint32_t kCopyRelocation = R_X86_64_COPY;
constexpr std::uint32_t kThreadOffsetRelocation = R_X86_64_TPOFF64;
constexpr std::uint32_t kRelativeRelocation = R_X86_64_RELATIVE;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
constexpr std::uint32_t kCopyRelocation = R_AARCH64_COPY;
constexpr std::uint32_t kThreadOffsetRelocation = R_AARCH64_TLS_TPREL;
constexpr std::uint32_t kRelativeRelocation = R_AARCH64_RELATIVE;
#else
#error "say what programs for this kind of machine look like"
#endif

/// A tag that the loader passes over in anything but the main program.
constexpr std::int64_t kIgnored = DT_DEBUG;

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream || std::filesystem::is_directory(path)) {
    throw InputError({path}, std::string("cannot read the program: ") +
                                 (stream ? "it is a folder" : std::strerror(errno)));
  }
  files::note_read(path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

std::uint64_t page_floor(std::uint64_t address) {
  return address & ~(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) - 1);
}

}  // namespace

template <class T>
const T* ElfFile::at(std::uint64_t offset, std::uint64_t count) const {
  const bool inside = offset <= bytes_.size() && count <= (bytes_.size() - offset) / sizeof(T);
  if (!inside) refuse("the file is damaged");
  return reinterpret_cast<const T*>(bytes_.data() + offset);
}

ElfFile::ElfFile(const std::string& path)
    : path_(path), absolute_path_(std::filesystem::absolute(path)), bytes_(read_file(path)) {
  check();
}

void ElfFile::refuse(const std::string& problem) const {
  throw InputError({path_}, problem + ": build the program with heddlecc, heddlecxx or heddlef90");
}

void ElfFile::check() const {
  if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
    refuse("not a program");
  }
  if (header().e_ident[EI_CLASS] != ELFCLASS64 || header().e_machine != kMachine) {
    refuse("not a program for this kind of machine");
  }
}

const Elf64_Ehdr& ElfFile::header() const {
  return *at<Elf64_Ehdr>(0, 1);
}

bool ElfFile::position_independent() const {
  return header().e_type == ET_DYN;
}

std::vector<Elf64_Phdr> ElfFile::segments() const {
  const auto* first = at<Elf64_Phdr>(header().e_phoff, header().e_phnum);
  return {first, first + header().e_phnum};
}

const Elf64_Phdr* ElfFile::find_segment(std::uint32_t type) const {
  const auto* first = at<Elf64_Phdr>(header().e_phoff, header().e_phnum);
  const auto* last = first + header().e_phnum;
  const auto* found = std::find_if(first, last, [=](const auto& s) { return s.p_type == type; });
  return found == last ? nullptr : found;
}

std::uint64_t ElfFile::offset_of(std::uint64_t address) const {
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz) {
      return address - s.p_vaddr + s.p_offset;
    }
  }
  refuse("the file is damaged");
}

std::span<const Elf64_Dyn> ElfFile::entries() const {
  const Elf64_Phdr* segment = find_segment(PT_DYNAMIC);
  if (segment == nullptr) return {};
  const std::uint64_t count = segment->p_filesz / sizeof(Elf64_Dyn);
  const auto* first = at<Elf64_Dyn>(segment->p_offset, count);
  const auto* end = std::find_if(first, first + count,
                                 [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; });
  return {first, end};
}

const Elf64_Dyn* ElfFile::dynamic(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : entries()) {
    if (entry.d_tag == tag) return &entry;
  }
  return nullptr;
}

std::uint64_t ElfFile::dynamic_value(std::int64_t tag) const {
  const Elf64_Dyn* entry = dynamic(tag);
  return entry == nullptr ? 0 : entry->d_un.d_val;
}

const char* ElfFile::string(std::uint64_t offset) const {
  return at<char>(offset_of(dynamic_value(DT_STRTAB)) + offset, 1);
}

/// The dynamic section does not say; the section headers do.
std::uint64_t ElfFile::symbol_count() const {
  const auto* first = at<Elf64_Shdr>(header().e_shoff, header().e_shnum);
  for (const auto* s = first; s != first + header().e_shnum; ++s) {
    if (s->sh_type == SHT_DYNSYM) return s->sh_size / sizeof(Elf64_Sym);
  }
  return 0;
}

std::span<const Elf64_Sym> ElfFile::symbols() const {
  if (dynamic(DT_SYMTAB) == nullptr) return {};
  const std::uint64_t count = symbol_count();
  return {at<Elf64_Sym>(offset_of(dynamic_value(DT_SYMTAB)), count), count};
}

std::span<Elf64_Sym> ElfFile::symbols() {
  const auto all = static_cast<const ElfFile*>(this)->symbols();
  return {const_cast<Elf64_Sym*>(all.data()), all.size()};
}

bool ElfFile::defines(std::string_view name) const {
  const auto all = symbols();
  return std::any_of(all.begin(), all.end(), [&](const Elf64_Sym& s) {
    return s.st_shndx != SHN_UNDEF && name == string(s.st_name);
  });
}

bool ElfFile::mentions(std::string_view name) const {
  const auto all = symbols();
  return std::any_of(all.begin(), all.end(),
                     [&](const Elf64_Sym& s) { return name == string(s.st_name); });
}

bool ElfFile::uses(const std::function<bool(const char* name)>& holds) const {
  return std::ranges::any_of(symbols(), [&](const Elf64_Sym& s) {
    return s.st_shndx == SHN_UNDEF && s.st_name != 0 && holds(string(s.st_name));
  });
}

void ElfFile::keep_own(const std::function<bool(const char* name)>& elsewhere) {
  for (Elf64_Sym& s : symbols()) {
    const bool others_see_it = s.st_shndx != SHN_UNDEF && ELF64_ST_BIND(s.st_info) != STB_LOCAL &&
                               ELF64_ST_VISIBILITY(s.st_other) == STV_DEFAULT;
    const bool may_move =
        ELF64_ST_TYPE(s.st_info) == STT_FUNC || ELF64_ST_TYPE(s.st_info) == STT_OBJECT;
    if (others_see_it && may_move && elsewhere(string(s.st_name))) s.st_other |= STV_PROTECTED;
  }
}

/// The loader takes a local symbol as it is, and adds nothing to an absolute one.
void ElfFile::bind(const std::function<const void*(const char* name)>& find) {
  for (Elf64_Sym& s : symbols()) {
    const bool is_used =
        s.st_shndx == SHN_UNDEF && s.st_name != 0 && ELF64_ST_BIND(s.st_info) != STB_LOCAL;
    if (!is_used || ELF64_ST_TYPE(s.st_info) == STT_TLS) continue;
    const void* found = find(string(s.st_name));
    if (found == nullptr) continue;
    s.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(s.st_info));
    s.st_shndx = SHN_ABS;
    s.st_value = reinterpret_cast<std::uintptr_t>(found);
  }
}

std::span<const Elf64_Rela> ElfFile::relocations() const {
  const std::uint64_t count = dynamic_value(DT_RELASZ) / sizeof(Elf64_Rela);
  if (count == 0) return {};
  return {at<Elf64_Rela>(offset_of(dynamic_value(DT_RELA)), count), count};
}

bool ElfFile::wants_static_thread_locals() const {
  // Not every linker says so.
  return (dynamic_value(DT_FLAGS) & DF_STATIC_TLS) != 0 ||
         std::ranges::any_of(relocations(), [](const Elf64_Rela& r) {
           return ELF64_R_TYPE(r.r_info) == kThreadOffsetRelocation;
         });
}

std::vector<CopiedVariable> ElfFile::copied_variables() const {
  const std::span<const Elf64_Sym> symbols = this->symbols();
  std::vector<CopiedVariable> variables;
  for (const Elf64_Rela& r : relocations()) {
    if (ELF64_R_TYPE(r.r_info) != kCopyRelocation) continue;
    if (ELF64_R_SYM(r.r_info) >= symbols.size()) refuse("the file is damaged");
    const Elf64_Sym& symbol = symbols[ELF64_R_SYM(r.r_info)];
    variables.push_back({string(symbol.st_name), r.r_offset, symbol.st_size});
  }
  return variables;
}

std::optional<std::uint64_t> ElfFile::main_function() const {
  constexpr std::uint64_t kStartCode = 64;
  if (header().e_entry == 0) return std::nullopt;
  const std::uint64_t place = offset_of(header().e_entry);
  const std::uint64_t length = std::min<std::uint64_t>(kStartCode, bytes_.size() - place);
  const auto found = find_main({at<std::byte>(place, length), length}, header().e_entry, kMachine);
  if (!found || !found->indirect) return found ? std::optional(found->address) : std::nullopt;
  for (const Elf64_Rela& r : relocations()) {
    if (r.r_offset == found->address && ELF64_R_TYPE(r.r_info) == kRelativeRelocation) {
      return static_cast<std::uint64_t>(r.r_addend);
    }
  }
  return std::nullopt;
}

void ElfFile::prepare(std::string_view without) {
  start_ = {dynamic_value(DT_INIT), dynamic_value(DT_INIT_ARRAY),
            dynamic_value(DT_INIT_ARRAYSZ) / sizeof(void*)};
  finish_ = {dynamic_value(DT_FINI), dynamic_value(DT_FINI_ARRAY),
             dynamic_value(DT_FINI_ARRAYSZ) / sizeof(void*)};
  for (const Elf64_Dyn& entry : entries()) strike(const_cast<Elf64_Dyn&>(entry), without);
  make_private_symbols();
  take_executable_stack();
}

/// The stacks of ranks are ours; the loader would see to those of the simulator, or refuse to.
void ElfFile::take_executable_stack() {
  const Elf64_Phdr* segment = find_segment(PT_GNU_STACK);
  if (segment == nullptr) return;
  executable_stack_ = (segment->p_flags & PF_X) != 0;
  const_cast<Elf64_Phdr*>(segment)->p_flags &= ~static_cast<std::uint32_t>(PF_X);
}

void ElfFile::strike(Elf64_Dyn& entry, std::string_view without) {
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
      if (without == string(entry.d_un.d_val)) entry.d_tag = kIgnored;
      break;
    default:
      break;
  }
}

std::vector<std::string> ElfFile::needed() const {
  std::vector<std::string> names;
  for (const Elf64_Dyn& entry : entries()) {
    if (entry.d_tag == DT_NEEDED) names.emplace_back(string(entry.d_un.d_val));
  }
  return names;
}

std::string ElfFile::path_of(std::int64_t tag) const {
  const Elf64_Dyn* entry = dynamic(tag);
  return entry == nullptr ? "" : string(entry->d_un.d_val);
}

void ElfFile::rename_needed(std::string_view old, std::string_view name) {
  for (const Elf64_Dyn& entry : entries()) {
    if (entry.d_tag != DT_NEEDED || old != string(entry.d_un.d_val)) continue;
    auto* place = const_cast<char*>(string(entry.d_un.d_val));
    std::copy(name.begin(), name.end(), place);
    place[name.size()] = '\0';
  }
}

void ElfFile::make_private_symbols() {
  for (Elf64_Sym& s : symbols()) {
    if (ELF64_ST_BIND(s.st_info) == STB_GNU_UNIQUE) {
      s.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(s.st_info));
    }
  }
}

void ElfFile::replace_instruction(std::uint32_t old, std::uint32_t instruction) {
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
    const std::uint64_t words = s.p_filesz / sizeof old;
    auto* const code = at<std::uint32_t>(s.p_offset, words);
    std::replace(code, code + words, old, instruction);
  }
}

bool ElfFile::may_read_counter() const {
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
    const auto* const code = at<std::byte>(s.p_offset, s.p_filesz);
    for (std::size_t i = 0; i + kLongestCounterInstruction <= s.p_filesz; i += kCodeUnit) {
      if (counter_instruction(code + i) != 0) return true;
    }
  }
  return false;
}

std::vector<AddressRange> ElfFile::code() const {
  std::vector<AddressRange> ranges;
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0) {
      ranges.push_back({s.p_vaddr, s.p_vaddr + s.p_memsz});
    }
  }
  return ranges;
}

AddressRange ElfFile::whole() const {
  AddressRange whole;
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type == PT_LOAD) whole.end = std::max(whole.end, s.p_vaddr + s.p_memsz);
  }
  return whole;
}

std::vector<AddressRange> ElfFile::writable() const {
  const Elf64_Phdr* relro = find_segment(PT_GNU_RELRO);
  // What relocation has finished with is read-only afterwards, in whole pages.
  const std::uint64_t fixed = relro == nullptr ? 0 : page_floor(relro->p_vaddr + relro->p_memsz);
  std::vector<AddressRange> ranges;
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_W) == 0) continue;
    const std::uint64_t end = s.p_vaddr + s.p_memsz;
    const bool has_fixed = relro != nullptr && relro->p_vaddr >= s.p_vaddr && relro->p_vaddr < end;
    const std::uint64_t begin = has_fixed ? std::max(s.p_vaddr, fixed) : s.p_vaddr;
    if (begin < end) ranges.push_back({begin, end});
  }
  return ranges;
}

bool ElfFile::has_thread_locals() const {
  return thread_local_size() > 0;
}

std::size_t ElfFile::thread_local_size() const {
  const Elf64_Phdr* segment = find_segment(PT_TLS);
  return segment == nullptr ? 0 : segment->p_memsz;
}

}  // namespace heddle::host
