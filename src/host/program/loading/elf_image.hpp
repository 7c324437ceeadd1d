// An ELF file in memory, and what its headers say where to find.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::host {

/// A position-independent executable, or a shared object, for this kind of machine.
class ElfImage {
 public:
#if defined(__x86_64__)
  static constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
  static constexpr std::uint16_t kMachine = EM_AARCH64;
#else
#error "say what programs for this kind of machine look like"
#endif

  /// Throws InputError if there is no such file or it is not for this machine.
  explicit ElfImage(const std::string& path);

  const std::string& path() const {
    return path_;
  }
  const std::vector<std::byte>& bytes() const {
    return bytes_;
  }
  /// Throws InputError: this is no program that can be loaded.
  [[noreturn]] void refuse(const std::string& problem) const;

  const Elf64_Ehdr& header() const;
  std::vector<Elf64_Phdr> segments() const;
  /// The first of this type, or null.
  const Elf64_Phdr* find_segment(std::uint32_t type) const;
  /// `count` objects at an offset of the file. Throws InputError if they are not inside of it.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count) const {
    const bool inside = offset <= bytes_.size() && count <= (bytes_.size() - offset) / sizeof(T);
    if (!inside) refuse("the file is damaged");
    return reinterpret_cast<const T*>(bytes_.data() + offset);
  }
  template <class T>
  T* at(std::uint64_t offset, std::uint64_t count) {
    return const_cast<T*>(static_cast<const ElfImage*>(this)->at<T>(offset, count));
  }
  /// Where in the file an address is, relative to where it is loaded.
  std::uint64_t offset_of(std::uint64_t address) const;

  /// The entries of the dynamic section.
  std::span<const Elf64_Dyn> entries() const;
  /// The first with this tag, or null; its value, or zero.
  const Elf64_Dyn* dynamic(std::int64_t tag) const;
  std::uint64_t dynamic_value(std::int64_t tag) const;
  /// Of the dynamic section's strings.
  const char* string(std::uint64_t offset) const;
  std::span<const Elf64_Rela> relocations() const;
  std::span<const Elf64_Sym> symbols() const;
  std::span<Elf64_Sym> symbols();

 private:
  void check() const;
  std::uint64_t symbol_count() const;

  std::string path_;
  std::vector<std::byte> bytes_;
};

}  // namespace heddle::host
