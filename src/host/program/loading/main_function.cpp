#include "host/program/loading/main_function.hpp"

#include <cstring>

namespace heddle::host {
namespace {

template <class T>
T word_at(std::span<const std::byte> code, std::size_t place) {
  T word;
  std::memcpy(&word, code.data() + place, sizeof word);
  return word;
}

/// `lea main(%rip), %rdi`, or `mov place(%rip), %rdi`.
std::optional<MainReference> find_main_x86(std::span<const std::byte> code, std::uint64_t address) {
  constexpr std::size_t kLength = 7;
  for (std::size_t i = 0; i + kLength <= code.size(); ++i) {
    const bool to_rdi = code[i] == std::byte{0x48} && code[i + 2] == std::byte{0x3d};
    const bool load = code[i + 1] == std::byte{0x8b};
    if (!to_rdi || (!load && code[i + 1] != std::byte{0x8d})) continue;
    const auto distance = word_at<std::int32_t>(code, i + 3);
    return MainReference{address + i + kLength + static_cast<std::uint64_t>(distance), load};
  }
  return std::nullopt;
}

/// `adrp x0, page`, then `add x0, x0, #rest` or `ldr x0, [x0, #rest]`.
std::optional<MainReference> find_main_arm(std::span<const std::byte> code, std::uint64_t address) {
  constexpr std::size_t kLength = 4;
  std::optional<std::uint64_t> page;
  for (std::size_t i = 0; i + kLength <= code.size(); i += kLength) {
    const auto word = word_at<std::uint32_t>(code, i);
    if ((word & 0x9f00001fU) == 0x90000000U) {
      const std::uint64_t pages = ((word >> 5 & 0x7ffffU) << 2) | (word >> 29 & 3U);
      const std::uint64_t distance = (pages ^ 0x100000U) - 0x100000U;  // 21 bits with a sign
      page = ((address + i) & ~std::uint64_t{0xfff}) + (distance << 12);
    } else if (page && (word & 0xffc003ffU) == 0x91000000U) {
      return MainReference{*page + (word >> 10 & 0xfffU), false};
    } else if (page && (word & 0xffc003ffU) == 0xf9400000U) {
      return MainReference{*page + (word >> 10 & 0xfffU) * 8, true};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<MainReference> find_main(std::span<const std::byte> code, std::uint64_t address,
                                       Elf64_Half machine) {
  return machine == EM_X86_64 ? find_main_x86(code, address) : find_main_arm(code, address);
}

}  // namespace heddle::host
