#include "host/rank/code/x86/copied_instruction.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "host/rank/code/x86/code.hpp"

namespace heddle::host::x86 {
namespace {

/// Whether what comes after it is not what stands behind it.
bool goes_elsewhere(const Instruction& code) {
  const unsigned opcode = code.opcode;
  if (code.map == Instruction::two_bytes) return (opcode & 0xf0) == 0x80 || opcode == 0x05;
  if (code.map != Instruction::one_byte) return false;
  return (opcode & 0xf0) == 0x70 || opcode == 0xc2 || opcode == 0xc3 || opcode == 0xe3 ||
         opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb || opcode == 0xff;
}

}  // namespace

bool copy_instruction(std::uintptr_t place, std::size_t readable, std::uintptr_t copy) {
  std::uint8_t bytes[kLongest] = {};
  readable = std::min(readable, kLongest);
  std::memcpy(bytes, reinterpret_cast<const void*>(place), readable);
  Instruction code;
  if (read(bytes, readable, code) == nullptr || goes_elsewhere(code)) return false;
  if (code.address.base == Address::kNextInstruction) {
    const auto moved = static_cast<std::int64_t>(place - copy) + code.address.offset;
    if (moved < std::numeric_limits<std::int32_t>::min() ||
        moved > std::numeric_limits<std::int32_t>::max()) {
      return false;
    }
    const auto offset = static_cast<std::int32_t>(moved);
    std::memcpy(bytes + code.address.at, &offset, sizeof offset);
  }
  auto* const to = reinterpret_cast<std::uint8_t*>(copy);
  std::memcpy(to, bytes, code.length);
  // jmp [rip]: the eight bytes that follow are where to.
  constexpr std::uint8_t kJump[] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(to + code.length, kJump, sizeof kJump);
  const std::uintptr_t next = place + code.length;
  std::memcpy(to + code.length + sizeof kJump, &next, sizeof next);
  return true;
}

}  // namespace heddle::host::x86
