// An array in which few values differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/containers/distinct_values.hpp"
#include "core/containers/sparse_vector.hpp"

namespace heddle {

/// Keeps each value once, and a number for each place; memory is for those that differ from the
/// first.
template <class T>
class FewValues {
 public:
  /// All places have `value`.
  FewValues(std::size_t places, const T& value) : numbers_(places) { values_.number_of(value); }

  const T& operator[](std::size_t place) const { return values_[numbers_[place]]; }
  void set(std::size_t place, const T& value) { numbers_[place] = values_.number_of(value); }
  std::size_t size() const { return numbers_.size(); }
  /// The same for places with the same value; from 0 on, in the order in which values came.
  std::uint32_t number(std::size_t place) const { return numbers_[place]; }

 private:
  DistinctValues<T> values_;
  SparseVector<std::uint32_t> numbers_;  ///< By place.
};

}  // namespace heddle
