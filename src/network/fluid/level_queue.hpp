// What is to be done, by level.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/containers/min_heap.hpp"

namespace heddle::network {

/// Numbers that wait, each at most once, in the order of their levels, which are not negative.
///
/// Such levels are ordered as their bits are. The number takes the place of as many of the last
/// bits as it needs, so that a level and its number are one integer: levels that differ less than
/// those bits are ordered by number.
///
/// A heap has those up to some level; those above wait in lists, one for every 256th of an octave,
/// with a map of the lists that are not empty. When the heap is empty, the next list goes to it. So
/// the heap stays small however many wait. The lists span sixteen octaves about the level that came
/// first; what is further off is in the first or the last of them.
class LevelQueue {
 public:
  /// For numbers below `count`.
  explicit LevelQueue(std::size_t count) : number_mask_(std::bit_ceil(count) - 1), waiting_(count) {
    first_.fill(kEnd);
  }

  bool empty() const { return heap_.empty(); }
  void push(double level, std::uint32_t number) {
    const std::uint64_t key = (std::bit_cast<std::uint64_t>(level) & ~number_mask_) | number;
    if (empty()) {
      least_prefix_ = prefix(key) - kLists / 2;
      heap_list_ = kLists / 2;
    }
    const std::int64_t list = std::clamp<std::int64_t>(prefix(key) - least_prefix_, 0, kLists - 1);
    if (list <= heap_list_) return heap_.push(key);
    append(static_cast<std::size_t>(list), key, number);
  }
  /// The one with the least level; the queue must not be empty.
  std::uint32_t top() const { return static_cast<std::uint32_t>(heap_.top() & number_mask_); }
  /// Takes it out.
  std::uint32_t pop() {
    const std::uint32_t number = top();
    heap_.pop();
    if (heap_.empty() && filled_words_ != 0) take_next_list();
    return number;
  }

 private:
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  static constexpr std::size_t kWords = 64;
  static constexpr std::int64_t kLists = 64 * kWords;
  static constexpr int kLowerBits = 52 - 8;  ///< Those that do not tell one list from another.
  struct Waiting {
    std::uint64_t key;
    std::uint32_t next;  ///< In its list.
  };

  static std::int64_t prefix(std::uint64_t key) {
    return static_cast<std::int64_t>(key >> kLowerBits);
  }
  void append(std::size_t list, std::uint64_t key, std::uint32_t number) {
    waiting_[number] = {key, first_[list]};
    first_[list] = number;
    filled_[list / 64] |= std::uint64_t{1} << (list % 64);
    filled_words_ |= std::uint64_t{1} << (list / 64);
  }
  [[gnu::noinline]] void take_next_list() {
    const auto word = static_cast<std::size_t>(std::countr_zero(filled_words_));
    const std::size_t list = 64 * word + static_cast<std::size_t>(std::countr_zero(filled_[word]));
    for (std::uint32_t number = first_[list]; number != kEnd; number = waiting_[number].next) {
      heap_.push(waiting_[number].key);
    }
    first_[list] = kEnd;
    heap_list_ = static_cast<std::int64_t>(list);
    filled_[word] &= filled_[word] - 1;
    if (filled_[word] == 0) filled_words_ &= filled_words_ - 1;
  }

  std::uint64_t number_mask_;
  MinHeap<std::uint64_t> heap_;                 ///< Keys; empty only if nothing waits.
  std::int64_t heap_list_ = 0;                  ///< The last list whose keys go to the heap.
  std::int64_t least_prefix_ = 0;               ///< Of the keys of the first list.
  std::vector<Waiting> waiting_;                ///< By number: those in a list.
  std::array<std::uint32_t, kLists> first_;     ///< By list: the number it begins with.
  std::array<std::uint64_t, kWords> filled_{};  ///< A bit per list that is not empty.
  std::uint64_t filled_words_ = 0;              ///< A bit per word that is not 0.
};

}  // namespace heddle::network
