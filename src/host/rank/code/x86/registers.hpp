// Registers of x86-64, in thought.
#pragma once

#include <array>
#include <cstdint>

#include "host/rank/code/number_bits.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/walk.hpp"
#include "host/rank/code/x86/state.hpp"
#include "host/rank/code/x86/terms.hpp"

namespace heddle::host::x86 {

/// Numbers and vectors, and what the code has used of what was in them before it began: that which
/// was read before it was written.
class Registers {
 public:
  Registers(const State& first, Terms terms);

  const Thought& number(unsigned which) {
    use(number_bit(which));
    return numbers_[which];
  }
  /// Its last bytes, fewer than all.
  Thought last_bytes(unsigned which, unsigned size);
  /// Fewer than four leave the others as they are, four make them zero.
  void set_number(unsigned which, const Thought& what, unsigned size = kWordBytes);
  /// The first bytes of one; what is behind them is zero.
  Vector vector(unsigned which, unsigned size);
  /// All of it, or its first half.
  void set_vector(unsigned which, const Vector& what, bool all);
  /// A function has been called, and leaves in them what any may; what it answers apart.
  void forget_what_calls_change();
  /// What addresses in the segment fs count from.
  std::uint64_t thread_pointer() const { return thread_pointer_; }

  /// As a walk compares them, ...
  const Walk::Registers& numbers() const { return numbers_; }
  /// ... with those that the code has used: of the processor's, which have such a bit.
  std::uint64_t used_numbers() const { return used_ & ones(State::kNumbers); }
  /// Whether the vectors that it has used are as they were when it began.
  bool has_vectors_of(const State& first) const;
  /// All that it has used: those numbers, and two words of each vector behind them. If all is as it
  /// was after one round, vectors must not depend on what varies.
  void note_used(ProofWriter& proof, bool one_round) const;
  void copy_to(State& state) const;

 private:
  static constexpr std::uint64_t number_bit(unsigned which) { return std::uint64_t{1} << which; }
  /// The halves of a vector.
  static constexpr std::uint64_t low_bit(unsigned which) { return number_bit(16 + which); }
  static constexpr std::uint64_t high_bit(unsigned which) { return number_bit(32 + which); }
  void use(std::uint64_t bits) { used_ |= bits & ~set_; }
  bool uses(std::uint64_t bit) const { return (used_ & bit) != 0; }
  void set_last_bytes(unsigned which, const Thought& what, unsigned size);

  Terms terms_;
  Walk::Registers numbers_;  ///< As those of a state.
  std::array<std::uint8_t, State::kNumbers> low_bytes_;
  std::array<Vector, State::kNumbers> vectors_;
  std::uint64_t thread_pointer_;
  std::uint64_t set_ = 0;   ///< Written, ...
  std::uint64_t used_ = 0;  ///< ... or read before that.
};

}  // namespace heddle::host::x86
