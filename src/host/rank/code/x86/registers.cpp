#include "host/rank/code/x86/registers.hpp"

#include <algorithm>

namespace heddle::host::x86 {

Registers::Registers(const State& first, Terms terms)
    : terms_(terms),
      numbers_(first.numbers),
      low_bytes_(first.low_bytes),
      vectors_(first.vectors),
      thread_pointer_(first.thread_pointer) {}

void Registers::copy_to(State& state) const {
  state.numbers = numbers_;
  state.low_bytes = low_bytes_;
  state.vectors = vectors_;
  state.thread_pointer = thread_pointer_;
}

// Numbers.

Thought Registers::last_bytes(unsigned which, unsigned size) {
  if (low_bytes_[which] < size) return terms_.part(number(which), size);
  return terms_.part(numbers_[State::kNumbers + which], size);
}

void Registers::set_last_bytes(unsigned which, const Thought& what, unsigned size) {
  // What is kept of the others is used by whoever reads them.
  const Thought old = numbers_[which];
  const std::uint64_t mask = ones(8 * size);
  numbers_[which] = combined((old.value & ~mask) | (what.value & mask), old, what);
  numbers_[State::kNumbers + which] = terms_.cut(what, size);
  low_bytes_[which] = static_cast<std::uint8_t>(size);
}

void Registers::set_number(unsigned which, const Thought& what, unsigned size) {
  if (size < 4) return set_last_bytes(which, what, size);
  set_ |= number_bit(which);
  numbers_[which] = terms_.cut(what, size);
  numbers_[State::kNumbers + which] = {};
  low_bytes_[which] = 0;
}

// Vectors.

Vector Registers::vector(unsigned which, unsigned size) {
  use(low_bit(which) | (size > 16 ? high_bit(which) : 0));
  Vector found{};
  std::copy_n(vectors_[which].begin(), std::max(size / kWordBytes, 1U), found.begin());
  if (size < kWordBytes) found[0] = terms_.part(found[0], size);
  return found;
}

void Registers::set_vector(unsigned which, const Vector& what, bool all) {
  set_ |= low_bit(which) | (all ? high_bit(which) : 0);
  std::copy_n(what.begin(), all ? 4 : 2, vectors_[which].begin());
}

/// Of rcx, rdx, rsi, rdi and r8 to r11, and of all vectors; rax has the function's answer.
void Registers::forget_what_calls_change() {
  constexpr unsigned kForgotten[] = {1, 2, 6, 7, 8, 9, 10, 11};
  for (const unsigned number : kForgotten) set_number(number, Thought::unknown());
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    vectors_[i].fill(Thought::unknown());
    set_ |= low_bit(i) | high_bit(i);
  }
}

// What has been used.

bool Registers::has_vectors_of(const State& first) const {
  if (used_ == used_numbers()) return true;
  const auto same = [](const Thought& a, const Thought& b) {
    return a.known && b.known && a.value == b.value;
  };
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    const Vector& now = vectors_[i];
    const Vector& then = first.vectors[i];
    if (uses(low_bit(i)) && !(same(now[0], then[0]) && same(now[1], then[1]))) return false;
    if (uses(high_bit(i)) && !(same(now[2], then[2]) && same(now[3], then[3]))) return false;
  }
  return true;
}

void Registers::note_used(ProofWriter& proof, bool one_round) const {
  proof.use_word(kStackPointer);
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    if (uses(number_bit(i))) proof.use_word(i);
    if (!uses(low_bit(i))) continue;
    const Vector& vector = vectors_[i];
    if (one_round && (vector[0].term | vector[1].term) != 0) proof.refuse();
    proof.use_word(State::kFirstVector + 2 * i);
    proof.use_word(State::kFirstVector + 2 * i + 1);
  }
  proof.use_word(State::kThreadPointer);
}

}  // namespace heddle::host::x86
