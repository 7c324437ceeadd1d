#include "host/rank/code/x86/flow.hpp"

#include <algorithm>
#include <array>

#include "host/rank/code/x86/instruction.hpp"

namespace heddle::host::x86 {
namespace {

using FlowKind = Flow::Kind;

struct Span {
  std::uint8_t first;
  std::uint8_t last;
  const char* form;  ///< As Decoder has it; sizes of registers do not matter here.
};

template <std::size_t kSize>
const char* form_in(const std::array<Span, kSize>& spans, std::uint8_t opcode) {
  for (const Span& span : spans) {
    if (opcode >= span.first && opcode <= span.last) return span.form;
  }
  return nullptr;
}

/// The arithmetic below 0x40 has six forms for each operation, and two opcodes that are none.
const char* arithmetic_form(std::uint8_t opcode) {
  constexpr std::array kForms = {"Ev", "Ev", "Ev", "Ev", "Ib", "Iz"};
  const unsigned which = opcode & 7;
  return which < kForms.size() ? kForms[which] : nullptr;
}

const char* one_byte_form(std::uint8_t opcode) {
  if (opcode < 0x40) return arithmetic_form(opcode);
  static constexpr std::array kSpans = {
      Span{0x50, 0x5f, ""},     Span{0x63, 0x63, "Ev"},   Span{0x68, 0x68, "Iz"},
      Span{0x69, 0x69, "EvIz"}, Span{0x6a, 0x6a, "Ib"},   Span{0x6b, 0x6b, "EvIb"},
      Span{0x70, 0x7f, "Jb"},   Span{0x80, 0x80, "EbIb"}, Span{0x81, 0x81, "EvIz"},
      Span{0x83, 0x83, "EvIb"}, Span{0x84, 0x8f, "Ev"},   Span{0x90, 0x99, ""},
      Span{0x9b, 0x9f, ""},     Span{0xa0, 0xa3, "Iq"},   Span{0xa4, 0xa7, ""},
      Span{0xa8, 0xa8, "Ib"},   Span{0xa9, 0xa9, "Iz"},   Span{0xaa, 0xaf, ""},
      Span{0xb0, 0xb7, "Ib"},   Span{0xb8, 0xbf, "Iv"},   Span{0xc0, 0xc1, "EvIb"},
      Span{0xc2, 0xc2, "Iw"},   Span{0xc3, 0xc3, ""},     Span{0xc6, 0xc6, "EbIb"},
      Span{0xc7, 0xc7, "EvIz"}, Span{0xc8, 0xc8, "IwIb"}, Span{0xc9, 0xc9, ""},
      Span{0xcc, 0xcc, ""},     Span{0xcd, 0xcd, "Ib"},   Span{0xd0, 0xd3, "Ev"},
      Span{0xd8, 0xdf, "Ev"},   Span{0xe0, 0xe3, "Jb"},   Span{0xe4, 0xe7, "Ib"},
      Span{0xe8, 0xe9, "Jz"},   Span{0xeb, 0xeb, "Jb"},   Span{0xec, 0xf5, ""},
      Span{0xf6, 0xf6, "EbTb"}, Span{0xf7, 0xf7, "EvTz"}, Span{0xf8, 0xfd, ""},
      Span{0xfe, 0xff, "Ev"}};
  return form_in(kSpans, opcode);
}

const char* two_byte_form(std::uint8_t opcode) {
  static constexpr std::array kSpans = {
      Span{0x05, 0x0b, ""},     Span{0x0e, 0x0e, ""},     Span{0x30, 0x37, ""},
      Span{0x70, 0x73, "EvIb"}, Span{0x77, 0x77, ""},     Span{0x80, 0x8f, "Jz"},
      Span{0xa0, 0xa2, ""},     Span{0xa4, 0xa4, "EvIb"}, Span{0xa8, 0xaa, ""},
      Span{0xac, 0xac, "EvIb"}, Span{0xba, 0xba, "EvIb"}, Span{0xc2, 0xc2, "EvIb"},
      Span{0xc4, 0xc6, "EvIb"}, Span{0xc8, 0xcf, ""}};
  const char* const form = form_in(kSpans, opcode);
  return form == nullptr ? "Ev" : form;
}

const char* form_of(const Instruction& code) {
  switch (code.map) {
    case Instruction::one_byte:
      return one_byte_form(code.opcode);
    case Instruction::two_bytes:
      return two_byte_form(code.opcode);
    case Instruction::three_bytes_38:
      return "Ev";
    default:
      return "EvIb";
  }
}

/// Reads an instruction of the longest vectors as if it was the same of shorter ones, whose prefix
/// has a byte less; the length counts that.
bool read_long_vectors(const std::uint8_t* bytes, std::size_t size, Instruction& code) {
  constexpr std::size_t kPrefix = 4;
  const unsigned map = size > kPrefix ? bytes[1] & 7 : 0;
  if (map < 1 || map > 3) return false;
  std::array<std::uint8_t, kLongest> shorter = {0xc4, static_cast<std::uint8_t>(0xe0 | map), 0};
  const std::size_t rest = std::min(size - kPrefix, kLongest - 3);
  std::copy_n(bytes + kPrefix, rest, shorter.begin() + 3);
  Decoder decoder(shorter.data(), rest + 3);
  if (!decoder.read_opcode(code) || !decoder.read_operands(code, form_of(code))) return false;
  ++code.length;
  return true;
}

bool read_any(const std::uint8_t* bytes, std::size_t size, Instruction& code) {
  if (size > 0 && bytes[0] == 0x62) return read_long_vectors(bytes, size, code);
  Decoder decoder(bytes, size);
  if (!decoder.read_opcode(code)) return false;
  const char* const form = form_of(code);
  return form != nullptr && decoder.read_operands(code, form);
}

bool has_lock(const std::uint8_t* bytes) {
  for (const std::uint8_t* at = bytes; at != bytes + 4; ++at) {
    if (*at == 0xf0) return true;
    const bool prefix = *at == 0x66 || *at == 0x67 || *at == 0xf2 || *at == 0xf3 || *at == 0x3e;
    if (!prefix) return false;
  }
  return false;
}

/// System calls, clocks, numbers by chance, barriers, and what waits.
bool concerns_others(const Instruction& code) {
  if (code.vex) return false;
  const bool memory = code.address.base != Address::kNone || code.address.index != Address::kNone;
  const std::uint8_t opcode = code.opcode;
  if (code.map == Instruction::one_byte) {
    const bool pause = opcode == 0x90 && code.prefix == Instruction::Prefix::rep;
    const bool swaps_memory = (opcode == 0x86 || opcode == 0x87) && memory;
    return pause || swaps_memory || opcode == 0xcd || opcode == 0xf4 ||
           (opcode >= 0xe4 && opcode <= 0xe7) || (opcode >= 0xec && opcode <= 0xef);
  }
  if (code.map != Instruction::two_bytes) return false;
  const bool orders = opcode == 0xae && !memory && (code.field & 7) >= 5;
  const bool chance = opcode == 0xc7 && (code.field & 7) >= 6;
  return opcode == 0x05 || opcode == 0x01 || opcode == 0xa2 || (opcode >= 0x30 && opcode <= 0x37) ||
         orders || chance;
}

/// lea N(%r11), %r11, which compilers have no use for and leave to us.
bool adds_to_counts(const Instruction& code) {
  constexpr std::uint8_t kCounter = 11;
  return code.map == Instruction::one_byte && code.opcode == 0x8d && code.wide &&
         code.field == kCounter && code.address.base == kCounter &&
         code.address.index == Address::kNone;
}

/// Jumps and calls to what a register or memory says.
void take_group(const Instruction& code, std::uint64_t next, Flow& flow) {
  const unsigned which = code.field & 7;
  if (which != 2 && which != 4) {
    flow.others = which == 3 || which == 5;
    return;
  }
  flow.by_word = code.address.base == Address::kNextInstruction;
  flow.unknown = !flow.by_word;
  if (flow.by_word) flow.target = next + static_cast<std::uint64_t>(code.address.offset);
  flow.kind = which == 2 ? FlowKind::call : flow.unknown ? FlowKind::away : FlowKind::jump;
}

void take_one_byte(const Instruction& code, std::uint64_t next, Flow& flow) {
  const std::uint8_t opcode = code.opcode;
  const auto distance = static_cast<std::uint64_t>(code.constant);
  const bool conditional = (opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3);
  if (conditional || opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb) {
    flow.kind = conditional ? FlowKind::branch : opcode == 0xe8 ? FlowKind::call : FlowKind::jump;
    flow.target = next + distance;
  } else if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xcc || opcode == 0xf4) {
    flow.kind = FlowKind::away;
  } else if (opcode == 0xff) {
    take_group(code, next, flow);
  }
}

void take_two_bytes(const Instruction& code, std::uint64_t next, Flow& flow) {
  if ((code.opcode & 0xf0) == 0x80) {
    flow.kind = FlowKind::branch;
    flow.target = next + static_cast<std::uint64_t>(code.constant);
  } else if (code.opcode == 0x0b) {
    flow.kind = FlowKind::away;
  }
}

}  // namespace

Flow read_flow(const std::uint8_t* bytes, std::size_t size, std::uint64_t place) {
  Flow flow;
  Instruction code;
  if (!read_any(bytes, std::min(size, kLongest), code)) return flow;
  flow.length = code.length;
  flow.others = concerns_others(code) || (size > 4 && has_lock(bytes));
  flow.counts = adds_to_counts(code);
  const std::uint64_t next = place + code.length;
  if (code.vex) return flow;
  if (code.map == Instruction::one_byte) take_one_byte(code, next, flow);
  if (code.map == Instruction::two_bytes) take_two_bytes(code, next, flow);
  return flow;
}

}  // namespace heddle::host::x86
