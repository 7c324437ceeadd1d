// In what state code goes on behind a loop that is left out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/program/sampling/code_state.hpp"

namespace heddle::host {

/// Learns, from times that a thread went through a loop, how what its code computes with at the end
/// follows from the beginning: a number of the beginning and a constant added, such as a pointer
/// that has come to the end of an array, or the same number each time. What follows from neither is
/// a result; one that was found before stands in for it.
class ExitState {
 public:
  void learn(const CodeState& before, const CodeState& after, std::uint64_t place);
  /// How often it has learned since it began, or began anew.
  std::uint32_t times() const { return times_; }
  /// Where the loop ended each time; 0: not always at the same place.
  std::uint64_t place() const { return place_; }
  /// What was learned did not hold: it is to be seen once more.
  void doubt() { times_ = 1; }

  /// The state behind the loop for one that begins so.
  CodeState after(const CodeState& before) const;
  /// Whether a number follows from the beginning and is not what was expected.
  bool contradicts(const CodeState& before, const CodeState& after) const;

 private:
  /// Of what it may be made: the number of each register at the beginning, nothing, or what it was
  /// itself, as bits.
  using Sources = std::uint32_t;
  static constexpr Sources kConstant = 1U << CodeState::kNumbers;
  static constexpr Sources kItself = kConstant << 1;
  static constexpr Sources kAll = (kItself << 1) - 1;

  struct Pair {
    std::uint64_t before;
    std::uint64_t after;
    Sources sources;
  };
  struct Word {
    std::size_t number;  ///< Among those of the stack.
    Pair pair;
  };
  Sources kept(const Pair& pair, const CodeState& before, std::uint64_t was,
               std::uint64_t is) const;
  std::uint64_t expected(const Pair& pair, const CodeState& before, std::uint64_t was) const;
  void learn_words(const CodeState& before, const CodeState& after);

  std::uint32_t times_ = 0;
  std::uint64_t place_ = 0;
  std::uint64_t flags_ = 0;
  std::array<Pair, CodeState::kNumbers> numbers_{};
  std::array<std::byte, CodeState::kVectorBytes> vectors_{};
  std::vector<Word> words_;  ///< Those that changed.
};

}  // namespace heddle::host
