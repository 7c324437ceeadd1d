// Instructions of x86-64, as far as loops that wait consist of them.
#pragma once

#include <array>

#include "host/rank/code/x86/machine.hpp"

namespace heddle::host::x86 {

/// What carries out an instruction.
using Action = void (*)(Machine&, const Instruction&);

/// Carries out code in thought, on any kind of host. Numbers in vectors are moved, and compared
/// if they are single ones: what else is made of them is not known.
class Code {
 public:
  /// Of a walk that has begun.
  Code(Walk& walk, const State& state) : walk_(walk), machine_(walk, state) {}
  /// Until the walk is over.
  void follow();
  /// One instruction.
  void step();
  State state() const { return machine_.state(); }

 private:
  /// One that has been read, from these bytes, perhaps with traps in between.
  struct Known {
    std::uint64_t place = 0;
    std::array<std::uint8_t, kLongest> bytes{};
    bool is_there() const;
    Instruction code;
    Action action = nullptr;
  };
  const Known* instruction_at(std::uint64_t place);

  Walk& walk_;
  Machine machine_;
};

/// Instructions that are carried out alike.
struct Row {
  Instruction::Map map;
  std::uint8_t first;
  std::uint8_t last;
  const char* form;  ///< Operands, as Decoder has them.
  Action action;
  std::uint8_t step = 1;  ///< From one opcode to the next.
};

/// Reads an instruction and answers what carries it out; null: it is not known, or not all there.
Action read(const std::uint8_t* bytes, std::size_t size, Instruction& code);

/// Those of one kind.
struct Rows {
  const Row* begin;
  const Row* end;
};
Rows arithmetic_rows();
Rows bit_rows();
Rows move_rows();
Rows control_rows();
Rows vector_rows();

/// Stands in one opcode with calls.
void increment(Machine& m, const Instruction& code);

}  // namespace heddle::host::x86
