// Predefined datatypes by their handles.
#pragma once

#include "mpi/datatype/datatype.hpp"

namespace heddle::mpi {

inline const Datatype& type_of(int handle) {
  return *Datatype::predefined(handle);
}

}  // namespace heddle::mpi
