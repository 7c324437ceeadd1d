#include "host/rank/code/proof_writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "host/rank/code/number_bits.hpp"
#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

using Kind = Term::Kind;

std::uint64_t numbers_of(std::uint8_t what, std::uint8_t size, std::uint16_t a, std::uint16_t b) {
  return what | std::uint64_t{size} << 8 | std::uint64_t{a} << 16 | std::uint64_t{b} << 32;
}

/// The constant among the two.
std::uint64_t constant_of(const Thought& a, const Thought& b) {
  return a.term == 0 ? a.value : b.term == 0 ? b.value : 0;
}
bool unsaid(const Thought& a, const Thought& b) {
  return a.term == Thought::kUnsaid || b.term == Thought::kUnsaid;
}

}  // namespace

void ProofWriter::begin(const Words& words, const Varying& varying) {
  words_ = words;
  varying_ = varying;
  refused_ = false;
  steady_ = true;
  terms_of_words_.fill(0);
  used_words_ = 0;
  place_index_.clear();
  input_count_ = term_count_ = store_count_ = same_count_ = 0;
  term_index_.clear();
  claim_index_.clear();
  decided_at_.clear();
  piece_index_.clear();
  piece_ = kPieces;
}

std::uint16_t ProofWriter::add(const Term& term) {
  const std::uint64_t numbers =
      numbers_of(static_cast<std::uint8_t>(term.kind), term.size, term.a, term.b);
  const std::size_t number =
      term_index_.of(mixed(mixed(mixed(1, numbers), term.constant), term.factor));
  if (number >= kTerms) return Thought::kUnsaid;
  if (number == term_count_) terms_[term_count_++] = term;
  return static_cast<std::uint16_t>(number + 1);
}

/// Loops that count or draw numbers do this again and again: of one that was made so itself it is
/// one step.
std::uint16_t ProofWriter::add_affine(unsigned size, std::uint16_t term, std::uint64_t factor,
                                      std::uint64_t constant) {
  const Term& before = terms_[term - 1U];
  if (before.kind == Kind::affine && before.size == size) {
    constant += before.constant * factor;
    factor *= before.factor;
    term = before.a;
  }
  const std::uint64_t mask = ones(8 * size);
  return add(
      {Kind::affine, static_cast<std::uint8_t>(size), term, 0, constant & mask, factor & mask});
}

std::uint16_t ProofWriter::word(std::size_t which, bool number) {
  if ((varying_.words >> which & 1) == 0) return 0;
  const std::uint16_t term = number ? add({Kind::input, 8, 0, 0, which}) : Thought::kUnsaid;
  return terms_of_words_[which] = term;
}

void ProofWriter::use_word(std::size_t which) {
  used_words_ |= std::uint64_t{1} << which;
}

std::uint16_t ProofWriter::place(std::uint64_t address, std::size_t size, std::uint64_t value,
                                 bool looked_at) {
  // Addresses leave the upper bits of a number free.
  const std::size_t number = place_index_.of(address << 4 | size);
  if (number == kInputs) {
    refuse();
    return Thought::kUnsaid;
  }
  Proof::Input& input = inputs_[number];
  if (number == input_count_) {
    ++input_count_;
    const auto bytes = static_cast<std::uint8_t>(size);
    input = {address, value, bytes, false, 0};
    const std::uint64_t name = words_.size() + number;
    if (varying_.has(address, size)) input.term = add({Kind::input, bytes, 0, 0, name});
    if (input.term == Thought::kUnsaid) refuse();
  }
  input.looked_at = input.looked_at || looked_at;
  return input.term;
}

/// In pieces that are carried out one instruction after the other.
void ProofWriter::code(std::uint64_t place, std::size_t size) {
  if (piece_ == kPieces || place != at_) {
    const std::size_t before = piece_index_.size();
    piece_ = piece_index_.of(place);
    if (piece_ == kPieces) return refuse();
    if (piece_ == before) pieces_[piece_] = {place, 0};
  }
  Proof::Code& piece = pieces_[piece_];
  at_ = place + size;
  piece.size = std::max<std::size_t>(piece.size, at_ - piece.place);
}

bool ProofWriter::fits(const Thought& what, unsigned size) const {
  return terms_[what.term - 1U].size <= size;
}

std::uint16_t ProofWriter::say(Kind kind, unsigned size, const Thought& a, const Thought& b) {
  if (unsaid(a, b)) return Thought::kUnsaid;
  if (kind == Kind::narrow && fits(a, size)) return a.term;
  if (kind == Kind::sum && a.term == 0) return add_affine(size, b.term, 1, a.value);
  if (kind == Kind::sum && b.term == 0) return add_affine(size, a.term, 1, b.value);
  if (kind == Kind::difference && a.term == 0) return add_affine(size, b.term, ~0UL, a.value);
  if (kind == Kind::difference && b.term == 0) return add_affine(size, a.term, 1, 0 - b.value);
  if (kind == Kind::product && a.term == 0) return add_affine(size, b.term, a.value, 0);
  if (kind == Kind::product && b.term == 0) return add_affine(size, a.term, b.value, 0);
  return add({kind, static_cast<std::uint8_t>(size), a.term, b.term, constant_of(a, b)});
}

std::uint16_t ProofWriter::say_by(Kind kind, unsigned size, const Thought& a, std::uint64_t by) {
  if (a.term == Thought::kUnsaid) return Thought::kUnsaid;
  return add({kind, static_cast<std::uint8_t>(size), a.term, 0, by});
}

void ProofWriter::claim(Relation relation, bool holds, unsigned size, const Thought& a,
                        const Thought& b) {
  if ((a.term | b.term) == 0) return;
  if (unsaid(a, b)) return refuse();
  if (relation == Relation::equal && holds && a.term == b.term) return;
  const auto bytes = static_cast<std::uint8_t>(size);
  const Claim claim{relation, holds, bytes, a.term, b.term, constant_of(a, b)};
  const auto what = static_cast<std::uint8_t>(static_cast<unsigned>(relation) << 1 | holds);
  const std::uint64_t numbers = numbers_of(what, bytes, a.term, b.term);
  const std::size_t number = claim_index_.of(mixed(mixed(1, numbers), claim.constant));
  if (number == kClaims) return refuse();
  claims_[number] = claim;
}

void ProofWriter::decide(std::uint64_t place, const Thought& a, const Thought& b) {
  const std::size_t before = decided_at_.size();
  const std::size_t number = decided_at_.of(place);
  if (number == kPlaces) {
    steady_ = false;
    return;
  }
  const std::array<std::uint16_t, 2> by = {a.term, b.term};
  if (number == before) decided_by_[number] = by;
  steady_ = steady_ && decided_by_[number] == by;
}

void ProofWriter::store(std::size_t number, bool first_round, const Thought& what,
                        const Thought& before) {
  if (number >= kPlaces) return refuse();
  if (number >= store_count_) stores_[store_count_++] = {};
  Store& store = stores_[number];
  const bool changes = what.value != before.value;
  if ((what.term | before.term) == 0) {
    store.changes_always = store.changes_always || (changes && !first_round);
  } else if (first_round && !changes) {
    if (same_count_ == same_.size()) return refuse();
    same_[same_count_++] = {number, {what, before}};
  } else if (!first_round && changes && (!store.varies || unsaid(store.change.a, store.change.b))) {
    store.varies = true;
    store.change = {what, before};
  }
}

void ProofWriter::end_by_rounds(bool fixed) {
  // What it counts to is not claimed.
  const bool varies = varying_.words != 0 || !varying_.places.empty();
  if (!steady_ || (!fixed && varies)) return refuse();
  // What it writes first must be what it writes again and again, or change nothing.
  for (std::size_t i = 0; i < store_count_; ++i) {
    const Store& store = stores_[i];
    if (store.changes_always || !store.varies) continue;
    claim(Relation::equal, false, 8, store.change.a, store.change.b);
  }
  for (std::size_t i = 0; i < same_count_; ++i) {
    const Store& store = stores_[same_[i].store];
    if (store.changes_always || store.varies) continue;
    claim_same(same_[i].pair.a, same_[i].pair.b);
  }
}

bool ProofWriter::write(Proof& proof, std::uint32_t instructions) {
  proof.clear();
  if (refused_) return false;
  note_needed();
  std::vector<Proof::Input> inputs(inputs_.begin(),
                                   inputs_.begin() + static_cast<std::ptrdiff_t>(input_count_));
  renumber(proof, inputs);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint16_t term = terms_of_words_[i];
    if ((used_words_ >> i & 1) == 0 || term == Thought::kUnsaid) continue;
    inputs.push_back({i, words_[i], 0, false, term});
  }
  proof.set_inputs(std::move(inputs));
  copy_code(proof);
  proof.instructions_ = instructions;
  if (proof.bytes_.empty()) proof.clear();
  return !proof.empty();
}

/// What is claimed, and what that is made of. Terms stand behind those that they are made of.
void ProofWriter::note_needed() {
  needed_.fill(false);
  for (std::size_t i = 0; i < claim_index_.size(); ++i) {
    needed_[claims_[i].a] = needed_[claims_[i].b] = true;
  }
  for (std::size_t i = term_count_; i > 0; --i) {
    const Term& term = terms_[i - 1];
    needed_[i] = needed_[i] || term.kind == Kind::input;
    if (needed_[i]) needed_[term.a] = needed_[term.b] = true;
  }
}

void ProofWriter::renumber(Proof& proof, std::vector<Proof::Input>& inputs) {
  // Of the one thread that thinks; large for a stack.
  static std::array<std::uint16_t, kTerms + 1> numbers;
  proof.claims_.assign(claims_.begin(),
                       claims_.begin() + static_cast<std::ptrdiff_t>(claim_index_.size()));
  numbers[0] = 0;
  std::vector<Term> terms;
  std::size_t from_outside = 0;
  for (const bool is_input : {true, false}) {
    for (std::size_t i = 1; i <= term_count_; ++i) {
      Term term = terms_[i - 1];
      if (!needed_[i] || (term.kind == Kind::input) != is_input) continue;
      term.a = numbers[term.a];
      term.b = numbers[term.b];
      terms.push_back(term);
      numbers[i] = static_cast<std::uint16_t>(terms.size());
    }
    if (is_input) from_outside = terms.size();
  }
  proof.begin_values(std::move(terms), from_outside);
  for (Claim& claim : proof.claims_) {
    claim.a = numbers[claim.a];
    claim.b = numbers[claim.b];
  }
  for (Proof::Input& input : inputs) input.term = numbers[input.term];
  for (std::uint16_t& term : terms_of_words_) {
    if (term != Thought::kUnsaid) term = numbers[term];
  }
}

void ProofWriter::copy_code(Proof& proof) const {
  proof.code_.clear();
  proof.bytes_.clear();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < piece_index_.size(); ++i) bytes += pieces_[i].size;
  if (bytes > kMostCode) return;
  for (std::size_t i = 0; i < piece_index_.size(); ++i) {
    const auto* const at = reinterpret_cast<const std::byte*>(pieces_[i].place);
    proof.code_.push_back(pieces_[i]);
    proof.bytes_.insert(proof.bytes_.end(), at, at + pieces_[i].size);
  }
}

}  // namespace heddle::host
