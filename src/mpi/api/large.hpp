// What calls and their forms for large counts have in common.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::mpi {

/// An array of counts of either form.
template <class T>
std::vector<std::int64_t> widened(const T* values, std::int64_t count) {
  return values == nullptr ? std::vector<std::int64_t>()
                           : std::vector<std::int64_t>(values, values + count);
}

/// A count for a program that may not have room for it: MPI_UNDEFINED then.
template <class T>
T narrowed(std::int64_t value) {
  return value > std::numeric_limits<T>::max() ? T{MPI_UNDEFINED} : static_cast<T>(value);
}

}  // namespace heddle::mpi
