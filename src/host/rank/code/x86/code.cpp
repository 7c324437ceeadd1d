#include "host/rank/code/x86/code.hpp"

#include <array>
#include <cstring>

#include "host/rank/registers.hpp"

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

bool known(const Comparison& by) {
  return by.a.known && by.b.known;
}

/// Of flags and vectors.
std::uint64_t number_of(const State& state) {
  const bool clear = known(state.flags.by) && known(state.flags.carry_by);
  std::uint64_t number = mixed(clear ? 1 : 0, bits_of(state.flags));
  for (const Vector& vector : state.vectors) {
    for (const Thought& word : vector) number = mixed(number, word.known ? word.value : ~number);
  }
  return number;
}

}  // namespace

void Code::follow() {
  const auto rest = [&] { return number_of(state()); };
  while (!walk_.over() && walk_.arrive(machine_.next(), state().numbers, rest)) step();
}

void Code::step() {
  const Known* const known = instruction_at(machine_.next());
  if (known == nullptr) return machine_.give_up();
  machine_.begin(known->code);
  known->action(machine_, known->code);
}

/// Read again only if it is not as it was: loops come to the same ones again and again, and so do
/// those who wait.
const Code::Known* Code::instruction_at(std::uint64_t place) {
  // Of the one thread that thinks; large for a stack.
  static std::array<Known, 2048> read_before;
  Known& known = read_before[place % read_before.size()];
  std::array<std::uint8_t, kLongest> bytes{};
  const std::size_t size = walk_.fetch(place, bytes.data(), bytes.size());
  if (known.action != nullptr && known.place == place && known.bytes == bytes) return &known;
  known = {place, bytes, {}, nullptr};
  known.action = read(bytes.data(), size, known.code);
  return known.action == nullptr ? nullptr : &known;
}

Action read(const std::uint8_t* bytes, std::size_t size, Instruction& code) {
  Decoder decoder(bytes, size);
  if (!decoder.read_opcode(code)) return nullptr;
  const Entry& entry = table.entry(code);
  if (entry.action == nullptr || is_misread(code, entry)) return nullptr;
  return decoder.read_operands(code, entry.form) ? entry.action : nullptr;
}

}  // namespace heddle::host::x86
