// Flows, or what is known of them, by what tells them apart.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"

namespace heddle::network {

/// Keys and values side by side, at most half of the places in use: to find one mostly takes a
/// single line of the cache, however many there are.
template <class Value>
class FlowIndex {
 public:
  /// The place of the value with that key, which whoever asks fills if it is Value(); until the
  /// next call.
  Value& operator[](std::uint64_t key) {
    if (2 * used_ >= places_.size()) grow();
    Place& place = find(key);
    if (place.value == Value()) {
      place.key = key;
      ++used_;
    }
    return place.value;
  }

  /// Asks for the memory of that value.
  void foresee(std::uint64_t key) const {
    if (!places_.empty()) prefetch(&places_[first_place(key)]);
  }

 private:
  struct Place {
    std::uint64_t key = 0;
    Value value = Value();
  };

  /// Keys are numbers in a row, times some power of two: folded before they are spread, and taken
  /// from the highest bits, they do not come to lie side by side.
  std::size_t first_place(std::uint64_t key) const {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    const std::uint64_t spread = key * kGoldenRatio;
    return (spread ^ spread >> 32) * kGoldenRatio >> shift_;
  }
  /// That of the key, or the one that it may have.
  Place& find(std::uint64_t key) {
    const std::size_t last = places_.size() - 1;
    std::size_t at = first_place(key);
    while (places_[at].value != Value() && places_[at].key != key) at = (at + 1) & last;
    return places_[at];
  }
  [[gnu::noinline]] void grow() {
    constexpr std::size_t kFirst = 4;
    std::vector<Place> before(places_.empty() ? kFirst : 2 * places_.size());
    before.swap(places_);
    shift_ = 64 - std::countr_zero(places_.size());
    for (const Place& place : before) {
      if (place.value != Value()) find(place.key) = place;
    }
  }

  std::vector<Place> places_;  ///< A power of two.
  std::size_t used_ = 0;
  int shift_ = 0;  ///< Leaves as many bits as the number of a place has.
};

}  // namespace heddle::network
