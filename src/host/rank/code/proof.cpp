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
    Proof& proof = asked.proof;
    if (!proof.has_same_code()) return;
    // All that is not as it was becomes known at once.
    bool same = proof.has_same_words(asked.words, asked.varying);
    for (Places* const places : {&proof.looked_at_, &proof.beside_}) {
      same = proof.has_same_places(*places, asked.memory, asked.varying) && same;
    }
    asked.answer = same && proof.claims_hold();
  };
  return !empty() && guarded_call(ask, &question) && question.answer;
}

void Proof::Places::set(const std::vector<Input>& from) {
  inputs = from;
  std::ranges::sort(inputs, {}, &Input::place);
  at.clear();
  found.clear();
  for (const Input& input : inputs) {
    at.push_back(found.end());
    found.add(input.place, input.value, input.size);
  }
}

void Proof::set_inputs(std::vector<Input> inputs) {
  const auto places = std::partition(inputs.begin(), inputs.end(),
                                     [](const Input& input) { return input.size == 0; });
  words_.assign(inputs.begin(), places);
  const auto beside =
      std::partition(places, inputs.end(), [](const Input& input) { return input.looked_at; });
  looked_at_.set({places, beside});
  beside_.set({beside, inputs.end()});
  for (const Input& input : inputs) {
    if (input.term != 0) values_[input.term] = input.value;
  }
}

/// No claim has been looked at yet. Those terms that are inputs come before all others.
void Proof::begin_values(std::vector<Term> terms, std::size_t inputs) {
  values_.assign(terms.size() + 1, 0);
  changed_.assign(terms.size() + 1, 1);
  changed_[0] = 0;
  any_changed_ = true;
  terms_ = std::move(terms);
  inputs_ = inputs;
}

bool Proof::has_same_code() const {
  const std::byte* kept = bytes_.data();
  return std::all_of(code_.begin(), code_.end(), [&](const Code& piece) {
    const std::byte* const expected = kept;
    kept += piece.size;
    return std::memcmp(expected, reinterpret_cast<const void*>(piece.place), piece.size) == 0;
  });
}

void Proof::set_value(std::uint16_t term, std::uint64_t value) {
  values_[term] = value;
  changed_[term] = 1;
  any_changed_ = true;
}

bool Proof::has_same_words(const Words& words, Varying& varying) {
  bool same = true;
  for (const Input& input : words_) {
    const std::uint64_t value = words[input.place];
    if (input.term != 0) {
      if (value != values_[input.term]) set_value(input.term, value);
    } else if (value != input.value) {
      same = false;
      varying.words |= std::uint64_t{1} << input.place;
    }
  }
  return same;
}

/// Of many that vary few have changed since the last time.
bool Proof::has_same_places(Places& places, const AddressSpace& memory, Varying& varying) {
  bool same = true;
  const auto changed = [&](std::size_t at, const std::byte* there) {
    const auto which = std::ranges::upper_bound(places.at, at) - places.at.begin() - 1;
    const auto place = static_cast<std::size_t>(which);
    const Input& input = places.inputs[place];
    const std::size_t begin = places.at[place];
    if (input.term != 0) {
      const std::uint64_t value = word_at(there - (at - begin), input.size);
      set_value(input.term, value);
      places.found.put(begin, value, input.size);
    } else {
      same = false;
      varying.add(input.place, input.size);
    }
    return begin + input.size;
  };
  return places.found.for_each_change(memory, changed) && same;
}

bool Proof::claims_hold() {
  if (!any_changed_) return true;
  const auto value_at = [&](std::uint16_t term, std::uint64_t constant) {
    return term == 0 ? constant : values_[term];
  };
  for (std::size_t number = inputs_ + 1; number < values_.size(); ++number) {
    const Term& term = terms_[number - 1];
    if ((changed_[term.a] | changed_[term.b]) == 0) continue;
    values_[number] =
        term.value_of(value_at(term.a, term.constant), value_at(term.b, term.constant));
    changed_[number] = 1;
  }
  const bool hold = std::ranges::all_of(claims_, [&](const Claim& claim) {
    return (changed_[claim.a] | changed_[claim.b]) == 0 ||
           host::holds(claim.relation, value_at(claim.a, claim.constant),
                       value_at(claim.b, claim.constant), claim.size) == claim.holds;
  });
  if (!hold) return false;
  std::ranges::fill(changed_, 0);
  any_changed_ = false;
  return true;
}

}  // namespace heddle::host
