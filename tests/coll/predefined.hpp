// Predefined datatypes by their handles.
#pragma once

#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"
#include "coll/op/op.hpp"

namespace heddle::coll {

inline const Datatype& type_of(int handle) {
  return *Datatype::predefined(handle);
}

}  // namespace heddle::coll
