#include "host/rank/code/x86/code.hpp"

#include <array>
#include <cstring>

#include "host/rank/code/x86/functions.hpp"

namespace heddle::host::x86 {
namespace {

using Prefix = Instruction::Prefix;

struct Entry {
  const char* form = nullptr;
  Action action = nullptr;
  bool of_vectors = false;
};

/// All instructions, by map and opcode.
class Table {
 public:
  Table() {
    for (const Rows rows :
         {arithmetic_rows(), bit_rows(), move_rows(), control_rows(), vector_rows()}) {
      for (const Row* row = rows.begin; row != rows.end; ++row) enter(*row);
    }
  }
  const Entry& entry(const Instruction& code) const { return entries_[code.map][code.opcode]; }

 private:
  void enter(const Row& row) {
    const bool of_vectors = std::strpbrk(row.form, "VW") != nullptr;
    for (unsigned i = row.first; i <= row.last; i += row.step) {
      entries_[row.map][i] = {row.form, row.action, of_vectors};
    }
  }

  Entry entries_[4][256];
};
const Table table;

/// Those on vectors of 64 bits that came before.
bool is_mmx(const Instruction& code) {
  const unsigned opcode = code.opcode;
  const bool had_these = (opcode >= 0x60 && opcode < 0x80) || opcode >= 0xc4;
  return had_these && opcode != 0xc6 && code.map == Instruction::two_bytes && !code.vex &&
         code.prefix == Prefix::none;
}

/// Whether there is no such instruction in this form.
bool is_misread(const Instruction& code, const Entry& entry) {
  if (code.segment == Instruction::Segment::gs) return true;
  if (entry.of_vectors) return is_mmx(code);
  const bool has_short_form = code.map >= Instruction::three_bytes_38;
  return code.vex != has_short_form && !(code.vex && code.opcode == 0x77);
}

}  // namespace

void Code::follow() {
  const State first = state();
  const auto rest = [&] { return std::uint64_t{machine_.has_rest_of(first)}; };
  const Registers& registers = machine_.registers;
  Step& current = machine_.step;
  while (!walk_.over() &&
         walk_.arrive(current.next(), registers.numbers(), rest, registers.used_numbers())) {
    const Function function = function_at(current.next());
    if (function == nullptr) {
      step();
    } else {
      current.begin(0);
      function(machine_);
    }
  }
  if (walk_.proof() != nullptr) machine_.note_used(*walk_.proof(), walk_.rounds() == 1);
}

void Code::step() {
  const std::uint64_t place = machine_.step.next();
  const Known* const known = instruction_at(place);
  if (known == nullptr) return machine_.step.give_up();
  if (walk_.proof() != nullptr) walk_.proof()->code(place, known->code.length);
  machine_.begin(known->code);
  known->action(machine_, known->code);
}

/// Read again only if it is not as it was: loops come to the same ones again and again, and so do
/// those who wait.
const Code::Known* Code::instruction_at(std::uint64_t place) {
  // Of the one thread that thinks; large for a stack.
  static std::array<Known, 1 << 12> read_before;
  // Ranks have copies of the same code, whole pages apart.
  Known& known = read_before[place * 0x9e3779b97f4a7c15ULL >> 52];
  if (known.place == place && walk_.memory().is_there(place, kLongest) && known.is_there()) {
    return &known;
  }
  std::array<std::uint8_t, kLongest> bytes{};
  const std::size_t size = walk_.memory().fetch(place, bytes.data(), bytes.size());
  known = {};
  known.action = read(bytes.data(), size, known.code);
  if (known.action == nullptr) return nullptr;
  if (size == kLongest) {
    known.place = place;
    std::memcpy(known.bytes.data(), reinterpret_cast<const void*>(place), size);
  }
  return &known;
}

bool Code::Known::is_there() const {
  return std::memcmp(bytes.data(), reinterpret_cast<const void*>(place), kLongest) == 0;
}

Action read(const std::uint8_t* bytes, std::size_t size, Instruction& code) {
  Decoder decoder(bytes, size);
  if (!decoder.read_opcode(code)) return nullptr;
  const Entry& entry = table.entry(code);
  if (entry.action == nullptr || is_misread(code, entry)) return nullptr;
  return decoder.read_operands(code, entry.form) ? entry.action : nullptr;
}

}  // namespace heddle::host::x86
