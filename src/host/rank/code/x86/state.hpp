// What code of x86-64 has to compute with beside its memory, in thought.
#pragma once

#include <array>
#include <cstdint>

#include "host/rank/code/decisions.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/walk.hpp"

namespace heddle::host::x86 {

/// What is decided by, and what that was made of. The one for decimal numbers is left out.
struct Flags {
  bool carry = false, parity = false, zero = false, sign = false, overflow = false;
  Comparison by;
  Comparison carry_by;       ///< Of the carry: some instructions set that alone, or all others, ...
  bool carry_apart = false;  ///< ... as the last one did.
  bool carry_of_bit = false;  ///< It is set unless the one by which it is is zero.
  bool set = false;           ///< All but the carry, since the code began.
  bool carry_set = false;     ///< That, too.
  /// Numbers of so many bytes, if they have terms, as whose difference all flags are set, or at
  /// least those of a result; none: that is not said.
  Thought left;
  Thought right;
  std::uint8_t compared = 0;
  bool whole = false;
};

/// The bits of the register of flags.
inline constexpr std::uint64_t kCarry = 1, kParity = 4, kZero = 0x40, kSign = 0x80,
                               kOverflow = 0x800;
Flags flags_of(std::uint64_t bits);
std::uint64_t bits_of(const Flags& flags);

inline constexpr unsigned kAccumulator = 0, kStackPointer = 4, kFramePointer = 5;

/// 16 or 32 bytes.
using Vector = std::array<Thought, 4>;

/// What a program has beside its memory.
struct State {
  static constexpr unsigned kNumbers = 16;
  /// Among the words of a proof.
  static constexpr unsigned kFirstVector = 16, kFlagsWord = 48, kThreadPointer = 49;
  /// As instructions count them: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. Behind them is
  /// for each, if its last bytes alone were written last, what was written: the others say nothing
  /// of that.
  Walk::Registers numbers{};
  std::array<std::uint8_t, kNumbers> low_bytes{};  ///< How many of them; zero: none.
  std::array<Vector, kNumbers> vectors{};
  Flags flags;
  std::uint64_t place = 0;           ///< Of the next instruction.
  std::uint64_t thread_pointer = 0;  ///< What addresses in the segment fs count from.
};

/// The same as a proof has it: numbers, two words of each vector, flags, the thread pointer.
Words words_of(const State& state);
/// Gives terms to what varies. Where the stack is does not.
void give_terms(State& state, ProofWriter& proof);

}  // namespace heddle::host::x86
