// Error classes in words.
#pragma once

#include <string_view>

namespace heddle::mpi {

/// "MPI_ERR_RANK: invalid rank", or of an unknown number "unknown error".
std::string_view error_text(int error_class);

}  // namespace heddle::mpi
