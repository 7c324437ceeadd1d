// Sums, products and what is compared.
#include "host/rank/code/x86/numbers.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;
using Prefix = Instruction::Prefix;
using Wide = unsigned __int128;

struct Sum {
  std::uint64_t value;
  bool carry;
  bool overflow;
};
Sum add(std::uint64_t a, std::uint64_t b, bool carry, unsigned size) {
  const Wide whole = Wide{a} + b + (carry ? 1 : 0);
  const std::uint64_t value = lowest(static_cast<std::uint64_t>(whole), size);
  return {value, (whole >> (8 * size)) != 0, top_bit(~(a ^ b) & (a ^ value), size)};
}
Sum subtract(std::uint64_t a, std::uint64_t b, bool borrow, unsigned size) {
  const std::uint64_t value = lowest(a - b - (borrow ? 1 : 0), size);
  return {value, Wide{a} < Wide{b} + (borrow ? 1 : 0), top_bit((a ^ b) & (a ^ value), size)};
}

enum Arithmetic : unsigned {
  kAdd,
  kOr,
  kAddCarry,
  kSubtractCarry,
  kAnd,
  kSubtract,
  kXor,
  kCompare
};

/// Adds or subtracts, perhaps with what was carried before.
Thought add_or_subtract(Machine& m, unsigned kind, const Thought& a, const Thought& b,
                        const Instruction& code) {
  const unsigned size = code.to.size;
  const bool with_carry = kind == kAddCarry || kind == kSubtractCarry;
  const bool adds = kind == kAdd || kind == kAddCarry;
  const Thought carry = with_carry ? m.conditions.carry() : Thought{};
  const bool in = carry.value != 0;
  const Sum sum = adds ? add(a.value, b.value, in, size) : subtract(a.value, b.value, in, size);
  const bool constant = code.from.kind == Kind::constant;
  Thought result = constant ? changed(sum.value, a) : summed(sum.value, a, b);
  result = m.terms.said(adds ? Term::Kind::sum : Term::Kind::difference, size, result, a, b);
  Comparison by{a, b};
  if (adds) by.b = {lowest(0 - b.value, size), b.origin, b.known, unsaid_of(b, {})};
  if (with_carry) {
    const Term::Kind kind_of_term = adds ? Term::Kind::sum : Term::Kind::difference;
    result = m.terms.said(kind_of_term, size, combined(sum.value, combined(0, a, b), carry), result,
                          {carry.value});
    by.a = combined(a.value, a, carry);
  }
  note_all(m.conditions.flags(), result.value, size, sum.carry, sum.overflow, by);
  if (with_carry) {
    m.conditions.forget(result);
  } else if (adds) {
    m.conditions.say(result, {}, size, false);
  } else {
    m.conditions.say(a, b, size, true);
  }
  return result;
}

std::uint64_t logical_value(unsigned kind, std::uint64_t a, std::uint64_t b) {
  return kind == kAnd ? a & b : kind == kOr ? a | b : a ^ b;
}

Term::Kind logical_kind(unsigned kind) {
  return kind == kAnd ? Term::Kind::both : kind == kOr ? Term::Kind::either : Term::Kind::one;
}

Thought logical(Machine& m, unsigned kind, const Thought& a, const Thought& b,
                const Instruction& code) {
  const unsigned size = code.to.size;
  const std::uint64_t value = lowest(logical_value(kind, a.value, b.value), size);
  const bool constant = code.from.kind == Kind::constant;
  const bool same = code.to == code.from;
  Thought result = combined(value, a, b);
  if (constant && kind == kXor) result = changed(value, a);
  result = m.terms.said(logical_kind(kind), size, result, a, b);
  if (constant && kind == kOr && b.value == ones(8 * size)) result = {value};
  if (same && kind != kXor) result = a;
  const bool shows_all = kind == kAnd && (constant || same);
  note_all(m.conditions.flags(), result.value, size, false, false,
           with_zero(shows_all ? a : result));
  m.conditions.say(result, {}, size, true);
  return result;
}

/// A register with itself: what it was makes no difference.
bool clears(unsigned kind, const Instruction& code) {
  return code.to == code.from && code.to.kind == Kind::number &&
         (kind == kXor || kind == kSubtract);
}

Thought computed(Machine& m, unsigned kind, const Instruction& code) {
  if (clears(kind, code)) {
    note_all(m.conditions.flags(), 0, code.to.size, false, false, {});
    return {};
  }
  const Thought a = m.operands.get(code.to);
  const Thought b = m.operands.get(code.from);
  // Of a register less itself the carry is left.
  if (kind == kSubtractCarry && code.to == code.from) {
    const Thought carry = m.conditions.carry();
    add_or_subtract(m, kind, {}, {}, code);
    return combined(lowest(0 - carry.value, code.to.size), carry, {});
  }
  const bool sums = kind != kOr && kind != kAnd && kind != kXor;
  return sums ? add_or_subtract(m, kind, a, b, code) : logical(m, kind, a, b, code);
}

void arithmetic(Machine& m, const Instruction& code) {
  const unsigned kind = code.opcode < 0x40 ? code.opcode >> 3U : code.field & 7U;
  const Thought result = computed(m, kind, code);
  if (kind != kCompare) m.operands.set(code.to, result);
}

void test(Machine& m, const Instruction& code) {
  logical(m, kAnd, m.operands.get(code.to), m.operands.get(code.from), code);
}

void negate(Machine& m, const Instruction& code) {
  const Thought a = m.operands.get(code.to);
  const Sum sum = subtract(0, a.value, false, code.to.size);
  const unsigned size = code.to.size;
  note_all(m.conditions.flags(), sum.value, size, sum.carry, sum.overflow, with_zero(a));
  m.conditions.say({}, a, size, true);
  m.operands.set(code.to, m.terms.said(Term::Kind::difference, size, changed(sum.value, a), {}, a));
}

void invert(Machine& m, const Instruction& code) {
  const Thought a = m.operands.get(code.to);
  const unsigned size = code.to.size;
  const Thought result = changed(lowest(~a.value, size), a);
  m.operands.set(code.to, m.terms.said(Term::Kind::one, size, result, a, {ones(8 * size)}));
}

// Products.

/// Both halves of a product; whether the upper one is needed is in the flags.
void multiply(Machine& m, const Instruction& code, bool with_signs) {
  const unsigned size = code.to.size;
  const Thought a = m.operands.get(accumulator(size));
  const Thought b = m.operands.get(code.to);
  const Wide product = with_signs
                           ? static_cast<Wide>(__int128{with_sign(a, size)} * with_sign(b, size))
                           : Wide{a.value} * b.value;
  const std::uint64_t low = lowest(static_cast<std::uint64_t>(product), size);
  const std::uint64_t high = lowest(static_cast<std::uint64_t>(product >> (8 * size)), size);
  const std::uint64_t expected = with_signs && top_bit(low, size) ? ones(8 * size) : 0;
  const Thought result = combined(low, a, b);
  note_all(m.conditions.flags(), result.value, size, high != expected, high != expected,
           with_zero(result));
  const Term::Kind halves =
      with_signs ? Term::Kind::high_product_with_signs : Term::Kind::high_product;
  m.operands.set(accumulator(size), m.terms.said(Term::Kind::product, size, result, a, b));
  m.operands.set(upper_half(size), m.terms.said(halves, size, combined(high, a, b), a, b));
}

void multiply_into(Machine& m, const Instruction& code, const Thought& a, const Thought& b) {
  const unsigned size = code.to.size;
  const __int128 product = __int128{with_sign(a, size)} * with_sign(b, size);
  const std::uint64_t low = lowest(static_cast<std::uint64_t>(product), size);
  const Thought result = m.terms.said(Term::Kind::product, size, combined(low, a, b), a, b);
  const bool more = product != with_sign(result, size);
  note_all(m.conditions.flags(), result.value, size, more, more, with_zero(result));
  m.operands.set(code.to, result);
}
void multiply_two(Machine& m, const Instruction& code) {
  multiply_into(m, code, m.operands.get(code.to), m.operands.get(code.from));
}
void multiply_constant(Machine& m, const Instruction& code) {
  multiply_into(m, code, m.operands.get(code.from), {static_cast<std::uint64_t>(code.constant)});
}

struct Quotient {
  bool fits;
  std::uint64_t value;
  std::uint64_t rest;
};
Quotient divided(Wide a, std::uint64_t b, unsigned size) {
  if (b == 0 || a / b > ones(8 * size)) return {false, 0, 0};
  return {true, static_cast<std::uint64_t>(a / b), static_cast<std::uint64_t>(a % b)};
}
Quotient divided_with_signs(Wide bits, std::int64_t b, unsigned size) {
  const unsigned unused = 128 - 16 * size;
  const __int128 a = static_cast<__int128>(bits << unused) >> unused;
  // The least number of all by minus one would be more than the greatest one.
  if (b == 0 || (b == -1 && a == static_cast<__int128>(Wide{1} << 127))) return {false, 0, 0};
  const __int128 value = a / b;
  const auto cut = lowest(static_cast<std::uint64_t>(value), size);
  return {value == signed_bits(cut, 8 * size), cut,
          lowest(static_cast<std::uint64_t>(a % b), size)};
}

/// There may be no quotient of others: what the upper half is is claimed, and that one divides by
/// something.
void claim_quotient(Machine& m, Thought& low, Thought& high, Thought& by, unsigned size,
                    bool with_signs) {
  const Thought none{ones(8 * size)};
  Thought sign;
  if (with_signs) {
    sign.value = top_bit(low.value, size) ? ones(8 * size) : 0;
    sign = m.terms.said_by(Term::Kind::right_with_sign, size, sign, low, 8 * size - 1);
  }
  const bool whole =
      size == 1 || high.value != sign.value || (with_signs && by.value == none.value);
  if (whole) {
    for (Thought* const each : {&low, &high, &by}) m.terms.pin(*each);
    return;
  }
  if (high.term != sign.term) m.terms.decide(m.step.place(), high, sign);
  m.terms.claim(Relation::equal, true, size, high, sign);
  m.terms.claim(Relation::equal, false, size, by, {});
  if (with_signs) m.terms.claim(Relation::equal, false, size, by, none);
}

void divide(Machine& m, const Instruction& code, bool with_signs) {
  const unsigned size = code.to.size;
  Thought low = m.operands.get(accumulator(size));
  Thought high = m.operands.get(upper_half(size));
  Thought by = m.operands.get(code.to);
  claim_quotient(m, low, high, by, size, with_signs);
  const Wide whole = Wide{high.value} << (8 * size) | low.value;
  const Quotient quotient = with_signs ? divided_with_signs(whole, with_sign(by, size), size)
                                       : divided(whole, by.value, size);
  const Thought made = combined(0, combined(0, low, high), by);
  if (!quotient.fits || !made.known) return m.step.give_up();
  const Term::Kind value = with_signs ? Term::Kind::quotient_with_signs : Term::Kind::quotient;
  const Term::Kind rest = with_signs ? Term::Kind::rest_with_signs : Term::Kind::rest;
  const auto result = [&](Term::Kind kind, std::uint64_t number) {
    Thought of = combined(number, made, {});
    of.term = 0;
    return m.terms.said(kind, size, of, low, by);
  };
  m.operands.set(accumulator(size), result(value, quotient.value));
  m.operands.set(upper_half(size), result(rest, quotient.rest));
}

void group_of_tests(Machine& m, const Instruction& code) {
  switch (code.field & 7) {
    case 0:
    case 1:
      return test(m, code);
    case 2:
      return invert(m, code);
    case 3:
      return negate(m, code);
    default:
      return (code.field & 2) == 0 ? multiply(m, code, (code.field & 1) != 0)
                                   : divide(m, code, (code.field & 1) != 0);
  }
}

// Those that read and write at once.

void compare_and_exchange(Machine& m, const Instruction& code) {
  if (code.to.kind != Kind::memory) return m.step.give_up();
  const unsigned size = code.to.size;
  const Thought wanted = m.operands.get(accumulator(size));
  const Thought found = m.operands.get(code.to);
  const Sum sum = subtract(wanted.value, found.value, false, size);
  note_all(m.conditions.flags(), sum.value, size, sum.carry, sum.overflow, {wanted, found});
  m.conditions.say(wanted, found, size, true);
  if (m.conditions.decide_equal(found, wanted)) {
    m.operands.set(code.to, m.operands.get(code.from));
  } else {
    m.operands.set(accumulator(size), found);
  }
}
void exchange_and_add(Machine& m, const Instruction& code) {
  const Thought a = m.operands.get(code.to);
  const Thought b = m.operands.get(code.from);
  const Thought sum = add_or_subtract(m, kAdd, a, b, code);
  // The register may be a part of the address, or be added to itself.
  const bool in_memory = code.to.kind == Kind::memory;
  if (in_memory) m.operands.set(code.to, sum);
  m.operands.set(code.from, a);
  if (!in_memory) m.operands.set(code.to, sum);
}

/// Up or down; the carry stays.
void increment_byte(Machine& m, const Instruction& code) {
  if ((code.field & 7) > 1) {
    m.step.give_up();
  } else {
    increment(m, code);
  }
}

}  // namespace

void increment(Machine& m, const Instruction& code) {
  const bool down = (code.field & 1) != 0;
  const Thought a = m.operands.get(code.to);
  const unsigned size = code.to.size;
  const Sum sum = down ? subtract(a.value, 1, false, size) : add(a.value, 1, false, size);
  note_result(m.conditions.flags(), sum.value, size, {a, {down ? 1 : ones(8 * size)}});
  m.conditions.flags().overflow = sum.overflow;
  const Term::Kind kind = down ? Term::Kind::difference : Term::Kind::sum;
  const Thought result = m.terms.said(kind, size, changed(sum.value, a), a, {1});
  m.conditions.say(result, {}, size, false);
  m.operands.set(code.to, result);
}

Rows arithmetic_rows() {
  static constexpr Row kRows[] = {
      {Instruction::one_byte, 0x00, 0x38, "EbGb", arithmetic, 8},
      {Instruction::one_byte, 0x01, 0x39, "EvGv", arithmetic, 8},
      {Instruction::one_byte, 0x02, 0x3a, "GbEb", arithmetic, 8},
      {Instruction::one_byte, 0x03, 0x3b, "GvEv", arithmetic, 8},
      {Instruction::one_byte, 0x04, 0x3c, "AbIb", arithmetic, 8},
      {Instruction::one_byte, 0x05, 0x3d, "AvIz", arithmetic, 8},
      {Instruction::one_byte, 0x69, 0x69, "GvEvIz", multiply_constant},
      {Instruction::one_byte, 0x6b, 0x6b, "GvEvIb", multiply_constant},
      {Instruction::one_byte, 0x80, 0x80, "EbIb", arithmetic},
      {Instruction::one_byte, 0x81, 0x81, "EvIz", arithmetic},
      {Instruction::one_byte, 0x83, 0x83, "EvIb", arithmetic},
      {Instruction::one_byte, 0x84, 0x84, "EbGb", test},
      {Instruction::one_byte, 0x85, 0x85, "EvGv", test},
      {Instruction::one_byte, 0xa8, 0xa8, "AbIb", test},
      {Instruction::one_byte, 0xa9, 0xa9, "AvIz", test},
      {Instruction::one_byte, 0xf6, 0xf6, "EbTb", group_of_tests},
      {Instruction::one_byte, 0xf7, 0xf7, "EvTz", group_of_tests},
      {Instruction::one_byte, 0xfe, 0xfe, "Eb", increment_byte},
      {Instruction::two_bytes, 0xb0, 0xb0, "EbGb", compare_and_exchange},
      {Instruction::two_bytes, 0xb1, 0xb1, "EvGv", compare_and_exchange},
      {Instruction::two_bytes, 0xaf, 0xaf, "GvEv", multiply_two},
      {Instruction::two_bytes, 0xc0, 0xc0, "EbGb", exchange_and_add},
      {Instruction::two_bytes, 0xc1, 0xc1, "EvGv", exchange_and_add},
  };
  return {std::begin(kRows), std::end(kRows)};
}

}  // namespace heddle::host::x86
