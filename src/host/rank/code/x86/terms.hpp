// How numbers of x86-64 are made, said to who writes a proof.
#pragma once

#include <cstdint>

#include "host/rank/code/number_bits.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/term.hpp"
#include "host/rank/code/thought.hpp"

namespace heddle::host::x86 {

inline constexpr unsigned kWordBytes = 8;

/// Gives results the terms of the proof that is written meanwhile. What was made of numbers
/// without a term has none, and without a proof nothing has.
class Terms {
 public:
  explicit Terms(ProofWriter* proof) : proof_(proof) {}

  /// A result with the term that says how it is made; of what has none, itself.
  Thought said(Term::Kind kind, unsigned size, Thought result, const Thought& a,
               const Thought& b = {}) const {
    if ((a.term | b.term) != 0) result.term = proof_->say(kind, size, a, b);
    return result;
  }
  Thought said_by(Term::Kind kind, unsigned size, Thought result, const Thought& a,
                  std::uint64_t by) const {
    if (a.term != 0) result.term = proof_->say_by(kind, size, a, by);
    return result;
  }
  /// The code does what it does because this is what it is: without a term from here on.
  void pin(Thought& what) const {
    if (what.term == 0) return;
    proof_->pin(what);
    what.term = 0;
  }
  /// The code does what it does because two numbers are to each other like that.
  void claim(Relation relation, bool holds, unsigned size, const Thought& a,
             const Thought& b) const {
    if ((a.term | b.term) != 0) proof_->claim(relation, holds, size, a, b);
  }
  /// At this place it decides by these.
  void decide(std::uint64_t place, const Thought& a, const Thought& b) const {
    if (proof_ != nullptr) proof_->decide(place, a, b);
  }
  /// So many bytes further on.
  Thought moved(Thought address, std::uint64_t by) const {
    const Thought before = address;
    address.value += by;
    return said(Term::Kind::sum, kWordBytes, address, before, {by});
  }
  /// The last bytes of a number, which says no less than it did if the others are zero.
  Thought part(const Thought& from, unsigned size) const {
    const std::uint64_t value = from.value & ones(8 * size);
    return said(Term::Kind::narrow, size, value == from.value ? from : combined(value, from, {}),
                from);
  }
  /// The last bytes of a number that are written somewhere: the others make no difference.
  Thought cut(const Thought& from, unsigned size) const {
    Thought result = from;
    result.value &= ones(8 * size);
    return said(Term::Kind::narrow, size, result, from);
  }

 private:
  ProofWriter* proof_;
};

}  // namespace heddle::host::x86
