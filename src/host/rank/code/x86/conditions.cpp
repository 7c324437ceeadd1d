#include "host/rank/code/x86/conditions.hpp"

#include <cstdint>

#include "host/rank/code/x86/terms.hpp"

namespace heddle::host::x86 {
namespace {

/// Each condition has its opposite behind it.
unsigned pair_of(unsigned condition) {
  return condition >> 1 & 7;
}
bool is_opposite(unsigned condition) {
  return (condition & 1) != 0;
}

bool pair_holds(const Flags& flags, unsigned pair) {
  switch (pair) {
    case 0:
      return flags.overflow;
    case 1:
      return flags.carry;
    case 2:
      return flags.zero;
    case 3:
      return flags.carry || flags.zero;
    case 4:
      return flags.sign;
    case 5:
      return flags.parity;
    case 6:
      return flags.sign != flags.overflow;
    default:
      return flags.zero || flags.sign != flags.overflow;
  }
}

}  // namespace

// Flags.

void Conditions::say(const Thought& left, const Thought& right, unsigned size, bool whole) {
  if ((left.term | right.term) == 0) return;
  flags_.left = left;
  flags_.right = right;
  flags_.compared = static_cast<std::uint8_t>(size);
  flags_.whole = whole;
}

void Conditions::forget(const Thought& by) {
  if (by.term != 0) flags_.by.a.term = Thought::kUnsaid;
  flags_.compared = 0;
}

void Conditions::forget_all() {
  const Comparison none{Thought::unknown(), Thought::unknown()};
  flags_.by = flags_.carry_by = none;
  flags_.set = flags_.carry_set = true;
}

void Conditions::use(unsigned condition) {
  const unsigned pair = pair_of(condition);
  if (pair != 1 && !flags_.set) used_ = true;
  if ((pair == 1 || pair == 3) && !flags_.carry_set) used_carry_ = true;
}

bool Conditions::has_flags_of(const Flags& first) const {
  if (used_) {
    constexpr std::uint64_t kOthers = kZero | kSign | kParity | kOverflow;
    const bool known = flags_.by.a.known && flags_.by.b.known;
    if (!known || ((bits_of(flags_) ^ bits_of(first)) & kOthers) != 0) return false;
  }
  if (used_carry_) {
    const bool known = flags_.carry_by.a.known && flags_.carry_by.b.known;
    if (!known || flags_.carry != first.carry) return false;
  }
  return true;
}

void Conditions::note_used(ProofWriter& proof, bool one_round) const {
  constexpr unsigned kIfNotAbove = 6;
  if (!used_ && !used_carry_) return;
  if (one_round && has_terms(kIfNotAbove)) proof.refuse();
  proof.use_word(State::kFlagsWord);
}

// Conditions.

/// Whether there is one is claimed.
Thought Conditions::carry() {
  constexpr unsigned kIfCarry = 2;
  const bool set = holds(kIfCarry);
  const Comparison by = made_of(kIfCarry);
  Thought number = combined(set ? 1 : 0, by.a, by.b);
  number.term = 0;
  return number;
}

bool Conditions::holds(unsigned condition) {
  use(condition);
  const bool which = pair_holds(flags_, pair_of(condition)) != is_opposite(condition);
  if (proof_ != nullptr) claim(condition, which);
  return which;
}

Comparison Conditions::made_of(unsigned condition) {
  use(condition);
  switch (pair_of(condition)) {
    case 1:
      return flags_.carry_by;
    case 3:
      if (!flags_.carry_apart) return flags_.by;
      return {combined(flags_.by.a.value, flags_.by.a, flags_.carry_by.a),
              combined(flags_.by.b.value, flags_.by.b, flags_.carry_by.b)};
    default:
      return flags_.by;
  }
}

bool Conditions::decide(unsigned condition) {
  const bool which = holds(condition);
  step_.decide(which, made_of(condition));
  return which;
}

bool Conditions::decide_equal(const Thought& a, const Thought& b) {
  const bool equal = a.value == b.value;
  if (proof_ != nullptr) {
    proof_->decide(step_.place(), a, b);
    proof_->claim(Relation::equal, equal, kWordBytes, a, b);
  }
  step_.decide(equal, {a, b});
  return equal;
}

bool Conditions::has_terms(unsigned condition) const {
  const unsigned pair = pair_of(condition);
  const bool by_carry = (flags_.carry_by.a.term | flags_.carry_by.b.term) != 0;
  const bool by_others = (flags_.by.a.term | flags_.by.b.term) != 0;
  return pair == 1 ? by_carry : by_others || (pair == 3 && by_carry);
}

/// Of what has been said of the flags. A result alone tells whether it is zero, its sign, and
/// whether its bits are even.
void Conditions::claim(unsigned condition, bool which) const {
  if (!has_terms(condition)) return proof_->decide(step_.place(), {}, {});
  const unsigned pair = pair_of(condition);
  if (pair == 1 && flags_.carry_of_bit) {
    const Thought& bit = flags_.carry_by.a;
    proof_->decide(step_.place(), bit, {});
    return proof_->claim(Relation::equal, !flags_.carry, kWordBytes, bit, {});
  }
  proof_->decide(step_.place(), flags_.left, flags_.right);
  const bool of_result = pair == 2 || pair == 4 || pair == 5;
  const bool of_carry = pair == 1 || pair == 3;
  if (flags_.compared == 0 || (!of_result && !flags_.whole) || (of_carry && flags_.carry_apart)) {
    return proof_->refuse();
  }
  const bool holds = which != is_opposite(condition);
  proof_->claim(static_cast<Relation>(pair), holds, flags_.compared, flags_.left, flags_.right);
}

}  // namespace heddle::host::x86
