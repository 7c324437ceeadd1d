#include "host/rank/code/proof.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "host/memory/guarded_memory.hpp"
#include "host/rank/code/number_bits.hpp"
#include "host/rank/direct_word.hpp"

namespace heddle::host {
namespace {

using Kind = Term::Kind;

/// Of the one thread that thinks; large for a stack.
std::array<std::uint64_t, 4096> values;

std::uint64_t cut(std::uint64_t value, unsigned size) {
  return value & ones(8 * size);
}
bool top_bit_of(std::uint64_t value, unsigned size) {
  return (value >> (8 * size - 1) & 1) != 0;
}

/// The value of a term, or the constant that stands in its place.
std::uint64_t value_at(std::uint16_t term, std::uint64_t constant) {
  return term == 0 ? constant : values[term];
}

}  // namespace

bool Varying::has(std::uint64_t address, std::size_t size) const {
  return std::ranges::binary_search(places, Place{address, size});
}

bool Varying::add(std::uint64_t address, std::size_t size) {
  const Place place{address, size};
  const auto at = std::ranges::lower_bound(places, place);
  if (at != places.end() && *at == place) return true;
  if (places.size() == kMost) return false;
  places.insert(at, place);
  return true;
}

std::uint64_t Term::value_of(std::uint64_t from_a, std::uint64_t from_b) const {
  switch (kind) {
    case Kind::sum:
      return cut(from_a + from_b, size);
    case Kind::difference:
      return cut(from_a - from_b, size);
    case Kind::both:
      return from_a & from_b;
    case Kind::either:
      return from_a | from_b;
    case Kind::one:
      return from_a ^ from_b;
    case Kind::product:
      return cut(from_a * from_b, size);
    case Kind::affine:
      return cut(from_a * factor + constant, size);
    case Kind::left:
      return cut(from_a << constant, size);
    case Kind::right:
      return from_a >> constant;
    case Kind::right_with_sign:
      return cut(static_cast<std::uint64_t>(signed_bits(from_a, 8U * size) >> constant), size);
    case Kind::extended: {
      const auto bytes = static_cast<unsigned>(constant);
      return cut(static_cast<std::uint64_t>(signed_bits(from_a, 8 * bytes)), size);
    }
    default:
      return cut(from_a, size);
  }
}

bool holds(Relation relation, std::uint64_t a, std::uint64_t b, unsigned size) {
  const std::uint64_t difference = cut(a - b, size);
  const bool overflow = top_bit_of((a ^ b) & (a ^ difference), size);
  const bool less = top_bit_of(difference, size) != overflow;
  switch (relation) {
    case Relation::overflows:
      return overflow;
    case Relation::below:
      return a < b;
    case Relation::equal:
      return difference == 0;
    case Relation::not_above:
      return a <= b;
    case Relation::negative:
      return top_bit_of(difference, size);
    case Relation::even_bits:
      return std::popcount(difference & 0xff) % 2 == 0;
    case Relation::less:
      return less;
    default:
      return less || difference == 0;
  }
}

bool Proof::holds(const Words& words, const AddressSpace& memory, Varying& varying) {
  struct Question {
    Proof& proof;
    const Words& words;
    const AddressSpace& memory;
    Varying& varying;
    bool answer = false;
  };
  // What it is about may be gone from memory.
  Question question{*this, words, memory, varying};
  const auto ask = [](void* which) {
    auto& asked = *static_cast<Question*>(which);
    if (!asked.proof.has_same_code()) return;
    const bool same_words = asked.proof.has_same_words(asked.words, asked.varying);
    const bool same_places = asked.proof.has_same_places(asked.memory, asked.varying);
    asked.answer = same_words && same_places && asked.proof.claims_hold();
  };
  return !empty() && guarded_call(ask, &question) && question.answer;
}

/// What lies side by side is compared as one.
void Proof::set_inputs(std::vector<Input> inputs) {
  const auto is_word = [](const Input& input) { return input.size == 0; };
  const auto places = std::stable_partition(inputs.begin(), inputs.end(), is_word);
  std::ranges::sort(places, inputs.end(), {}, &Input::place);
  words_ = static_cast<std::size_t>(places - inputs.begin());
  inputs_ = std::move(inputs);
  varied_.clear();
  looked_at_.clear();
  beside_.clear();
  for (const Input& input : std::span(inputs_).subspan(words_)) {
    if (input.term != 0) varied_.push_back({input, input.looked_at ? looked_at_.end() : kNowhere});
    if (input.looked_at) looked_at_.add(input.place, input.value, input.size);
    if (!input.looked_at && input.term == 0) beside_.add(input.place, input.value, input.size);
  }
}

bool Proof::has_same_code() const {
  const std::byte* kept = bytes_.data();
  return std::all_of(code_.begin(), code_.end(), [&](const Code& piece) {
    const std::byte* const expected = kept;
    kept += piece.size;
    return std::memcmp(expected, reinterpret_cast<const void*>(piece.place), piece.size) == 0;
  });
}

bool Proof::has_same_words(const Words& words, Varying& varying) const {
  bool same = true;
  for (const Input& input : std::span(inputs_).first(words_)) {
    const std::uint64_t value = words[input.place];
    if (input.term != 0) {
      values[input.term] = value;
    } else if (value != input.value) {
      same = false;
      varying.words |= std::uint64_t{1} << input.place;
    }
  }
  return same;
}

bool Proof::has_same_places(const AddressSpace& memory, Varying& varying) {
  if (!read_varied(memory)) return false;
  using Answer = LookedAt::Answer;
  const Answer answer = looked_at_.compared_directly(memory);
  if (answer == Answer::same && beside_.compared_directly(memory) == Answer::same) return true;
  if (answer != Answer::out_of_reach) note_changes(memory, varying);
  return false;
}

bool Proof::read_varied(const AddressSpace& memory) {
  for (const Varied& varied : varied_) {
    const Input& input = varied.input;
    std::uint64_t& value = values[input.term];
    if (!read_directly(memory, input.place, input.size, value)) return false;
    if (varied.at != kNowhere) looked_at_.put(varied.at, value, input.size);
  }
  return true;
}

void Proof::note_changes(const AddressSpace& memory, Varying& varying) const {
  for (const Input& input : std::span(inputs_).subspan(words_)) {
    std::uint64_t value = 0;
    if (input.term != 0) continue;
    if (!read_directly(memory, input.place, input.size, value)) return;
    if (value != input.value && !varying.add(input.place, input.size)) return;
  }
}

bool Proof::claims_hold() const {
  std::uint16_t number = 0;
  for (const Term& term : terms_) {
    ++number;
    if (term.kind == Kind::input) continue;
    values[number] =
        term.value_of(value_at(term.a, term.constant), value_at(term.b, term.constant));
  }
  return std::all_of(claims_.begin(), claims_.end(), [](const Claim& claim) {
    return host::holds(claim.relation, value_at(claim.a, claim.constant),
                       value_at(claim.b, claim.constant), claim.size) == claim.holds;
  });
}

}  // namespace heddle::host
