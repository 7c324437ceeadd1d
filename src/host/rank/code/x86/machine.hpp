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

  /// A result with the term that says how it is made; of what has none, itself.
  Thought said(Term::Kind kind, unsigned size, Thought result, const Thought& a,
               const Thought& b = {}) {
    if ((a.term | b.term) != 0) result.term = walk_.proof()->say(kind, size, a, b);
    return result;
  }
  Thought said_by(Term::Kind kind, unsigned size, Thought result, const Thought& a,
                  std::uint64_t by) {
    if (a.term != 0) result.term = walk_.proof()->say_by(kind, size, a, by);
    return result;
  }
  /// The code does what it does because this is what it is: without a term from here on.
  void pin(Thought& what) {
    if (what.term == 0) return;
    walk_.proof()->pin(what);
    what.term = 0;
  }
  /// Flags are those of the difference of these, or those of a result are.
  void say_flags(const Thought& left, const Thought& right, unsigned size, bool whole) {
    if ((left.term | right.term) == 0) return;
    Flags& flags = state_.flags;
    flags.left = left;
    flags.right = right;
    flags.compared = static_cast<std::uint8_t>(size);
    flags.whole = whole;
  }
  /// Flags have changed in a way that is not said.
  void forget_flags(const Thought& by) {
    if (by.term != 0) state_.flags.by.a.term = Thought::kUnsaid;
    state_.flags.compared = 0;
  }
  /// So many bytes further on.
  Thought moved(Thought address, std::uint64_t by) {
    const Thought before = address;
    address.value += by;
    return said(Term::Kind::sum, kWordBytes, address, before, {by});
  }
  /// The last bytes of a number.
  Thought part(const Thought& from, unsigned size);
  bool over() const { return walk_.over(); }
  void make_call() { walk_.stop(Outlook::Kind::goes_on); }

  /// The numbers of which the code has used what was in them before it began: those of the
  /// processor that have such a bit.
  std::uint64_t used_numbers() const { return used_ & ones(State::kNumbers); }
  /// Whether all is as it was when it began that it has used of that, numbers and memory apart.
  bool has_rest_of(const State& first) const;
  /// All that it has used: those numbers, two words of each vector behind them, flags. If all is
  /// as it was after one round, that must not depend on what varies.
  void note_used(ProofWriter& proof, bool one_round) const;

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
  /// The same by whether two numbers are equal.
  bool decide_equal(const Thought& a, const Thought& b);

 private:
  static constexpr unsigned kWordBytes = 8;
  static constexpr std::uint64_t number_bit(unsigned which) { return std::uint64_t{1} << which; }
  /// The halves of a vector.
  static constexpr std::uint64_t low_bit(unsigned which) { return number_bit(16 + which); }
  static constexpr std::uint64_t high_bit(unsigned which) { return number_bit(32 + which); }
  static constexpr std::uint64_t kFlags = std::uint64_t{1} << 48, kCarryFlag = kFlags << 1;
  void use(std::uint64_t bits) { used_ |= bits & ~set_; }
  void use_flags(unsigned condition);
  bool has_terms(unsigned condition) const;
  void claim(unsigned condition, bool which);

  Thought low_bytes(unsigned which, unsigned size);
  void set_low_bytes(unsigned which, const Thought& what, unsigned size);

  Walk& walk_;
  State state_;
  const Instruction* code_ = nullptr;
  std::uint64_t place_ = 0;
  std::uint64_t set_ = 0;   ///< Of registers: written, ...
  std::uint64_t used_ = 0;  ///< ... or read before that.
};

}  // namespace heddle::host::x86
