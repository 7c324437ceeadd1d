#include "host/program/sampling/exit_state.hpp"

#include <algorithm>
#include <bit>

namespace heddle::host {

void ExitState::learn(const CodeState& before, const CodeState& after, std::uint64_t place) {
  const bool first = times_ == 0;
  if (first) words_.clear();
  place_ = first || place_ == place ? place : 0;
  // What words followed from is compared with registers as they were last.
  learn_words(before, after);
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    Pair& pair = numbers_[i];
    const std::uint64_t was = before.numbers[i];
    const std::uint64_t is = after.numbers[i];
    pair.sources = first ? kAll : kept(pair, before, was, is);
    pair.after = is;
  }
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) numbers_[i].before = before.numbers[i];
  flags_ = after.flags;
  vectors_ = after.vectors;
  ++times_;
}

void ExitState::learn_words(const CodeState& before, const CodeState& after) {
  for (Word& word : words_) {
    if (word.number >= before.words.size()) continue;
    const std::uint64_t was = before.words[word.number];
    const std::uint64_t is = after.words[word.number];
    word.pair = {was, is, kept(word.pair, before, was, is)};
  }
  for (std::size_t i = 0; i < std::min(before.words.size(), after.words.size()); ++i) {
    if (before.words[i] == after.words[i]) continue;
    const bool known = std::ranges::any_of(words_, [=](const Word& w) { return w.number == i; });
    if (!known) words_.push_back({i, {before.words[i], after.words[i], kAll}});
  }
}

/// Of the sources that it could have before, those that it can still have.
ExitState::Sources ExitState::kept(const Pair& pair, const CodeState& before, std::uint64_t was,
                                   std::uint64_t is) const {
  Sources sources = pair.sources;
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    if (is - before.numbers[i] != pair.after - numbers_[i].before) sources &= ~(1U << i);
  }
  if (is != pair.after) sources &= ~kConstant;
  if (is - was != pair.after - pair.before) sources &= ~kItself;
  return sources;
}

/// Most likely it is what it was, or moved on.
std::uint64_t ExitState::expected(const Pair& pair, const CodeState& before,
                                  std::uint64_t was) const {
  if ((pair.sources & kItself) != 0) return was + (pair.after - pair.before);
  if ((pair.sources & kConstant) != 0 || pair.sources == 0) return pair.after;
  const auto i = static_cast<std::size_t>(std::countr_zero(pair.sources));
  return before.numbers[i] + (pair.after - numbers_[i].before);
}

CodeState ExitState::after(const CodeState& before) const {
  CodeState state = before;
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    state.numbers[i] = expected(numbers_[i], before, before.numbers[i]);
  }
  for (const Word& word : words_) {
    if (word.number >= before.words.size()) continue;
    state.words[word.number] = expected(word.pair, before, before.words[word.number]);
  }
  state.flags = flags_;
  state.vectors = vectors_;
  return state;
}

bool ExitState::contradicts(const CodeState& before, const CodeState& after) const {
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    const Pair& pair = numbers_[i];
    if (pair.sources == 0) continue;
    if (expected(pair, before, before.numbers[i]) != after.numbers[i]) return true;
  }
  return false;
}

}  // namespace heddle::host
