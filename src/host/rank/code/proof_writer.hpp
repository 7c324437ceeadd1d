// How a proof is written while code is thought of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/rank/code/number_index.hpp"
#include "host/rank/code/proof.hpp"
#include "host/rank/code/thought.hpp"

namespace heddle::host {

/// Notes all that a walk through code depends on. What may vary is given a term: how it is made of
/// what was read. Whatever the walk decides by a term is claimed. Anything else that it does with
/// one makes it unsaid, and what is decided by that cannot be proved for other numbers: the writer
/// refuses, and the code is thought of the next time, too.
class ProofWriter {
 public:
  /// Of code that comes to a place with these words, of which these vary, as may places in memory.
  void begin(const Words& words, const Varying& varying);
  /// The term of a word at first. Those that are `numbers` can be computed with.
  std::uint16_t word(std::size_t which, bool number);
  /// The code has used what this word was at first.
  void use_word(std::size_t which);
  /// It has read a place and found this there; `looked_at`: to do something with it. The term.
  std::uint16_t place(std::uint64_t address, std::size_t size, std::uint64_t value, bool looked_at);
  /// It has carried out what stands there.
  void code(std::uint64_t place, std::size_t size);

  /// The term of a number that is made of others.
  std::uint16_t say(Term::Kind kind, unsigned size, const Thought& a, const Thought& b);
  /// The term of one that is shifted by so many bits, or made longer from so many bytes.
  std::uint16_t say_by(Term::Kind kind, unsigned size, const Thought& a, std::uint64_t by);
  void claim(Relation relation, bool holds, unsigned size, const Thought& a, const Thought& b);
  void claim_same(const Thought& a, const Thought& b) { claim(Relation::equal, true, 8, a, b); }
  /// The same as it is.
  void pin(const Thought& what) {
    if (what.term != 0) claim_same(what, {what.value});
  }
  /// At this place it decides by these: whether those are the same terms each time.
  void decide(std::uint64_t place, const Thought& a, const Thought& b);
  /// It writes this for the so manieth place in its code that writes something, in a round of its
  /// loop that is the first one or not, where that was before.
  void store(std::size_t number, bool first_round, const Thought& what, const Thought& before);
  void refuse() { refused_ = true; }

  /// It was seen by what it decides in each round that it waits; `fixed`: by nothing else.
  void end_by_rounds(bool fixed);
  /// Makes a proof of it, unless it cannot be: false.
  bool write(Proof& proof, std::uint32_t instructions);

 private:
  static constexpr std::size_t kTerms = 4095;
  static constexpr std::size_t kInputs = 2 * LookedAt::kMost;
  static constexpr std::size_t kClaims = 1024;
  static constexpr std::size_t kPlaces = 256;
  static constexpr std::size_t kPieces = 512;
  static constexpr std::size_t kMostCode = 64 * 1024;

  /// Two numbers, of which it has to be known whether they are the same.
  struct Pair {
    Thought a;
    Thought b;
  };
  /// What is written at a place in the code, apart from what is always the same.
  struct Store {
    bool changes_always = false;  ///< Memory, in a round after the first.
    bool varies = false;
    Pair change;  ///< One that does.
  };
  struct Same {
    std::size_t store;
    Pair pair;
  };

  std::uint16_t add(const Term& term);
  std::uint16_t add_affine(unsigned size, std::uint16_t term, std::uint64_t factor,
                           std::uint64_t constant);
  /// Whether a number fits into so many bytes in any case.
  bool fits(const Thought& what, unsigned size) const;
  void note_needed();
  void renumber(Proof& proof, std::vector<Proof::Input>& inputs);
  void copy_code(Proof& proof) const;

  Words words_{};
  Varying varying_;
  bool refused_ = false;
  bool steady_ = true;  ///< All that is decided is decided by the same terms each time.
  std::array<std::uint16_t, 64> terms_of_words_{};
  std::uint64_t used_words_ = 0;
  NumberIndex<kInputs> place_index_;
  std::array<Proof::Input, kInputs> inputs_;
  std::size_t input_count_ = 0;
  NumberIndex<4096> term_index_;
  std::array<Term, kTerms> terms_;
  std::array<bool, kTerms + 1> needed_;
  std::size_t term_count_ = 0;
  NumberIndex<kClaims> claim_index_;
  std::array<Claim, kClaims> claims_;
  NumberIndex<kPlaces> decided_at_;
  std::array<std::array<std::uint16_t, 2>, kPlaces> decided_by_;
  std::array<Store, kPlaces> stores_;
  std::size_t store_count_ = 0;
  std::array<Same, kPlaces> same_;
  std::size_t same_count_ = 0;
  NumberIndex<kPieces> piece_index_;
  std::array<Proof::Code, kPieces> pieces_;
  std::size_t piece_ = kPieces;  ///< The one that goes on, ...
  std::uint64_t at_ = 0;         ///< ... from here.
};

}  // namespace heddle::host
