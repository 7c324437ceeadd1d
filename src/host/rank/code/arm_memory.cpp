#include "host/rank/code/arm_memory.hpp"

#if defined(__aarch64__)

namespace heddle::host {

using namespace arm;

void ArmMemory::access(Word code, std::uint64_t place) {
  place_ = place;
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

void ArmMemory::transfer(Word code, const Thought& address, unsigned bytes, unsigned to, bool loads,
                         bool sign, bool sign_to_wide) {
  const bool vector = bit(code, 26);
  // Numbers in vectors are not known, nor would be what is written.
  if (vector) return loads ? void() : give_up();
  if (!loads) return walk_.store(place_, address, bytes, state_.get(to));
  Thought found = walk_.load(place_, address, bytes);
  if (sign) {
    const std::int64_t number = signed_bits(found.value, bytes * 8);
    found.value = cut(static_cast<std::uint64_t>(number), sign_to_wide);
  }
  state_.set(to, found, true);
}

/// Those that acquire or release, are exclusive, or compare and swap.
void ArmMemory::exclusive(Word code) {
  const unsigned bytes = 1U << bits(code, 31, 30);
  const bool o2 = bit(code, 23);
  const bool o1 = bit(code, 21);
  const unsigned status = bits(code, 20, 16);
  const unsigned to = bits(code, 4, 0);
  const Thought address = state_.get_or_sp(bits(code, 9, 5));
  if (o1 && !o2) return give_up();
  if (o1) {
    const Thought found = walk_.load(place_, address, bytes);
    const Thought wanted = state_.get(status);
    const bool equal = found.value == (wanted.value & ones(bytes * 8));
    walk_.decide(place_, equal, {found, wanted});
    if (equal) walk_.store(place_, address, bytes, state_.get(to));
    return state_.set(status, found, true);
  }
  if (bit(code, 22)) return state_.set(to, walk_.load(place_, address, bytes), true);
  walk_.store(place_, address, bytes, state_.get(to));
  if (!o2) state_.set(status, {}, true);
}

void ArmMemory::literal(Word code) {
  const unsigned kind = bits(code, 31, 30);
  if (bit(code, 26)) return;
  if (kind == 3) return;  // To fetch something ahead.
  const Thought address{place_ +
                        static_cast<std::uint64_t>(signed_bits(bits(code, 23, 5), 19) * 4)};
  transfer(code, address, kind == 1 ? 8 : 4, bits(code, 4, 0), true, kind == 2, true);
}

void ArmMemory::pair(Word code) {
  const unsigned kind = bits(code, 31, 30);
  const bool vector = bit(code, 26);
  const unsigned bytes = vector ? 4U << kind : (kind == 2 ? 8U : 4U);
  const unsigned mode = bits(code, 24, 23);
  const unsigned base = bits(code, 9, 5);
  const std::int64_t offset = signed_bits(bits(code, 21, 15), 7) * bytes;
  const Thought before = state_.get_or_sp(base);
  Thought after = changed(before.value + static_cast<std::uint64_t>(offset), before);
  after.origin = before.origin;
  Thought address = mode == 1 ? before : after;
  const bool loads = bit(code, 22);
  const bool sign = !vector && kind == 1;
  if (mode == 1 || mode == 3) state_.set_or_sp(base, after, true);
  transfer(code, address, bytes, bits(code, 4, 0), loads, sign, true);
  address.value += bytes;
  transfer(code, address, bytes, bits(code, 14, 10), loads, sign, true);
}

void ArmMemory::single(Word code) {
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
  const Thought before = state_.get_or_sp(base);
  std::uint64_t address = before.value;
  bool known = before.known;
  if (bit(code, 24)) {
    address += std::uint64_t{bits(code, 21, 10)} << log;
  } else if (bit(code, 21)) {
    if (bits(code, 11, 10) != 2) return give_up();
    const Thought index = state_.get(bits(code, 20, 16));
    known = known && index.known;
    address += extended(index.value, bits(code, 15, 13)) << (bit(code, 12) ? log : 0);
  } else {
    const auto offset = static_cast<std::uint64_t>(signed_bits(bits(code, 20, 12), 9));
    const unsigned mode = bits(code, 11, 10);
    if (mode != 1) address += offset;
    if (mode == 1 || mode == 3) {
      state_.set_or_sp(base, {before.value + offset, before.origin, before.known}, true);
    }
  }
  transfer(code, {address, 0, known}, bytes, to, loads, !vector && kind >= 2, kind == 2);
}

/// Those that read and write at once.
void ArmMemory::atomic(Word code) {
  const unsigned bytes = 1U << bits(code, 31, 30);
  const unsigned kind = bits(code, 15, 12);
  const Thought address = state_.get_or_sp(bits(code, 9, 5));
  const Thought operand = state_.get(bits(code, 20, 16));
  if (bit(code, 26)) return give_up();
  const Thought found = walk_.load(place_, address, bytes);
  state_.set(bits(code, 4, 0), found, true);
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

}  // namespace heddle::host

#endif
