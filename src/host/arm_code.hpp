// Instructions of AArch64, as far as loops that wait consist of them.
#pragma once

#if defined(__aarch64__)

#include <cstdint>

#include "host/walk.hpp"

namespace heddle::host {

/// Carries out code in thought. Numbers in vectors are never known.
class ArmCode {
 public:
  /// From where a signal has come.
  ArmCode(Walk& walk, const void* context);
  /// Until the walk is over.
  void follow();

 private:
  struct Flags {
    bool n = false, z = false, c = false, v = false;
    Comparison by;
  };
  using Word = std::uint32_t;

  static std::uint64_t number_of(const Flags& flags);

  /// False: it does something else than was looked for.
  void step(Word code);
  void immediate(Word code);
  void branch(Word code);
  void memory(Word code);
  void registers(Word code);
  void vectors(Word code);

  void add_immediate(Word code);
  void logical_immediate(Word code);
  void move_wide(Word code);
  void bitfield(Word code);
  void conditional_branch(Word code);
  void jump(Word code);
  void system(Word code);
  void exclusive(Word code);
  void pair(Word code);
  void literal(Word code);
  void single(Word code);
  void atomic(Word code);
  void logical(Word code);
  void add(Word code);
  void conditional(Word code);
  void select(Word code);
  void divide_or_shift(Word code);
  void one_source(Word code);
  void multiply(Word code);

  Thought get(unsigned number) const;  ///< 31: zero.
  Thought get_or_sp(unsigned number) const;
  void set(unsigned number, const Thought& what, bool wide);
  void set_or_sp(unsigned number, const Thought& what, bool wide);
  void sum(const Thought& a, const Thought& b, bool subtract, bool wide, Thought& result,
           bool flags, bool with_constant);
  void set_flags_of(const Thought& result, bool wide, const Comparison& by);
  bool holds(unsigned condition) const;
  bool decide(unsigned condition);
  Thought flags_thought() const;
  void transfer(Word code, const Thought& address, unsigned bytes, unsigned to, bool loads,
                bool sign, bool sign_to_wide);
  void go(std::int64_t offset) { next_ = place_ + static_cast<std::uint64_t>(offset); }
  void give_up() { walk_.stop(Outlook::Kind::unknown); }

  Walk& walk_;
  Walk::Registers x_{};  ///< The last is the stack pointer.
  Flags flags_;
  std::uint64_t place_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace heddle::host

#endif
