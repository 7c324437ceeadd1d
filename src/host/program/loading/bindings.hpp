// What the loader has bound in an object: names, and where it has put what they stand for.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::host {

/// One name that an object uses or defines.
struct Binding {
  std::string_view name;
  std::uint64_t type;  ///< Of the relocation.
  bool is_own;         ///< The object defines it itself.
  void** slot;         ///< Where its address is, or whatever the type says.
};

/// The names of an object that has been loaded and bound.
class Bindings {
 public:
  explicit Bindings(const link_map& object) : object_(object) {}

  /// Calls `function` with each.
  template <class Function>
  void each(const Function& function) const {
    each_of(DT_JMPREL, DT_PLTRELSZ, function);
    each_of(DT_RELA, DT_RELASZ, function);
  }
  /// Writes to a slot, which the loader may have closed after it was done.
  static void put(void** slot, void* value);

 private:
  template <class Function>
  void each_of(std::int64_t table, std::int64_t size, const Function& function) const {
    const auto* relocations = static_cast<const Elf64_Rela*>(address(table));
    const auto* names = static_cast<const char*>(address(DT_STRTAB));
    const auto* symbols = static_cast<const Elf64_Sym*>(address(DT_SYMTAB));
    if (relocations == nullptr || names == nullptr || symbols == nullptr) return;
    for (std::size_t i = 0; i < size_of(size) / sizeof(Elf64_Rela); ++i) {
      const Elf64_Sym& symbol = symbols[ELF64_R_SYM(relocations[i].r_info)];
      const std::string_view name = names + symbol.st_name;
      if (name.empty()) continue;
      auto** slot = reinterpret_cast<void**>(object_.l_addr + relocations[i].r_offset);
      function({name, ELF64_R_TYPE(relocations[i].r_info), symbol.st_shndx != SHN_UNDEF, slot});
    }
  }
  const Elf64_Dyn* entry(std::int64_t tag) const;
  const void* address(std::int64_t tag) const;
  std::size_t size_of(std::int64_t tag) const;

  const link_map& object_;
};

}  // namespace heddle::host
