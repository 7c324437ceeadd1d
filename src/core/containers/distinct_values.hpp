// The different values among many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle {

/// Each value once, with a small number: from 0 on, in the order in which they came.
template <class T>
class DistinctValues {
 public:
  /// The number of `value`, a new one if it has none.
  std::uint32_t number_of(const T& value) {
    const auto [place, is_new] =
        numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return place->second;
  }
  std::size_t size() const { return values_.size(); }
  const T& operator[](std::uint32_t number) const { return values_[number]; }

 private:
  std::map<T, std::uint32_t> numbers_;
  std::vector<T> values_;  ///< By number.
};

}  // namespace heddle
