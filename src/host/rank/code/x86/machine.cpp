#include "host/rank/code/x86/machine.hpp"

#include <algorithm>

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;

/// What conditions are, each with its opposite behind it.
bool condition_holds(const Flags& flags, unsigned pair) {
  switch (pair) {
    case 0:
      return flags.overflow;
    case 1:
      return flags.carry;
    case 2:
      return flags.zero;
    case 3:
      return flags.carry || flags.zero;
    case 4:
      return flags.sign;
    case 5:
      return flags.parity;
    case 6:
      return flags.sign != flags.overflow;
    default:
      return flags.zero || flags.sign != flags.overflow;
  }
}

}  // namespace

Flags flags_of(std::uint64_t bits) {
  Flags flags;
  flags.by.earlier = flags.carry_by.earlier = true;
  flags.carry = (bits & kCarry) != 0;
  flags.parity = (bits & kParity) != 0;
  flags.zero = (bits & kZero) != 0;
  flags.sign = (bits & kSign) != 0;
  flags.overflow = (bits & kOverflow) != 0;
  return flags;
}

std::uint64_t bits_of(const Flags& flags) {
  return (flags.carry ? kCarry : 0) | (flags.parity ? kParity : 0) | (flags.zero ? kZero : 0) |
         (flags.sign ? kSign : 0) | (flags.overflow ? kOverflow : 0);
}

Words words_of(const State& state) {
  Words words{};
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    words[i] = state.numbers[i].value;
    words[State::kFirstVector + 2 * i] = state.vectors[i][0].value;
    words[State::kFirstVector + 2 * i + 1] = state.vectors[i][1].value;
  }
  words[State::kFlagsWord] = bits_of(state.flags);
  words[State::kThreadPointer] = state.thread_pointer;
  return words;
}

void give_terms(State& state, ProofWriter& proof) {
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    if (i != kStackPointer) state.numbers[i].term = proof.word(i, true);
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned word = State::kFirstVector + 2 * i + half;
      state.vectors[i][half].term = proof.word(word, false);
    }
  }
}

/// No less than it was, if the others are zero.
Thought Machine::part(const Thought& from, unsigned size) {
  const std::uint64_t value = from.value & ones(8 * size);
  return said(Term::Kind::narrow, size, value == from.value ? from : combined(value, from, {}),
              from);
}

void Machine::begin(const Instruction& code) {
  code_ = &code;
  place_ = state_.place;
  state_.place += code.length;
}

void Machine::go_on_at(const Thought& place) {
  if (!place.known) return give_up();
  if (place.term != 0) walk_.proof()->pin(place);
  go_on_at(place.value);
}

// Memory.

Thought Machine::address() {
  const Address& from = code_->address;
  Thought sum{static_cast<std::uint64_t>(from.offset)};
  if (from.base == Address::kNextInstruction) {
    sum.value += state_.place;
  } else if (from.base != Address::kNone) {
    const Thought& base = number(from.base);
    sum = said(Term::Kind::sum, kWordBytes, changed(sum.value + base.value, base), base, sum);
  }
  if (from.index != Address::kNone) {
    const Thought& index = number(from.index);
    const Thought times =
        said_by(Term::Kind::left, kWordBytes, {index.value << from.shift}, index, from.shift);
    sum =
        said(Term::Kind::sum, kWordBytes, summed(sum.value + times.value, sum, index), sum, times);
  }
  if (from.short_address) sum = part(sum, 4);
  if (code_->segment == Instruction::Segment::fs) sum = moved(sum, state_.thread_pointer);
  return sum;
}

Thought Machine::load(const Thought& address, unsigned size, unsigned part) {
  return walk_.load(place_ + part, address, size);
}

void Machine::store(const Thought& address, unsigned size, const Thought& what, unsigned part) {
  walk_.store(place_ + part, address, size, what);
}

void Machine::push(const Thought& what) {
  const Thought top = moved(number(kStackPointer), 0UL - kWordBytes);
  store(top, kWordBytes, what);
  set_number(kStackPointer, top);
}

void Machine::push_return() {
  walk_.call(number(kStackPointer).value);
  push({next()});
}

Thought Machine::pop() {
  const Thought top = number(kStackPointer);
  const Thought found = load(top, kWordBytes);
  set_number(kStackPointer, moved(top, kWordBytes));
  return found;
}

void Machine::return_with(const Thought& answer) {
  // Of rax, rcx, rdx, rsi, rdi and r8 to r11, of all vectors and flags nothing is kept.
  constexpr unsigned kForgotten[] = {1, 2, 6, 7, 8, 9, 10, 11};
  for (const unsigned number : kForgotten) set_number(number, Thought::unknown());
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    state_.vectors[i].fill(Thought::unknown());
    set_ |= low_bit(i) | high_bit(i);
  }
  const Comparison none{Thought::unknown(), Thought::unknown()};
  state_.flags.by = state_.flags.carry_by = none;
  state_.flags.set = state_.flags.carry_set = true;
  set_number(kAccumulator, answer);
  return_from_call();
}

// Numbers.

Thought Machine::low_bytes(unsigned which, unsigned size) {
  if (state_.low_bytes[which] < size) return part(number(which), size);
  return part(state_.numbers[State::kNumbers + which], size);
}

void Machine::set_low_bytes(unsigned which, const Thought& what, unsigned size) {
  // What is kept of the others is used by whoever reads them.
  const Thought old = state_.numbers[which];
  const std::uint64_t mask = ones(8 * size);
  state_.numbers[which] = combined((old.value & ~mask) | (what.value & mask), old, what);
  Thought cut = what;
  cut.value &= mask;
  state_.numbers[State::kNumbers + which] = said(Term::Kind::narrow, size, cut, what);
  state_.low_bytes[which] = static_cast<std::uint8_t>(size);
}

void Machine::set_number(unsigned which, const Thought& what, unsigned size) {
  if (size < 4) return set_low_bytes(which, what, size);
  set_ |= number_bit(which);
  Thought cut = what;
  cut.value &= ones(8 * size);
  state_.numbers[which] = said(Term::Kind::narrow, size, cut, what);
  state_.numbers[State::kNumbers + which] = {};
  state_.low_bytes[which] = 0;
}

Thought Machine::get(const Operand& from) {
  switch (from.kind) {
    case Kind::number:
      return from.size == kWordBytes ? number(from.number) : low_bytes(from.number, from.size);
    case Kind::high_byte:
      return combined(number(from.number).value >> 8 & ones(8), number(from.number), {});
    case Kind::memory:
      return load(address(), from.size);
    case Kind::constant:
      return {static_cast<std::uint64_t>(code_->constant) & ones(8 * code_->to.size)};
    default:
      give_up();
      return Thought::unknown();
  }
}

void Machine::set(const Operand& to, const Thought& what) {
  switch (to.kind) {
    case Kind::number:
      return set_number(to.number, what, to.size);
    case Kind::high_byte: {
      const Thought old = number(to.number);
      const std::uint64_t merged = (old.value & ~(ones(8) << 8)) | (what.value & ones(8)) << 8;
      return set_number(to.number, combined(merged, old, what));
    }
    case Kind::memory: {
      Thought cut = what;
      cut.value &= ones(8 * to.size);
      return store(address(), to.size, said(Term::Kind::narrow, to.size, cut, what));
    }
    default:
      give_up();
  }
}

// Vectors.

Vector Machine::vector(const Operand& from) {
  Vector found{};
  if (from.kind == Kind::vector) {
    use(low_bit(from.number) | (from.size > 16 ? high_bit(from.number) : 0));
    const Vector& whole = state_.vectors[from.number];
    std::copy_n(whole.begin(), std::max(from.size / kWordBytes, 1U), found.begin());
    if (from.size < kWordBytes) found[0] = part(found[0], from.size);
    return found;
  }
  Thought at = address();
  for (unsigned i = 0; i * kWordBytes < from.size; ++i) {
    found[i] = load(at, std::min<unsigned>(from.size, kWordBytes), i);
    at = moved(at, kWordBytes);
  }
  return found;
}

/// Without a register more, the half of the longest ones that is not written stays.
void Machine::set_vector(const Operand& to, const Vector& what) {
  if (to.kind == Kind::vector) {
    set_ |= low_bit(to.number) | (code_->vex ? high_bit(to.number) : 0);
    Vector& whole = state_.vectors[to.number];
    std::copy_n(what.begin(), code_->vex ? 4 : 2, whole.begin());
    return;
  }
  Thought at = address();
  for (unsigned i = 0; i * kWordBytes < to.size; ++i) {
    store(at, std::min<unsigned>(to.size, kWordBytes), what[i], i);
    at = moved(at, kWordBytes);
  }
}

// Conditions.

void Machine::use_flags(unsigned condition) {
  const unsigned pair = condition >> 1 & 7;
  if (pair != 1 && !state_.flags.set) used_ |= kFlags;
  if ((pair == 1 || pair == 3) && !state_.flags.carry_set) used_ |= kCarryFlag;
}

Thought Machine::carry() {
  constexpr unsigned kIfCarry = 2;
  const Comparison by = made_of(kIfCarry);
  return combined(state_.flags.carry ? 1 : 0, by.a, by.b);
}

bool Machine::holds(unsigned condition) {
  use_flags(condition);
  const bool which = condition_holds(state_.flags, condition >> 1 & 7) != ((condition & 1) != 0);
  if (walk_.proof() != nullptr) claim(condition, which);
  return which;
}

bool Machine::has_terms(unsigned condition) const {
  const Flags& flags = state_.flags;
  const unsigned pair = condition >> 1 & 7;
  const bool by_carry = (flags.carry_by.a.term | flags.carry_by.b.term) != 0;
  const bool by_others = (flags.by.a.term | flags.by.b.term) != 0;
  return pair == 1 ? by_carry : by_others || (pair == 3 && by_carry);
}

/// Of what has been said of the flags. A result alone tells whether it is zero, its sign, and
/// whether its bits are even.
void Machine::claim(unsigned condition, bool which) {
  ProofWriter& proof = *walk_.proof();
  const Flags& flags = state_.flags;
  if (!has_terms(condition)) return proof.decide(place_, {}, {});
  proof.decide(place_, flags.left, flags.right);
  const unsigned pair = condition >> 1 & 7;
  const bool of_result = pair == 2 || pair == 4 || pair == 5;
  const bool of_carry = pair == 1 || pair == 3;
  if (flags.compared == 0 || (!of_result && !flags.whole) || (of_carry && flags.carry_apart)) {
    return proof.refuse();
  }
  const bool holds = which != ((condition & 1) != 0);
  proof.claim(static_cast<Relation>(pair), holds, flags.compared, flags.left, flags.right);
}

bool Machine::decide_equal(const Thought& a, const Thought& b) {
  const bool equal = a.value == b.value;
  if (ProofWriter* const proof = walk_.proof()) {
    proof->decide(place_, a, b);
    proof->claim(Relation::equal, equal, kWordBytes, a, b);
  }
  walk_.decide(place_, equal, {a, b});
  return equal;
}

Comparison Machine::made_of(unsigned condition) {
  use_flags(condition);
  const Flags& flags = state_.flags;
  switch (condition >> 1 & 7) {
    case 1:
      return flags.carry_by;
    case 3:
      if (!flags.carry_apart) return flags.by;
      return {combined(flags.by.a.value, flags.by.a, flags.carry_by.a),
              combined(flags.by.b.value, flags.by.b, flags.carry_by.b)};
    default:
      return flags.by;
  }
}

bool Machine::decide(unsigned condition) {
  const bool which = holds(condition);
  walk_.decide(place_, which, made_of(condition));
  return which;
}

bool Machine::has_rest_of(const State& first) const {
  const auto unused = [&](std::uint64_t bit) { return (used_ & bit) == 0; };
  const auto same = [](const Thought& a, const Thought& b) {
    return a.known && b.known && a.value == b.value;
  };
  const Flags& flags = state_.flags;
  if (!unused(kFlags)) {
    constexpr std::uint64_t kOthers = kZero | kSign | kParity | kOverflow;
    const bool known = flags.by.a.known && flags.by.b.known;
    if (!known || ((bits_of(flags) ^ bits_of(first.flags)) & kOthers) != 0) return false;
  }
  if (!unused(kCarryFlag)) {
    const bool known = flags.carry_by.a.known && flags.carry_by.b.known;
    if (!known || flags.carry != first.flags.carry) return false;
  }
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    const Vector& now = state_.vectors[i];
    const Vector& then = first.vectors[i];
    if (!unused(low_bit(i)) && !(same(now[0], then[0]) && same(now[1], then[1]))) return false;
    if (!unused(high_bit(i)) && !(same(now[2], then[2]) && same(now[3], then[3]))) return false;
  }
  return true;
}

void Machine::note_used(ProofWriter& proof, bool one_round) const {
  const auto uses = [&](std::uint64_t bit) { return (used_ & bit) != 0; };
  constexpr unsigned kIfNotAbove = 6;
  if (one_round && uses(kFlags | kCarryFlag) && has_terms(kIfNotAbove)) proof.refuse();
  proof.use_word(kStackPointer);
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    if (uses(number_bit(i))) proof.use_word(i);
    if (!uses(low_bit(i))) continue;
    const Vector& vector = state_.vectors[i];
    if (one_round && (vector[0].term | vector[1].term) != 0) proof.refuse();
    proof.use_word(State::kFirstVector + 2 * i);
    proof.use_word(State::kFirstVector + 2 * i + 1);
  }
  if (uses(kFlags | kCarryFlag)) proof.use_word(State::kFlagsWord);
  proof.use_word(State::kThreadPointer);
}

}  // namespace heddle::host::x86
