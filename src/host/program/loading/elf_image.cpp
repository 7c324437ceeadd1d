#include "host/program/loading/elf_image.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "files/files_read.hpp"

namespace heddle::host {
namespace {

std::vector<std::byte> bytes_of_program(const std::string& path) {
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

}  // namespace

ElfImage::ElfImage(const std::string& path) : path_(path), bytes_(bytes_of_program(path)) {
  check();
}

void ElfImage::refuse(const std::string& problem) const {
  throw InputError({path_}, problem + ": build the program with heddlecc, heddlecxx or heddlef90");
}

void ElfImage::check() const {
  if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
    refuse("not a program");
  }
  if (header().e_ident[EI_CLASS] != ELFCLASS64 || header().e_machine != kMachine) {
    refuse("not a program for this kind of machine");
  }
}

const Elf64_Ehdr& ElfImage::header() const {
  return *at<Elf64_Ehdr>(0, 1);
}

std::vector<Elf64_Phdr> ElfImage::segments() const {
  const auto* first = at<Elf64_Phdr>(header().e_phoff, header().e_phnum);
  return {first, first + header().e_phnum};
}

const Elf64_Phdr* ElfImage::find_segment(std::uint32_t type) const {
  const auto* first = at<Elf64_Phdr>(header().e_phoff, header().e_phnum);
  const auto* last = first + header().e_phnum;
  const auto* found = std::find_if(first, last, [=](const auto& s) { return s.p_type == type; });
  return found == last ? nullptr : found;
}

std::uint64_t ElfImage::offset_of(std::uint64_t address) const {
  for (const Elf64_Phdr& s : segments()) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz) {
      return address - s.p_vaddr + s.p_offset;
    }
  }
  refuse("the file is damaged");
}

std::span<const Elf64_Dyn> ElfImage::entries() const {
  const Elf64_Phdr* segment = find_segment(PT_DYNAMIC);
  if (segment == nullptr) return {};
  const std::uint64_t count = segment->p_filesz / sizeof(Elf64_Dyn);
  const auto* first = at<Elf64_Dyn>(segment->p_offset, count);
  const auto* end = std::find_if(first, first + count,
                                 [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; });
  return {first, end};
}

const Elf64_Dyn* ElfImage::dynamic(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : entries()) {
    if (entry.d_tag == tag) return &entry;
  }
  return nullptr;
}

std::uint64_t ElfImage::dynamic_value(std::int64_t tag) const {
  const Elf64_Dyn* entry = dynamic(tag);
  return entry == nullptr ? 0 : entry->d_un.d_val;
}

const char* ElfImage::string(std::uint64_t offset) const {
  return at<char>(offset_of(dynamic_value(DT_STRTAB)) + offset, 1);
}

/// The dynamic section does not say; the section headers do.
std::uint64_t ElfImage::symbol_count() const {
  const auto* first = at<Elf64_Shdr>(header().e_shoff, header().e_shnum);
  for (const auto* s = first; s != first + header().e_shnum; ++s) {
    if (s->sh_type == SHT_DYNSYM) return s->sh_size / sizeof(Elf64_Sym);
  }
  return 0;
}

std::span<const Elf64_Sym> ElfImage::symbols() const {
  if (dynamic(DT_SYMTAB) == nullptr) return {};
  const std::uint64_t count = symbol_count();
  return {at<Elf64_Sym>(offset_of(dynamic_value(DT_SYMTAB)), count), count};
}

std::span<Elf64_Sym> ElfImage::symbols() {
  const auto all = static_cast<const ElfImage*>(this)->symbols();
  return {const_cast<Elf64_Sym*>(all.data()), all.size()};
}

std::span<const Elf64_Rela> ElfImage::relocations() const {
  const std::uint64_t count = dynamic_value(DT_RELASZ) / sizeof(Elf64_Rela);
  if (count == 0) return {};
  return {at<Elf64_Rela>(offset_of(dynamic_value(DT_RELA)), count), count};
}

}  // namespace heddle::host
