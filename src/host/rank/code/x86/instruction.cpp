#include "host/rank/code/x86/instruction.hpp"

#include <cstring>

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;

bool has_modrm(const char* form) {
  return std::strpbrk(form, "EGMVW") != nullptr;
}

}  // namespace

std::uint8_t Decoder::take() {
  if (at_ == end_) {
    short_of_bytes_ = true;
    return 0;
  }
  return *at_++;
}

/// A number with its sign.
std::uint64_t Decoder::take(unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{take()} << (8 * i);
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

bool Decoder::read_prefix(Instruction& code, std::uint8_t byte) {
  using Prefix = Instruction::Prefix;
  switch (byte) {
    case 0x66:
      code.short_operand = true;
      if (code.prefix == Prefix::none) code.prefix = Prefix::operand_size;
      return true;
    case 0x67:
      return short_address_ = true;
    case 0xf2:
      code.prefix = Prefix::repne;
      return true;
    case 0xf3:
      code.prefix = Prefix::rep;
      return true;
    case 0x64:
      code.segment = Instruction::Segment::fs;
      return true;
    case 0x65:
      code.segment = Instruction::Segment::gs;
      return true;
    // Segments without a meaning, as padding has them, and locks: nobody else runs meanwhile.
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0xf0:
      return true;
    default:
      return false;
  }
}

bool Decoder::read_opcode(Instruction& code) {
  std::uint8_t byte = take();
  while (!short_of_bytes_ && read_prefix(code, byte)) byte = take();
  if ((byte & 0xf0) == 0x40) {
    rex_ = true;
    code.wide = (byte & 8) != 0;
    extra_field_ = (byte & 4) != 0 ? 8 : 0;
    extra_index_ = (byte & 2) != 0 ? 8 : 0;
    extra_base_ = (byte & 1) != 0 ? 8 : 0;
    byte = take();
  }
  if (byte == 0xc4 || byte == 0xc5) {
    read_vex(code, byte);
  } else {
    read_map(code, byte);
  }
  return !short_of_bytes_;
}

void Decoder::read_map(Instruction& code, std::uint8_t byte) {
  if (byte == 0x0f) {
    code.map = Instruction::two_bytes;
    byte = take();
    if (byte == 0x38 || byte == 0x3a) {
      code.map = byte == 0x38 ? Instruction::three_bytes_38 : Instruction::three_bytes_3a;
      byte = take();
    }
  }
  code.opcode = byte;
}

void Decoder::read_vex(Instruction& code, std::uint8_t byte) {
  using Prefix = Instruction::Prefix;
  constexpr Prefix kPrefixes[] = {Prefix::none, Prefix::operand_size, Prefix::rep, Prefix::repne};
  std::uint8_t last = take();
  extra_field_ = (last & 0x80) != 0 ? 0 : 8;
  code.map = Instruction::two_bytes;
  if (byte == 0xc4) {
    extra_index_ = (last & 0x40) != 0 ? 0 : 8;
    extra_base_ = (last & 0x20) != 0 ? 0 : 8;
    code.map = static_cast<Instruction::Map>(last & 3);
    last = take();
    code.wide = (last & 0x80) != 0;
  }
  code.vex = true;
  code.other = static_cast<std::uint8_t>(~(last >> 3) & 15);
  code.long_vector = (last & 4) != 0;
  code.prefix = kPrefixes[last & 3];
  code.opcode = take();
}

bool Decoder::read_operands(Instruction& code, const char* form) {
  if (has_modrm(form)) read_modrm(code);
  Operand* const operands[] = {&code.to, &code.from};
  for (unsigned i = 0; form[2 * i] != '\0'; ++i) {
    const Operand found = operand(code, form[2 * i], form[2 * i + 1]);
    if (i < 2) *operands[i] = found;
  }
  code.address.short_address = short_address_;
  code.length = static_cast<std::uint8_t>(at_ - begin_);
  return !short_of_bytes_;
}

void Decoder::read_modrm(Instruction& code) {
  const std::uint8_t byte = take();
  const unsigned mode = byte >> 6;
  code.field = static_cast<std::uint8_t>((byte >> 3 & 7) | extra_field_);
  in_modrm_.number = static_cast<std::uint8_t>((byte & 7) | extra_base_);
  in_modrm_.kind = mode == 3 ? Kind::number : Kind::memory;
  if (mode != 3) read_address(code, mode, byte & 7);
}

void Decoder::read_address(Instruction& code, unsigned mode, unsigned place) {
  Address& address = code.address;
  address.base = static_cast<std::uint8_t>(place | extra_base_);
  unsigned base = place;
  if (place == 4) {
    const std::uint8_t byte = take();
    const auto index = static_cast<std::uint8_t>((byte >> 3 & 7) | extra_index_);
    if (index != 4) address.index = index;
    address.shift = byte >> 6;
    base = byte & 7;
    address.base = static_cast<std::uint8_t>(base | extra_base_);
  }
  if (mode == 0 && base == 5) {
    address.base = place == 5 ? Address::kNextInstruction : Address::kNone;
    mode = 2;
  }
  address.at = static_cast<std::uint8_t>(at_ - begin_);
  if (mode != 0) address.offset = static_cast<std::int64_t>(take(mode == 1 ? 1 : 4));
}

std::uint8_t Decoder::size_of(const Instruction& code, char kind) {
  switch (kind) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'd':
      return 4;
    case 'q':
      return 8;
    case 'y':
      return code.wide ? 8 : 4;
    case 'x':
      return code.vector_size();
    default:
      return code.number_size();
  }
}

/// Without REX four of the numbers mean the second bytes of the first four registers.
Operand Decoder::number(unsigned which, unsigned size) const {
  const auto bytes = static_cast<std::uint8_t>(size);
  if (size == 1 && !rex_ && which >= 4 && which < 8) {
    return {Kind::high_byte, static_cast<std::uint8_t>(which - 4), bytes};
  }
  return {Kind::number, static_cast<std::uint8_t>(which), bytes};
}

void Decoder::read_constant(Instruction& code, char kind, char size) {
  unsigned bytes = size_of(code, size);
  if (size == 'z' && bytes == 8) bytes = 4;
  if (kind == 'J' && size == 'z') bytes = 4;
  code.constant = static_cast<std::int64_t>(take(bytes));
}

Operand Decoder::operand(Instruction& code, char kind, char size) {
  const std::uint8_t bytes = size_of(code, size);
  switch (kind) {
    case 'Z':
      return number((code.opcode & 7) | extra_base_, bytes);
    case 'A':
      return {Kind::number, 0, bytes};
    case 'C':
      return {Kind::number, 1, bytes};
    case 'G':
      return number(code.field, bytes);
    case 'V':
      return {Kind::vector, code.field, bytes};
    case 'E':
    case 'M':
    case 'W':
      if (in_modrm_.kind == Kind::memory) return {Kind::memory, 0, bytes};
      return kind == 'W' ? Operand{Kind::vector, in_modrm_.number, bytes}
                         : number(in_modrm_.number, bytes);
    case '1':
      code.constant = 1;
      return {Kind::constant, 0, bytes};
    case 'T':
      if (code.field % 8 > 1) return {};
      break;
    default:
      break;
  }
  read_constant(code, kind, size);
  return {Kind::constant, 0, bytes};
}

}  // namespace heddle::host::x86
