// What calls and their forms for large counts have in common.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::mpi {

/// An array of counts of either form, as a program gives it.
class Counts {
 public:
  Counts(const int* list) : small_(list) {}
  Counts(const MPI_Count* list) : large_(list) {}
  /// Null if the program has given none.
  const void* list() const { return small_ != nullptr ? static_cast<const void*>(small_) : large_; }
  std::vector<std::int64_t> widened(std::int64_t count) const {
    if (small_ != nullptr) return {small_, small_ + count};
    return large_ == nullptr ? std::vector<std::int64_t>()
                             : std::vector<std::int64_t>(large_, large_ + count);
  }

 private:
  const int* small_ = nullptr;
  const MPI_Count* large_ = nullptr;
};

/// A count for a program that may not have room for it: MPI_UNDEFINED then.
template <class T>
T narrowed(std::int64_t value) {
  return value > std::numeric_limits<T>::max() ? T{MPI_UNDEFINED} : static_cast<T>(value);
}

}  // namespace heddle::mpi
