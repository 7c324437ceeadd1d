// What instructions of x86-64 work on, in thought.
#pragma once

#include <array>
#include <cstdint>

#include "host/rank/code/number_bits.hpp"
#include "host/rank/code/walk.hpp"
#include "host/rank/code/x86/instruction.hpp"

namespace heddle::host::x86 {

/// What is decided by, and what that was made of. The one for decimal numbers is left out.
struct Flags {
  bool carry = false, parity = false, zero = false, sign = false, overflow = false;
  Comparison by;
  Comparison carry_by;       ///< Of the carry: some instructions set that alone, or all others, ...
  bool carry_apart = false;  ///< ... as the last one did.
  bool set = false;          ///< All but the carry, since the code began.
  bool carry_set = false;    ///< That, too.
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

/// Registers, flags and memory, one instruction after the other.
class Machine {
 public:
  Machine(Walk& walk, const State& state) : walk_(walk), state_(state) {}

  /// An instruction begins, and goes on with the next unless it says otherwise.
  void begin(const Instruction& code);
  /// The same of a whole function.
  void begin_function() { place_ = state_.place; }
  const State& state() const { return state_; }
  Flags& flags() { return state_.flags; }
  /// What was carried, as a number.
  Thought carry();
  std::uint64_t next() const { return state_.place; }
  void go_on_at(std::uint64_t place) { state_.place = place; }
  void go_on_at(const Thought& place);
  void give_up() { walk_.stop(Outlook::Kind::unknown); }
  bool over() const { return walk_.over(); }
  void make_call() { walk_.stop(Outlook::Kind::goes_on); }

  /// The numbers of which the code has used what was in them before it began: those of the
  /// processor that have such a bit.
  std::uint64_t used_numbers() const { return used_ & ones(State::kNumbers); }
  /// Whether all is as it was when it began that it has used of that, numbers and memory apart.
  bool has_rest_of(const State& first) const;

  Thought address();
  /// Of up to eight bytes. Parts of one instruction that are apart have numbers of their own.
  Thought load(const Thought& address, unsigned size, unsigned part = 0);
  void store(const Thought& address, unsigned size, const Thought& what, unsigned part = 0);

  Thought get(const Operand& from);
  void set(const Operand& to, const Thought& what);
  const Thought& number(unsigned which) {
    use(number_bit(which));
    return state_.numbers[which];
  }
  void set_number(unsigned which, const Thought& what, unsigned size = 8);
  Vector vector(const Operand& from);
  void set_vector(const Operand& to, const Vector& what);

  void push(const Thought& what);
  /// Of a call.
  void push_return();
  Thought pop();
  void return_from_call() {
    walk_.come_back();
    go_on_at(pop());
  }
  /// A function that has just been called returns, and leaves of the registers what any may.
  void return_with(const Thought& answer);

  bool holds(unsigned condition);
  Comparison made_of(unsigned condition);
  /// Which way it goes.
  bool decide(unsigned condition);
  void decide(bool which, const Comparison& by) { walk_.decide(place_, which, by); }

 private:
  static constexpr std::uint64_t number_bit(unsigned which) { return std::uint64_t{1} << which; }
  /// The halves of a vector.
  static constexpr std::uint64_t low_bit(unsigned which) { return number_bit(16 + which); }
  static constexpr std::uint64_t high_bit(unsigned which) { return number_bit(32 + which); }
  static constexpr std::uint64_t kFlags = std::uint64_t{1} << 48, kCarryFlag = kFlags << 1;
  void use(std::uint64_t bits) { used_ |= bits & ~set_; }
  void use_flags(unsigned condition);

  Thought low_bytes(unsigned which, unsigned size);
  void set_low_bytes(unsigned which, const Thought& what, unsigned size);

  Walk& walk_;
  State state_;
  const Instruction* code_ = nullptr;
  std::uint64_t place_ = 0;
  std::uint64_t set_ = 0;   ///< Of registers: written, ...
  std::uint64_t used_ = 0;  ///< ... or read before that.
};

/// The last bytes of a number: no less than it was, if the others are zero.
Thought narrowed(const Thought& from, unsigned size);

}  // namespace heddle::host::x86
