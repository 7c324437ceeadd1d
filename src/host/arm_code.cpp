#include "host/arm_code.hpp"

#if defined(__aarch64__)

#include <ucontext.h>

#include <bit>

#include "core/thread_pointer.hpp"
#include "host/number_bits.hpp"

namespace heddle::host {
namespace {

constexpr unsigned kStackPointer = 31;

/// Bits `low` to `high` of an instruction.
constexpr std::uint32_t bits(std::uint32_t code, unsigned high, unsigned low) {
  return code >> low & ((1U << (high - low + 1)) - 1);
}
constexpr bool bit(std::uint32_t code, unsigned number) {
  return (code >> number & 1) != 0;
}
std::uint64_t cut(std::uint64_t value, bool wide) {
  return wide ? value : value & ones(32);
}
std::uint64_t shifted(std::uint64_t value, unsigned kind, unsigned by, bool wide) {
  const unsigned width = wide ? 64 : 32;
  value = cut(value, wide);
  switch (kind) {
    case 0:
      return cut(value << by, wide);
    case 1:
      return value >> by;
    case 2:
      return cut(static_cast<std::uint64_t>(signed_bits(value, width) >> by), wide);
    default:
      return rotated(value, by, width);
  }
}
/// The last three bits say what part of a register, and the first whether it has a sign.
std::uint64_t extended(std::uint64_t value, unsigned kind) {
  const unsigned width = 8U << (kind & 3);
  if (width == 64) return value;
  return kind >= 4 ? static_cast<std::uint64_t>(signed_bits(value & ones(width), width))
                   : value & ones(width);
}

/// A pattern of bits that is repeated, as logical instructions have it.
std::uint64_t bit_pattern(bool n, unsigned rotation, unsigned length, bool wide) {
  const unsigned key = (n ? 64U : 0U) | (~length & 63);
  if (key == 0) return 0;
  const unsigned size = std::bit_floor(key);
  std::uint64_t pattern = rotated(ones((length & (size - 1)) + 1), rotation & (size - 1), size);
  for (unsigned have = size; have < 64; have *= 2) pattern |= pattern << have;
  return cut(pattern, wide);
}

}  // namespace

ArmCode::ArmCode(Walk& walk, const void* context) : walk_(walk) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  for (unsigned i = 0; i < kStackPointer; ++i) x_[i].value = machine.regs[i];
  x_[kStackPointer].value = machine.sp;
  next_ = machine.pc;
  flags_.by.earlier = true;
  flags_.n = (machine.pstate >> 31 & 1) != 0;
  flags_.z = (machine.pstate >> 30 & 1) != 0;
  flags_.c = (machine.pstate >> 29 & 1) != 0;
  flags_.v = (machine.pstate >> 28 & 1) != 0;
}

std::uint64_t ArmCode::number_of(const Flags& flags) {
  if (!flags.by.a.known || !flags.by.b.known) return 16;
  return (flags.n ? 8U : 0U) | (flags.z ? 4U : 0U) | (flags.c ? 2U : 0U) | (flags.v ? 1U : 0U);
}

void ArmCode::follow() {
  while (!walk_.over()) {
    place_ = next_;
    if (!walk_.arrive(place_, x_, [&] { return number_of(flags_); })) return;
    Word code = 0;
    if (walk_.fetch(place_, &code, sizeof code) < sizeof code) return give_up();
    next_ = place_ + sizeof code;
    step(code);
  }
}

void ArmCode::step(Word code) {
  const unsigned group = bits(code, 28, 25);
  if ((group & 0b1110) == 0b1000) return immediate(code);
  if ((group & 0b1110) == 0b1010) return branch(code);
  if ((group & 0b0101) == 0b0100) return memory(code);
  if ((group & 0b0111) == 0b0101) return registers(code);
  if ((group & 0b0111) == 0b0111) return vectors(code);
  give_up();
}

// Registers and flags.

Thought ArmCode::get(unsigned number) const {
  return number == kStackPointer ? Thought{} : x_[number];
}
Thought ArmCode::get_or_sp(unsigned number) const {
  return x_[number];
}
void ArmCode::set(unsigned number, const Thought& what, bool wide) {
  if (number != kStackPointer) set_or_sp(number, what, wide);
}
void ArmCode::set_or_sp(unsigned number, const Thought& what, bool wide) {
  x_[number] = what;
  x_[number].value = cut(what.value, wide);
}

void ArmCode::sum(const Thought& a, const Thought& b, bool subtract, bool wide, Thought& result,
                  bool flags, bool with_constant) {
  const std::uint64_t first = cut(a.value, wide);
  const std::uint64_t second = cut(subtract ? ~b.value : b.value, wide);
  const unsigned top = wide ? 63 : 31;
  const auto whole = static_cast<unsigned __int128>(first) + second + (subtract ? 1 : 0);
  const std::uint64_t value = cut(static_cast<std::uint64_t>(whole), wide);
  result = with_constant ? changed(value, a) : summed(value, a, b);
  if (!flags) return;
  flags_.n = (value >> top & 1) != 0;
  flags_.z = value == 0;
  flags_.c = (static_cast<std::uint64_t>(whole >> (top + 1)) & 1) != 0;
  flags_.v = ((~(first ^ second) & (first ^ value)) >> top & 1) != 0;
  flags_.by = {{first, a.origin, a.known}, {cut(b.value, wide), b.origin, b.known}};
  if (!subtract) flags_.by.b.value = cut(0 - b.value, wide);
}

void ArmCode::set_flags_of(const Thought& result, bool wide, const Comparison& by) {
  flags_.n = (result.value >> (wide ? 63 : 31) & 1) != 0;
  flags_.z = cut(result.value, wide) == 0;
  flags_.c = flags_.v = false;
  flags_.by = by;
}

bool ArmCode::holds(unsigned condition) const {
  bool answer = true;
  switch (condition >> 1) {
    case 0:
      answer = flags_.z;
      break;
    case 1:
      answer = flags_.c;
      break;
    case 2:
      answer = flags_.n;
      break;
    case 3:
      answer = flags_.v;
      break;
    case 4:
      answer = flags_.c && !flags_.z;
      break;
    case 5:
      answer = flags_.n == flags_.v;
      break;
    case 6:
      answer = flags_.n == flags_.v && !flags_.z;
      break;
    default:
      return true;
  }
  return (condition & 1) != 0 ? !answer : answer;
}

bool ArmCode::decide(unsigned condition) {
  const bool which = holds(condition);
  walk_.decide(place_, which, flags_.by);
  return which;
}

// With constants.

void ArmCode::immediate(Word code) {
  const unsigned to = bits(code, 4, 0);
  switch (bits(code, 25, 23)) {
    case 0b000:
    case 0b001: {  // Addresses near the code.
      const std::int64_t offset =
          signed_bits(static_cast<std::uint64_t>(bits(code, 23, 5)) << 2 | bits(code, 30, 29), 21);
      const bool pages = bit(code, 31);
      const std::uint64_t base = pages ? place_ & ~std::uint64_t{4095} : place_;
      return set(to, {base + static_cast<std::uint64_t>(pages ? offset * 4096 : offset)}, true);
    }
    case 0b010:
      return add_immediate(code);
    case 0b100:
      return logical_immediate(code);
    case 0b101:
      return move_wide(code);
    case 0b110:
      return bitfield(code);
    case 0b111: {
      const bool wide = bit(code, 31);
      const unsigned by = bits(code, 15, 10);
      const Thought high = get(bits(code, 9, 5));
      const Thought low = get(bits(code, 20, 16));
      const unsigned width = wide ? 64 : 32;
      const std::uint64_t value =
          by == 0 ? low.value : cut(low.value, wide) >> by | high.value << (width - by);
      return set(to, combined(cut(value, wide), high, low), wide);
    }
    default:
      give_up();
  }
}

void ArmCode::add_immediate(Word code) {
  const bool wide = bit(code, 31);
  const bool flags = bit(code, 29);
  Thought constant{bits(code, 21, 10)};
  if (bit(code, 22)) constant.value <<= 12;
  Thought result;
  sum(get_or_sp(bits(code, 9, 5)), constant, bit(code, 30), wide, result, flags, true);
  const unsigned to = bits(code, 4, 0);
  flags ? set(to, result, wide) : set_or_sp(to, result, wide);
}

void ArmCode::logical_immediate(Word code) {
  const bool wide = bit(code, 31);
  const std::uint64_t pattern =
      bit_pattern(bit(code, 22), bits(code, 21, 16), bits(code, 15, 10), wide);
  const Thought a = get(bits(code, 9, 5));
  const unsigned to = bits(code, 4, 0);
  const unsigned kind = bits(code, 30, 29);
  const std::uint64_t value = kind == 1   ? a.value | pattern
                              : kind == 2 ? a.value ^ pattern
                                          : a.value & pattern;
  const Thought result =
      kind == 2 ? changed(cut(value, wide), a) : combined(cut(value, wide), a, {pattern});
  if (kind != 3) return set_or_sp(to, result, wide);
  set_flags_of(result, wide, {a, {}});
  set(to, result, wide);
}

void ArmCode::move_wide(Word code) {
  const bool wide = bit(code, 31);
  const unsigned to = bits(code, 4, 0);
  const unsigned shift = bits(code, 22, 21) * 16;
  const std::uint64_t part = std::uint64_t{bits(code, 20, 5)} << shift;
  const Thought old = get(to);
  switch (bits(code, 30, 29)) {
    case 0:
      return set(to, {~part}, wide);
    case 2:
      return set(to, {part}, wide);
    case 3:
      return set(to, changed((old.value & ~(ones(16) << shift)) | part, old), wide);
    default:
      give_up();
  }
}

void ArmCode::bitfield(Word code) {
  const bool wide = bit(code, 31);
  const unsigned width = wide ? 64 : 32;
  const unsigned rotation = bits(code, 21, 16);
  const unsigned last = bits(code, 15, 10);
  const unsigned to = bits(code, 4, 0);
  const Thought from = get(bits(code, 9, 5));
  const Thought old = get(to);
  const bool down = last >= rotation;
  const unsigned length = down ? last - rotation + 1 : last + 1;
  const unsigned at = down ? 0 : width - rotation;
  const std::uint64_t field = cut(from.value, wide) >> (down ? rotation : 0) & ones(length);
  const unsigned kind = bits(code, 30, 29);
  if (kind == 1) {
    const std::uint64_t mask = ones(length) << at;
    return set(to, combined((old.value & ~mask) | field << at, from, old), wide);
  }
  std::uint64_t value = field;
  if (kind == 0) value = static_cast<std::uint64_t>(signed_bits(field, length));
  value = cut(value << at, wide);
  // Nothing is lost by taking a whole number for a longer one.
  const bool whole = rotation == 0 && cut(from.value, wide) == field;
  set(to, whole ? changed(value, from) : combined(value, from, {}), wide);
}

// Branches.

void ArmCode::branch(Word code) {
  if (bits(code, 30, 26) == 0b00101) {
    if (bit(code, 31)) set(30, {place_ + 4}, true);
    return go(signed_bits(bits(code, 25, 0), 26) * 4);
  }
  if (bits(code, 31, 24) == 0b01010100 || bits(code, 30, 26) == 0b01101)
    return conditional_branch(code);
  if (bits(code, 31, 25) == 0b1101011) return jump(code);
  if (bits(code, 31, 22) == 0b1101010100) return system(code);
  // What is left are calls of the system.
  walk_.stop(Outlook::Kind::goes_on);
}

void ArmCode::conditional_branch(Word code) {
  if (bits(code, 31, 24) == 0b01010100) {
    if (decide(bits(code, 3, 0))) go(signed_bits(bits(code, 23, 5), 19) * 4);
    return;
  }
  const Thought tested = get(bits(code, 4, 0));
  const bool one_bit = bit(code, 25);
  const unsigned number = bits(code, 31, 31) << 5 | bits(code, 23, 19);
  const bool zero =
      one_bit ? (tested.value >> number & 1) == 0 : cut(tested.value, bit(code, 31)) == 0;
  const bool taken = zero != bit(code, 24);
  walk_.decide(place_, taken, {tested, {}});
  if (!taken) return;
  go((one_bit ? signed_bits(bits(code, 18, 5), 14) : signed_bits(bits(code, 23, 5), 19)) * 4);
}

void ArmCode::jump(Word code) {
  const unsigned kind = bits(code, 24, 21);
  if (kind > 2 || bits(code, 20, 10) != 0b11111000000) return give_up();
  const Thought target = get(bits(code, 9, 5));
  if (!target.known) return give_up();
  if (kind == 1) set(30, {place_ + 4}, true);
  next_ = target.value;
}

/// Hints and barriers do nothing here; of the processor's registers one is known.
void ArmCode::system(Word code) {
  constexpr Word kThreadPointer = 0xd53bd040;
  if ((code & ~Word{31}) == kThreadPointer) {
    return set(bits(code, 4, 0), {reinterpret_cast<std::uint64_t>(thread_pointer())}, true);
  }
  const bool hint_or_barrier = bits(code, 21, 13) == 0b000011001;
  if (!hint_or_barrier) give_up();
}

// Memory.

void ArmCode::memory(Word code) {
  switch (bits(code, 29, 27)) {
    case 0b001:
      return bit(code, 26) || bit(code, 24) ? give_up() : exclusive(code);
    case 0b011:
      return bit(code, 24) ? give_up() : literal(code);
    case 0b101:
      return pair(code);
    case 0b111:
      return single(code);
    default:
      give_up();
  }
}

void ArmCode::transfer(Word code, const Thought& address, unsigned bytes, unsigned to, bool loads,
                       bool sign, bool sign_to_wide) {
  const bool vector = bit(code, 26);
  // Numbers in vectors are not known, nor would be what is written.
  if (vector) return loads ? void() : give_up();
  if (!loads) return walk_.store(place_, address, bytes, get(to));
  Thought found = walk_.load(place_, address, bytes);
  if (sign) {
    const std::int64_t number = signed_bits(found.value, bytes * 8);
    found.value = cut(static_cast<std::uint64_t>(number), sign_to_wide);
  }
  set(to, found, true);
}

/// Those that acquire or release, are exclusive, or compare and swap.
void ArmCode::exclusive(Word code) {
  const unsigned bytes = 1U << bits(code, 31, 30);
  const bool o2 = bit(code, 23);
  const bool o1 = bit(code, 21);
  const unsigned status = bits(code, 20, 16);
  const unsigned to = bits(code, 4, 0);
  const Thought address = get_or_sp(bits(code, 9, 5));
  if (o1 && !o2) return give_up();
  if (o1) {
    const Thought found = walk_.load(place_, address, bytes);
    const Thought wanted = get(status);
    const bool equal = found.value == (wanted.value & ones(bytes * 8));
    walk_.decide(place_, equal, {found, wanted});
    if (equal) walk_.store(place_, address, bytes, get(to));
    return set(status, found, true);
  }
  if (bit(code, 22)) return set(to, walk_.load(place_, address, bytes), true);
  walk_.store(place_, address, bytes, get(to));
  if (!o2) set(status, {}, true);
}

void ArmCode::literal(Word code) {
  const unsigned kind = bits(code, 31, 30);
  if (bit(code, 26)) return;
  if (kind == 3) return;  // To fetch something ahead.
  const Thought address{place_ +
                        static_cast<std::uint64_t>(signed_bits(bits(code, 23, 5), 19) * 4)};
  transfer(code, address, kind == 1 ? 8 : 4, bits(code, 4, 0), true, kind == 2, true);
}

void ArmCode::pair(Word code) {
  const unsigned kind = bits(code, 31, 30);
  const bool vector = bit(code, 26);
  const unsigned bytes = vector ? 4U << kind : (kind == 2 ? 8U : 4U);
  const unsigned mode = bits(code, 24, 23);
  const unsigned base = bits(code, 9, 5);
  const std::int64_t offset = signed_bits(bits(code, 21, 15), 7) * bytes;
  const Thought before = get_or_sp(base);
  Thought after = changed(before.value + static_cast<std::uint64_t>(offset), before);
  after.origin = before.origin;
  Thought address = mode == 1 ? before : after;
  const bool loads = bit(code, 22);
  const bool sign = !vector && kind == 1;
  if (mode == 1 || mode == 3) set_or_sp(base, after, true);
  transfer(code, address, bytes, bits(code, 4, 0), loads, sign, true);
  address.value += bytes;
  transfer(code, address, bytes, bits(code, 14, 10), loads, sign, true);
}

void ArmCode::single(Word code) {
  const bool vector = bit(code, 26);
  const unsigned size = bits(code, 31, 30);
  const unsigned kind = bits(code, 23, 22);
  const unsigned base = bits(code, 9, 5);
  const unsigned to = bits(code, 4, 0);
  const unsigned log = vector && kind >= 2 ? 4 : size;
  const unsigned bytes = 1U << log;
  if (!bit(code, 24) && bit(code, 21) && bits(code, 11, 10) == 0) return atomic(code);
  const bool loads = vector ? bit(code, 22) : kind != 0;
  if (!vector && size == 3 && kind == 2) return;  // To fetch something ahead.
  const Thought before = get_or_sp(base);
  std::uint64_t address = before.value;
  bool known = before.known;
  if (bit(code, 24)) {
    address += std::uint64_t{bits(code, 21, 10)} << log;
  } else if (bit(code, 21)) {
    if (bits(code, 11, 10) != 2) return give_up();
    const Thought index = get(bits(code, 20, 16));
    known = known && index.known;
    address += extended(index.value, bits(code, 15, 13)) << (bit(code, 12) ? log : 0);
  } else {
    const auto offset = static_cast<std::uint64_t>(signed_bits(bits(code, 20, 12), 9));
    const unsigned mode = bits(code, 11, 10);
    if (mode != 1) address += offset;
    if (mode == 1 || mode == 3) {
      set_or_sp(base, {before.value + offset, before.origin, before.known}, true);
    }
  }
  transfer(code, {address, 0, known}, bytes, to, loads, !vector && kind >= 2, kind == 2);
}

/// Those that read and write at once.
void ArmCode::atomic(Word code) {
  const unsigned bytes = 1U << bits(code, 31, 30);
  const unsigned kind = bits(code, 15, 12);
  const Thought address = get_or_sp(bits(code, 9, 5));
  const Thought operand = get(bits(code, 20, 16));
  if (bit(code, 26)) return give_up();
  const Thought found = walk_.load(place_, address, bytes);
  set(bits(code, 4, 0), found, true);
  const std::uint64_t a = found.value;
  const std::uint64_t b = operand.value & ones(bytes * 8);
  const auto write = [&](std::uint64_t value) {
    walk_.store(place_, address, bytes, combined(value & ones(bytes * 8), found, operand));
  };
  switch (kind) {
    case 0b0000:
      return write(a + b);
    case 0b0001:
      return write(a & ~b);
    case 0b0010:
      return write(a ^ b);
    case 0b0011:
      return write(a | b);
    case 0b1000:
      return walk_.store(place_, address, bytes, operand);
    case 0b1100:  // Reads only.
      return;
    default:
      give_up();
  }
}

// Of registers alone.

void ArmCode::registers(Word code) {
  if (!bit(code, 28)) return bit(code, 24) ? add(code) : logical(code);
  if (bit(code, 24)) return multiply(code);
  switch (bits(code, 23, 21)) {
    case 0b010:
      return conditional(code);
    case 0b100:
      return select(code);
    case 0b110:
      return bit(code, 30) ? one_source(code) : divide_or_shift(code);
    default:
      give_up();
  }
}

void ArmCode::logical(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = get(bits(code, 9, 5));
  const Thought second = get(bits(code, 20, 16));
  const unsigned to = bits(code, 4, 0);
  std::uint64_t b = shifted(second.value, bits(code, 23, 22), bits(code, 15, 10), wide);
  if (bit(code, 21)) b = cut(~b, wide);
  const unsigned kind = bits(code, 30, 29);
  const bool is_move =
      kind == 1 && !bit(code, 21) && bits(code, 9, 5) == kStackPointer && bits(code, 15, 10) == 0;
  if (is_move) return set(to, second, wide);
  const std::uint64_t value = cut(kind == 1   ? a.value | b
                                  : kind == 2 ? a.value ^ b
                                              : a.value & b,
                                  wide);
  const Thought result = combined(value, a, second);
  if (kind == 3) set_flags_of(result, wide, {result, {}});
  set(to, result, wide);
}

void ArmCode::add(Word code) {
  const bool wide = bit(code, 31);
  const bool flags = bit(code, 29);
  const bool extends = bit(code, 21);
  Thought b = get(bits(code, 20, 16));
  if (extends) {
    b.value = extended(b.value, bits(code, 15, 13)) << bits(code, 12, 10);
  } else {
    b.value = shifted(b.value, bits(code, 23, 22), bits(code, 15, 10), wide);
  }
  const unsigned first = bits(code, 9, 5);
  const unsigned to = bits(code, 4, 0);
  Thought result;
  sum(extends ? get_or_sp(first) : get(first), b, bit(code, 30), wide, result, flags, false);
  extends && !flags ? set_or_sp(to, result, wide) : set(to, result, wide);
}

/// What the flags were made of.
Thought ArmCode::flags_thought() const {
  return combined(0, flags_.by.a, flags_.by.b);
}

/// Compares if a condition holds, and else has the flags as they are told: either way it goes on
/// here, and what is decided by them later is decided by all of that.
void ArmCode::conditional(Word code) {
  const bool wide = bit(code, 31);
  const unsigned number = bits(code, 20, 16);
  const Thought before = flags_thought();
  const Thought b = bit(code, 11) ? Thought{number} : get(number);
  const Thought a = get(bits(code, 9, 5));
  if (holds(bits(code, 15, 12))) {
    Thought result;
    sum(a, b, bit(code, 30), wide, result, true, false);
    flags_.by.a = combined(flags_.by.a.value, flags_.by.a, before);
    return;
  }
  flags_.n = bit(code, 3);
  flags_.z = bit(code, 2);
  flags_.c = bit(code, 1);
  flags_.v = bit(code, 0);
  flags_.by = {before, {}};
}

void ArmCode::select(Word code) {
  const bool wide = bit(code, 31);
  const bool which = holds(bits(code, 15, 12));
  const Thought chosen = get(which ? bits(code, 9, 5) : bits(code, 20, 16));
  std::uint64_t value = chosen.value;
  if (!which && bit(code, 30)) value = ~value;
  if (!which && bit(code, 10)) ++value;
  set(bits(code, 4, 0), combined(cut(value, wide), chosen, flags_thought()), wide);
}

void ArmCode::divide_or_shift(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = get(bits(code, 9, 5));
  const Thought b = get(bits(code, 20, 16));
  const unsigned kind = bits(code, 15, 10);
  const std::uint64_t x = cut(a.value, wide);
  const std::uint64_t y = cut(b.value, wide);
  std::uint64_t value = 0;
  if (kind == 2) {
    value = y == 0 ? 0 : x / y;
  } else if (kind == 3) {
    const unsigned width = wide ? 64 : 32;
    const std::int64_t p = signed_bits(x, width);
    const std::int64_t q = signed_bits(y, width);
    value = q == 0 ? 0 : q == -1 ? 0 - x : static_cast<std::uint64_t>(p / q);
  } else if (kind >= 8 && kind <= 11) {
    value = shifted(x, kind - 8, static_cast<unsigned>(y % (wide ? 64 : 32)), wide);
  } else {
    return give_up();
  }
  set(bits(code, 4, 0), combined(cut(value, wide), a, b), wide);
}

void ArmCode::one_source(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = get(bits(code, 9, 5));
  const unsigned to = bits(code, 4, 0);
  const std::uint64_t x = cut(a.value, wide);
  const unsigned kind = bits(code, 20, 10);
  const int zeros = std::countl_zero(x) - (wide ? 0 : 32);
  if (kind == 4) return set(to, combined(static_cast<std::uint64_t>(zeros), a, {}), wide);
  if (kind == (wide ? 3U : 2U)) {
    const std::uint64_t value = __builtin_bswap64(x) >> (wide ? 0 : 32);
    return set(to, changed(value, a), wide);
  }
  set(to, Thought::unknown(), wide);
}

void ArmCode::multiply(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = get(bits(code, 9, 5));
  const Thought b = get(bits(code, 20, 16));
  const Thought c = get(bits(code, 14, 10));
  std::uint64_t product = a.value * b.value;
  switch (bits(code, 23, 21)) {
    case 0b000:
      break;
    case 0b001:
      product = static_cast<std::uint64_t>(signed_bits(a.value & ones(32), 32) *
                                           signed_bits(b.value & ones(32), 32));
      break;
    case 0b101:
      product = (a.value & ones(32)) * (b.value & ones(32));
      break;
    case 0b110:
      product = static_cast<std::uint64_t>(static_cast<unsigned __int128>(a.value) * b.value >> 64);
      break;
    case 0b010:
      product =
          static_cast<std::uint64_t>(static_cast<__int128>(static_cast<std::int64_t>(a.value)) *
                                         static_cast<std::int64_t>(b.value) >>
                                     64);
      break;
    default:
      return give_up();
  }
  const bool high = bits(code, 22, 21) == 0b10;
  const std::uint64_t value = high            ? product
                              : bit(code, 15) ? c.value - product
                                              : c.value + product;
  set(bits(code, 4, 0), combined(cut(value, wide), combined(product, a, b), c), wide);
}

/// What they give to other registers and to the flags is not known.
void ArmCode::vectors(Word code) {
  const bool scalar = (code & 0x5f000000) == 0x1e000000;
  const bool to_register = (code & 0x5f20fc00) == 0x1e200000 || (code & 0x5f200000) == 0x1e000000 ||
                           (code & 0xbfe0fc00) == 0x0e003c00 || (code & 0xbfe0fc00) == 0x0e002c00;
  const bool compares =
      scalar && bit(code, 21) && (bits(code, 13, 10) == 0b1000 || bits(code, 11, 10) == 0b01);
  if (to_register) set(bits(code, 4, 0), Thought::unknown(), true);
  if (compares) flags_.by = {Thought::unknown(), Thought::unknown()};
}

}  // namespace heddle::host

#endif
