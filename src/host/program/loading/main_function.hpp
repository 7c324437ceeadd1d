// Where a program's main function is, by what it does before it calls it.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace heddle::host {

/// What a program's first instructions hand to the C library as its main function.
struct MainReference {
  std::uint64_t address = 0;
  bool indirect = false;  ///< The address is that of a word that holds the function's.
};

/// Reads the beginning of a program, `code` at `address`, which the C compiler's start file puts
/// there: an instruction or two put the main function into the register of the first argument.
/// Nullopt if there are none. `machine` is EM_X86_64 or EM_AARCH64.
std::optional<MainReference> find_main(std::span<const std::byte> code, std::uint64_t address,
                                       Elf64_Half machine);

}  // namespace heddle::host
