#include "host/rank/code/arm_code.hpp"

#if defined(__aarch64__)

#include <ucontext.h>

#include <bit>

#include "core/thread_pointer.hpp"
#include "host/rank/code/arm_bits.hpp"
#include "host/rank/code/number_bits.hpp"

namespace heddle::host {

using namespace arm;

namespace {

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

ArmCode::ArmCode(Walk& walk, const void* context)
    : walk_(walk),
      state_(context),
      memory_(walk, state_),
      next_(static_cast<const ucontext_t*>(context)->uc_mcontext.pc) {}

void ArmCode::follow() {
  while (!walk_.over()) {
    place_ = next_;
    if (!walk_.arrive(place_, state_.registers(), [&] { return state_.number_of_flags(); })) return;
    Word code = 0;
    if (walk_.memory().fetch(place_, &code, sizeof code) < sizeof code) return give_up();
    next_ = place_ + sizeof code;
    step(code);
  }
}

void ArmCode::step(Word code) {
  const unsigned group = bits(code, 28, 25);
  if ((group & 0b1110) == 0b1000) return immediate(code);
  if ((group & 0b1110) == 0b1010) return branch(code);
  if ((group & 0b0101) == 0b0100) return memory_.access(code, place_);
  if ((group & 0b0111) == 0b0101) return registers(code);
  if ((group & 0b0111) == 0b0111) return vectors(code);
  give_up();
}

bool ArmCode::decide(unsigned condition) {
  const bool which = state_.holds(condition);
  walk_.decide(place_, which, state_.flags.by);
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
      return state_.set(to, {base + static_cast<std::uint64_t>(pages ? offset * 4096 : offset)},
                        true);
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
      const Thought high = state_.get(bits(code, 9, 5));
      const Thought low = state_.get(bits(code, 20, 16));
      const unsigned width = wide ? 64 : 32;
      const std::uint64_t value =
          by == 0 ? low.value : cut(low.value, wide) >> by | high.value << (width - by);
      return state_.set(to, combined(cut(value, wide), high, low), wide);
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
  state_.sum(state_.get_or_sp(bits(code, 9, 5)), constant, bit(code, 30), wide, result, flags,
             true);
  const unsigned to = bits(code, 4, 0);
  if (flags) {
    state_.set(to, result, wide);
  } else {
    state_.set_or_sp(to, result, wide);
  }
}

void ArmCode::logical_immediate(Word code) {
  const bool wide = bit(code, 31);
  const std::uint64_t pattern =
      bit_pattern(bit(code, 22), bits(code, 21, 16), bits(code, 15, 10), wide);
  const Thought a = state_.get(bits(code, 9, 5));
  const unsigned to = bits(code, 4, 0);
  const unsigned kind = bits(code, 30, 29);
  const std::uint64_t value = kind == 1   ? a.value | pattern
                              : kind == 2 ? a.value ^ pattern
                                          : a.value & pattern;
  const Thought result =
      kind == 2 ? changed(cut(value, wide), a) : combined(cut(value, wide), a, {pattern});
  if (kind != 3) return state_.set_or_sp(to, result, wide);
  state_.set_flags_of(result, wide, {a, {}});
  state_.set(to, result, wide);
}

void ArmCode::move_wide(Word code) {
  const bool wide = bit(code, 31);
  const unsigned to = bits(code, 4, 0);
  const unsigned shift = bits(code, 22, 21) * 16;
  const std::uint64_t part = std::uint64_t{bits(code, 20, 5)} << shift;
  const Thought old = state_.get(to);
  switch (bits(code, 30, 29)) {
    case 0:
      return state_.set(to, {~part}, wide);
    case 2:
      return state_.set(to, {part}, wide);
    case 3:
      return state_.set(to, changed((old.value & ~(ones(16) << shift)) | part, old), wide);
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
  const Thought from = state_.get(bits(code, 9, 5));
  const Thought old = state_.get(to);
  const bool down = last >= rotation;
  const unsigned length = down ? last - rotation + 1 : last + 1;
  const unsigned at = down ? 0 : width - rotation;
  const std::uint64_t field = cut(from.value, wide) >> (down ? rotation : 0) & ones(length);
  const unsigned kind = bits(code, 30, 29);
  if (kind == 1) {
    const std::uint64_t mask = ones(length) << at;
    return state_.set(to, combined((old.value & ~mask) | field << at, from, old), wide);
  }
  std::uint64_t value = field;
  if (kind == 0) value = static_cast<std::uint64_t>(signed_bits(field, length));
  value = cut(value << at, wide);
  // Nothing is lost by taking a whole number for a longer one.
  const bool whole = rotation == 0 && cut(from.value, wide) == field;
  state_.set(to, whole ? changed(value, from) : combined(value, from, {}), wide);
}

// Branches.

void ArmCode::branch(Word code) {
  if (bits(code, 30, 26) == 0b00101) {
    if (bit(code, 31)) state_.set(30, {place_ + 4}, true);
    return go(signed_bits(bits(code, 25, 0), 26) * 4);
  }
  if (bits(code, 31, 24) == 0b01010100 || bits(code, 30, 26) == 0b01101) {
    return conditional_branch(code);
  }
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
  const Thought tested = state_.get(bits(code, 4, 0));
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
  const Thought target = state_.get(bits(code, 9, 5));
  if (!target.known) return give_up();
  if (kind == 1) state_.set(30, {place_ + 4}, true);
  next_ = target.value;
}

/// Hints and barriers do nothing here; of the processor's registers one is known.
void ArmCode::system(Word code) {
  constexpr Word kThreadPointer = 0xd53bd040;
  if ((code & ~Word{31}) == kThreadPointer) {
    return state_.set(bits(code, 4, 0), {reinterpret_cast<std::uint64_t>(thread_pointer())}, true);
  }
  const bool hint_or_barrier = bits(code, 21, 13) == 0b000011001;
  if (!hint_or_barrier) give_up();
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
  const Thought a = state_.get(bits(code, 9, 5));
  const Thought second = state_.get(bits(code, 20, 16));
  const unsigned to = bits(code, 4, 0);
  std::uint64_t b = shifted(second.value, bits(code, 23, 22), bits(code, 15, 10), wide);
  if (bit(code, 21)) b = cut(~b, wide);
  const unsigned kind = bits(code, 30, 29);
  const bool is_move = kind == 1 && !bit(code, 21) && bits(code, 9, 5) == ArmState::kStackPointer &&
                       bits(code, 15, 10) == 0;
  if (is_move) return state_.set(to, second, wide);
  const std::uint64_t value = cut(kind == 1   ? a.value | b
                                  : kind == 2 ? a.value ^ b
                                              : a.value & b,
                                  wide);
  const Thought result = combined(value, a, second);
  if (kind == 3) state_.set_flags_of(result, wide, {result, {}});
  state_.set(to, result, wide);
}

void ArmCode::add(Word code) {
  const bool wide = bit(code, 31);
  const bool flags = bit(code, 29);
  const bool extends = bit(code, 21);
  Thought b = state_.get(bits(code, 20, 16));
  if (extends) {
    b.value = extended(b.value, bits(code, 15, 13)) << bits(code, 12, 10);
  } else {
    b.value = shifted(b.value, bits(code, 23, 22), bits(code, 15, 10), wide);
  }
  const unsigned first = bits(code, 9, 5);
  const unsigned to = bits(code, 4, 0);
  Thought result;
  state_.sum(extends ? state_.get_or_sp(first) : state_.get(first), b, bit(code, 30), wide, result,
             flags, false);
  if (extends && !flags) {
    state_.set_or_sp(to, result, wide);
  } else {
    state_.set(to, result, wide);
  }
}

/// Compares if a condition holds, and else has the flags as they are told: either way it goes on
/// here, and what is decided by them later is decided by all of that.
void ArmCode::conditional(Word code) {
  const bool wide = bit(code, 31);
  const unsigned number = bits(code, 20, 16);
  const Thought before = state_.flags_thought();
  const Thought b = bit(code, 11) ? Thought{number} : state_.get(number);
  const Thought a = state_.get(bits(code, 9, 5));
  if (state_.holds(bits(code, 15, 12))) {
    Thought result;
    state_.sum(a, b, bit(code, 30), wide, result, true, false);
    state_.flags.by.a = combined(state_.flags.by.a.value, state_.flags.by.a, before);
    return;
  }
  state_.flags.n = bit(code, 3);
  state_.flags.z = bit(code, 2);
  state_.flags.c = bit(code, 1);
  state_.flags.v = bit(code, 0);
  state_.flags.by = {before, {}};
}

void ArmCode::select(Word code) {
  const bool wide = bit(code, 31);
  const bool which = state_.holds(bits(code, 15, 12));
  const Thought chosen = state_.get(which ? bits(code, 9, 5) : bits(code, 20, 16));
  std::uint64_t value = chosen.value;
  if (!which && bit(code, 30)) value = ~value;
  if (!which && bit(code, 10)) ++value;
  state_.set(bits(code, 4, 0), combined(cut(value, wide), chosen, state_.flags_thought()), wide);
}

void ArmCode::divide_or_shift(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = state_.get(bits(code, 9, 5));
  const Thought b = state_.get(bits(code, 20, 16));
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
  state_.set(bits(code, 4, 0), combined(cut(value, wide), a, b), wide);
}

void ArmCode::one_source(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = state_.get(bits(code, 9, 5));
  const unsigned to = bits(code, 4, 0);
  const std::uint64_t x = cut(a.value, wide);
  const unsigned kind = bits(code, 20, 10);
  const int zeros = std::countl_zero(x) - (wide ? 0 : 32);
  if (kind == 4) return state_.set(to, combined(static_cast<std::uint64_t>(zeros), a, {}), wide);
  if (kind == (wide ? 3U : 2U)) {
    const std::uint64_t value = __builtin_bswap64(x) >> (wide ? 0 : 32);
    return state_.set(to, changed(value, a), wide);
  }
  state_.set(to, Thought::unknown(), wide);
}

void ArmCode::multiply(Word code) {
  const bool wide = bit(code, 31);
  const Thought a = state_.get(bits(code, 9, 5));
  const Thought b = state_.get(bits(code, 20, 16));
  const Thought c = state_.get(bits(code, 14, 10));
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
  state_.set(bits(code, 4, 0), combined(cut(value, wide), combined(product, a, b), c), wide);
}

/// What they give to other registers and to the flags is not known.
void ArmCode::vectors(Word code) {
  const bool scalar = (code & 0x5f000000) == 0x1e000000;
  const bool to_register = (code & 0x5f20fc00) == 0x1e200000 || (code & 0x5f200000) == 0x1e000000 ||
                           (code & 0xbfe0fc00) == 0x0e003c00 || (code & 0xbfe0fc00) == 0x0e002c00;
  const bool compares =
      scalar && bit(code, 21) && (bits(code, 13, 10) == 0b1000 || bits(code, 11, 10) == 0b01);
  if (to_register) state_.set(bits(code, 4, 0), Thought::unknown(), true);
  if (compares) state_.flags.by = {Thought::unknown(), Thought::unknown()};
}

}  // namespace heddle::host

#endif
