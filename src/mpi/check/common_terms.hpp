// What the members of a collective call must agree on.
#pragma once

#include <array>

#include "mpi/datatypes.hpp"

namespace heddle::mpi {

struct CommonTerms {
  static constexpr int kNoRoot = -1;
  int root = kNoRoot;
  /// Of the same types everywhere, both of them; what is not there has no type.
  std::array<Buffer, 2> data = {};
};

}  // namespace heddle::mpi
