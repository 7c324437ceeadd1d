// How instructions of x86-64 are written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::host::x86 {

/// Bytes that one may have.
inline constexpr std::size_t kLongest = 15;

/// What an instruction computes with.
struct Operand {
  enum class Kind : std::uint8_t { none, number, high_byte, memory, constant, vector };
  Kind kind = Kind::none;
  std::uint8_t number = 0;  ///< Of a register.
  std::uint8_t size = 0;    ///< In bytes.

  bool operator==(const Operand&) const = default;
};

/// Where in memory an operand is.
struct Address {
  static constexpr std::uint8_t kNone = 16;
  static constexpr std::uint8_t kNextInstruction = 17;
  std::uint8_t base = kNone;
  std::uint8_t index = kNone;
  std::uint8_t shift = 0;  ///< Of the index.
  bool short_address = false;
  std::int64_t offset = 0;
  std::uint8_t at = 0;  ///< Where the offset stands in the instruction.
};

/// One that has been read.
struct Instruction {
  enum Map : std::uint8_t { one_byte, two_bytes, three_bytes_38, three_bytes_3a };
  /// What stands in front of some, alone or as a part of what it is.
  enum class Prefix : std::uint8_t { none, operand_size, rep, repne };
  enum class Segment : std::uint8_t { none, fs, gs };

  Map map = one_byte;
  std::uint8_t opcode = 0;
  Prefix prefix = Prefix::none;
  Segment segment = Segment::none;
  bool short_operand = false;  ///< Of 16 bits.
  bool wide = false;           ///< Of 64.
  bool vex = false;            ///< In the form that has a register more, ...
  std::uint8_t other = 0;      ///< ... this one.
  bool long_vector = false;
  std::uint8_t field = 0;  ///< A register, or more of what it is.
  Operand to;
  Operand from;
  Address address;            ///< Of whichever is memory.
  std::int64_t constant = 0;  ///< The last operand.
  std::uint8_t length = 0;

  std::uint8_t number_size() const { return wide ? 8 : short_operand ? 2 : 4; }
  std::uint8_t vector_size() const { return long_vector ? 32 : 16; }
};

/// Reads one instruction from bytes, in two steps: what it does says what its operands are.
///
/// Those are two characters each, after the processor's manuals. A place: E a number in a register
/// or memory, G a number in a register, M memory, Z the register in the opcode, A the accumulator,
/// C the register cl, 1 a one, V a vector, W a vector or memory, I a constant, J how far to jump, T
/// a constant that only tests have. A size: b, w, d, q for 1, 2, 4, 8 bytes, v for 2, 4 or 8, y for
/// 4 or 8, z for a constant of up to 4 bytes, x for a vector.
class Decoder {
 public:
  Decoder(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {
    begin_ = at_;
  }
  /// Up to the opcode. False: not known, or not all there.
  bool read_opcode(Instruction& code);
  /// The rest.
  bool read_operands(Instruction& code, const char* form);

 private:
  std::uint8_t take();
  std::uint64_t take(unsigned bytes);
  bool read_prefix(Instruction& code, std::uint8_t byte);
  void read_map(Instruction& code, std::uint8_t byte);
  void read_vex(Instruction& code, std::uint8_t byte);
  void read_modrm(Instruction& code);
  void read_address(Instruction& code, unsigned mode, unsigned place);
  void read_constant(Instruction& code, char kind, char size);
  Operand operand(Instruction& code, char kind, char size);
  Operand number(unsigned which, unsigned size) const;
  static std::uint8_t size_of(const Instruction& code, char kind);

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool short_of_bytes_ = false;
  bool short_address_ = false;
  bool rex_ = false;
  std::uint8_t extra_field_ = 0;  ///< Bits of REX, or of what stands for it.
  std::uint8_t extra_index_ = 0;
  std::uint8_t extra_base_ = 0;
  Operand in_modrm_;  ///< A register, if it is not memory.
};

}  // namespace heddle::host::x86
