#include "host/program/loading/elf_memory.hpp"

#include <unistd.h>

#include <algorithm>

#include "host/rank/counter_instruction.hpp"

namespace heddle::host {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kThreadOffsetRelocation = R_X86_64_TPOFF64;
#elif defined(__aarch64__)
constexpr std::uint32_t kThreadOffsetRelocation = R_AARCH64_TLS_TPREL;
#endif

std::uint64_t page_floor(std::uint64_t address) {
  return address & ~(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) - 1);
}

}  // namespace

bool ElfMemory::may_read_counter() const {
  for (const Elf64_Phdr& s : image_.segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
    const auto* const code = image_.at<std::byte>(s.p_offset, s.p_filesz);
    for (std::size_t i = 0; i + kLongestCounterInstruction <= s.p_filesz; i += kCodeUnit) {
      if (counter_instruction(code + i) != 0) return true;
    }
  }
  return false;
}

std::vector<AddressRange> ElfMemory::code() const {
  std::vector<AddressRange> ranges;
  for (const Elf64_Phdr& s : image_.segments()) {
    if (s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0) {
      ranges.push_back({s.p_vaddr, s.p_vaddr + s.p_memsz});
    }
  }
  return ranges;
}

AddressRange ElfMemory::whole() const {
  AddressRange whole;
  for (const Elf64_Phdr& s : image_.segments()) {
    if (s.p_type == PT_LOAD) whole.end = std::max(whole.end, s.p_vaddr + s.p_memsz);
  }
  return whole;
}

std::vector<AddressRange> ElfMemory::writable() const {
  const Elf64_Phdr* relro = image_.find_segment(PT_GNU_RELRO);
  // What relocation has finished with is read-only afterwards, in whole pages.
  const std::uint64_t fixed = relro == nullptr ? 0 : page_floor(relro->p_vaddr + relro->p_memsz);
  std::vector<AddressRange> ranges;
  for (const Elf64_Phdr& s : image_.segments()) {
    if (s.p_type != PT_LOAD || (s.p_flags & PF_W) == 0) continue;
    const std::uint64_t end = s.p_vaddr + s.p_memsz;
    const bool has_fixed = relro != nullptr && relro->p_vaddr >= s.p_vaddr && relro->p_vaddr < end;
    const std::uint64_t begin = has_fixed ? std::max(s.p_vaddr, fixed) : s.p_vaddr;
    if (begin < end) ranges.push_back({begin, end});
  }
  return ranges;
}

std::size_t ElfMemory::thread_local_size() const {
  const Elf64_Phdr* segment = image_.find_segment(PT_TLS);
  return segment == nullptr ? 0 : segment->p_memsz;
}

bool ElfMemory::wants_static_thread_locals() const {
  // Not every linker says so.
  return (image_.dynamic_value(DT_FLAGS) & DF_STATIC_TLS) != 0 ||
         std::ranges::any_of(image_.relocations(), [](const Elf64_Rela& r) {
           return ELF64_R_TYPE(r.r_info) == kThreadOffsetRelocation;
         });
}

}  // namespace heddle::host
