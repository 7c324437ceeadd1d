#include "host/rank/code/x86/copied_instruction.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "host/rank/code/x86/code.hpp"

namespace heddle::host::x86 {
namespace {

/// What comes after an instruction, where it stands.
enum class Onward { goes_on, jumps, may_jump, calls, unknown };

Onward kind_in_group(const Instruction& code) {
  switch (code.field & 7) {
    case 0:
    case 1:
    case 6:
    case 4:  // To what it reads: it does the same wherever it stands.
      return Onward::goes_on;
    default:
      return Onward::unknown;
  }
}

Onward kind_of(const Instruction& code) {
  const unsigned opcode = code.opcode;
  if (code.map == Instruction::two_bytes) {
    if (opcode == 0x05) return Onward::unknown;
    return (opcode & 0xf0) == 0x80 ? Onward::may_jump : Onward::goes_on;
  }
  if (code.map != Instruction::one_byte) return Onward::goes_on;
  switch (opcode) {
    case 0xe3:
      return code.address.short_address ? Onward::unknown : Onward::may_jump;
    case 0xe8:
      return Onward::calls;
    case 0xe9:
    case 0xeb:
      return Onward::jumps;
    case 0xff:
      return kind_in_group(code);
    default:
      return (opcode & 0xf0) == 0x70 ? Onward::may_jump : Onward::goes_on;
  }
}

/// Writes instructions one behind the other.
class Writer {
 public:
  static constexpr std::uint8_t kJumpBytes = 14;

  explicit Writer(std::uintptr_t to) : to_(reinterpret_cast<std::uint8_t*>(to)) {}
  void bytes(std::initializer_list<std::uint8_t> bytes) {
    to_ = std::copy(bytes.begin(), bytes.end(), to_);
  }
  void bytes(const std::uint8_t* from, std::size_t size) { to_ = std::copy_n(from, size, to_); }
  template <typename Number>
  void number(Number number) {
    std::memcpy(to_, &number, sizeof number);
    to_ += sizeof number;
  }
  /// jmp [rip]: the eight bytes that follow are where to.
  void jump(std::uintptr_t place) {
    bytes({0xff, 0x25, 0, 0, 0, 0});
    number(place);
  }
  /// push, and the upper half: four bytes can be pushed at once.
  void push(std::uintptr_t number_pushed) {
    bytes({0x68});
    number(static_cast<std::uint32_t>(number_pushed));
    bytes({0xc7, 0x44, 0x24, 0x04});
    number(static_cast<std::uint32_t>(number_pushed >> 32));
  }

 private:
  std::uint8_t* to_;
};

/// A short jump over the one that is taken otherwise.
std::uint8_t short_form(const Instruction& code) {
  return code.opcode == 0xe3 ? 0xe3 : static_cast<std::uint8_t>(0x70 | (code.opcode & 15));
}

/// Distances from the next instruction become those from the copy's; false: it is too far away.
bool move_distance(const Instruction& code, std::int64_t by, std::uint8_t* bytes) {
  if (code.address.base != Address::kNextInstruction) return true;
  const std::int64_t moved = by + code.address.offset;
  if (moved < std::numeric_limits<std::int32_t>::min() ||
      moved > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  const auto offset = static_cast<std::int32_t>(moved);
  std::memcpy(bytes + code.address.at, &offset, sizeof offset);
  return true;
}

}  // namespace

bool copy_instruction(std::uintptr_t place, std::size_t readable, std::uintptr_t copy) {
  std::uint8_t bytes[kLongest] = {};
  readable = std::min(readable, kLongest);
  std::memcpy(bytes, reinterpret_cast<const void*>(place), readable);
  Instruction code;
  if (read(bytes, readable, code) == nullptr) return false;
  const std::uintptr_t next = place + code.length;
  const std::uintptr_t target = next + static_cast<std::uintptr_t>(code.constant);
  Writer writer(copy);
  switch (kind_of(code)) {
    case Onward::goes_on:
      if (!move_distance(code, static_cast<std::int64_t>(place - copy), bytes)) return false;
      writer.bytes(bytes, code.length);
      writer.jump(next);
      return true;
    case Onward::jumps:
      writer.jump(target);
      return true;
    case Onward::may_jump:
      writer.bytes({short_form(code), Writer::kJumpBytes});
      writer.jump(next);
      writer.jump(target);
      return true;
    case Onward::calls:
      writer.push(next);
      writer.jump(target);
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::host::x86
