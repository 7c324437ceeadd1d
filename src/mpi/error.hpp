// A call that went wrong.
#pragma once

#include "coll/error.hpp"

namespace heddle::mpi {

using coll::bad_argument;
using coll::Error;

}  // namespace heddle::mpi
