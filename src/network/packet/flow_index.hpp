// Flows, or what is known of them, by what tells them apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

 private:
  struct Place {
    std::uint64_t key = 0;
    Value value = Value();
  };

  /// That of the key, or the one that it may have.
  Place& find(std::uint64_t key) {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    const std::size_t last = places_.size() - 1;
    std::size_t at = (key * kGoldenRatio >> 32) & last;
    while (places_[at].value != Value() && places_[at].key != key) at = (at + 1) & last;
    return places_[at];
  }
  [[gnu::noinline]] void grow() {
    constexpr std::size_t kFirst = 4;
    std::vector<Place> before(places_.empty() ? kFirst : 2 * places_.size());
    before.swap(places_);
    for (const Place& place : before) {
      if (place.value != Value()) find(place.key) = place;
    }
  }

  std::vector<Place> places_;  ///< A power of two.
  std::size_t used_ = 0;
};

}  // namespace heddle::network
