#include "host/rank/code/x86/operands.hpp"

#include <algorithm>
#include <cstdint>

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;

}  // namespace

Thought Operands::address() {
  const Address& from = code_->address;
  Thought sum{static_cast<std::uint64_t>(from.offset)};
  if (from.base == Address::kNextInstruction) {
    sum.value += step_.next();
  } else if (from.base != Address::kNone) {
    const Thought& base = registers_.number(from.base);
    sum =
        terms_.said(Term::Kind::sum, kWordBytes, changed(sum.value + base.value, base), base, sum);
  }
  if (from.index != Address::kNone) {
    const Thought& index = registers_.number(from.index);
    const Thought times = terms_.said_by(Term::Kind::left, kWordBytes, {index.value << from.shift},
                                         index, from.shift);
    sum = terms_.said(Term::Kind::sum, kWordBytes, summed(sum.value + times.value, sum, index), sum,
                      times);
  }
  if (from.short_address) sum = terms_.part(sum, 4);
  if (code_->segment == Instruction::Segment::fs) {
    sum = terms_.moved(sum, registers_.thread_pointer());
  }
  return sum;
}

// Numbers.

Thought Operands::get(const Operand& from) {
  switch (from.kind) {
    case Kind::number:
      return from.size == kWordBytes ? registers_.number(from.number)
                                     : registers_.last_bytes(from.number, from.size);
    case Kind::high_byte: {
      const Thought& whole = registers_.number(from.number);
      return combined(whole.value >> 8 & ones(8), whole, {});
    }
    case Kind::memory:
      return step_.load(address(), from.size);
    case Kind::constant:
      return {static_cast<std::uint64_t>(code_->constant) & ones(8 * code_->to.size)};
    default:
      step_.give_up();
      return Thought::unknown();
  }
}

void Operands::set(const Operand& to, const Thought& what) {
  switch (to.kind) {
    case Kind::number:
      return registers_.set_number(to.number, what, to.size);
    case Kind::high_byte: {
      const Thought old = registers_.number(to.number);
      const std::uint64_t merged = (old.value & ~(ones(8) << 8)) | (what.value & ones(8)) << 8;
      return registers_.set_number(to.number, combined(merged, old, what));
    }
    case Kind::memory:
      return step_.store(address(), to.size, terms_.cut(what, to.size));
    default:
      step_.give_up();
  }
}

// Vectors.

Vector Operands::vector(const Operand& from) {
  if (from.kind == Kind::vector) return registers_.vector(from.number, from.size);
  Vector found{};
  Thought at = address();
  for (unsigned i = 0; i * kWordBytes < from.size; ++i) {
    found[i] = step_.load(at, std::min<unsigned>(from.size, kWordBytes), i);
    at = terms_.moved(at, kWordBytes);
  }
  return found;
}

void Operands::set_vector(const Operand& to, const Vector& what) {
  if (to.kind == Kind::vector) return registers_.set_vector(to.number, what, code_->vex);
  Thought at = address();
  for (unsigned i = 0; i * kWordBytes < to.size; ++i) {
    step_.store(at, std::min<unsigned>(to.size, kWordBytes), what[i], i);
    at = terms_.moved(at, kWordBytes);
  }
}

}  // namespace heddle::host::x86
