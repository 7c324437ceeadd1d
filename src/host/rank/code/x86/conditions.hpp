// What code of x86-64 decides by.
#pragma once

#include "host/rank/code/decisions.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/x86/state.hpp"
#include "host/rank/code/x86/step.hpp"

namespace heddle::host::x86 {

/// Flags, which conditions hold by them, and whether the code has used what they were before it
/// began. Conditions have the numbers of the processor's manuals. What is found of one is claimed
/// in the proof, if there is one.
class Conditions {
 public:
  Conditions(const Flags& first, Step& step, ProofWriter* proof)
      : flags_(first), step_(step), proof_(proof) {}

  Flags& flags() { return flags_; }
  const Flags& flags() const { return flags_; }
  /// Flags are those of the difference of these, or those of a result are.
  void say(const Thought& left, const Thought& right, unsigned size, bool whole);
  /// Flags have changed in a way that is not said.
  void forget(const Thought& by);
  /// A function has been called, and leaves what any may.
  void forget_all();

  /// What was carried, as a number.
  Thought carry();
  bool holds(unsigned condition);
  Comparison made_of(unsigned condition);
  /// Which way the code goes.
  bool decide(unsigned condition);
  /// The same by whether two numbers are equal.
  bool decide_equal(const Thought& a, const Thought& b);

  /// Whether all that it has used is as it was when it began.
  bool has_flags_of(const Flags& first) const;
  /// That it has used it. If all is as it was after one round, that must not depend on what varies.
  void note_used(ProofWriter& proof, bool one_round) const;

 private:
  void use(unsigned condition);
  bool has_terms(unsigned condition) const;
  void claim(unsigned condition, bool which) const;

  Flags flags_;
  Step& step_;
  ProofWriter* proof_;  ///< Null: none is written.
  bool used_ = false;
  bool used_carry_ = false;
};

}  // namespace heddle::host::x86
