#include "coll/datatype/sizes.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

std::int64_t checked_size(Wide bytes, int error_class) {
  if (fits(bytes)) return static_cast<std::int64_t>(bytes);
  throw Error{error_class, "sizes and displacements are at most 2^62 - 1 bytes: these are beyond"};
}

void check_elements(std::int64_t count, const Datatype& type, const char* argument) {
  const Wide last = Wide{count - 1} * type.extent();
  if (count == 0 || (fits(Wide{count} * type.size()) && fits(last + type.true_bounds().lower) &&
                     fits(last + type.true_bounds().upper))) {
    return;
  }
  bad_argument(MPI_ERR_COUNT, argument,
               fmt::format("{} elements of {} bytes, {} apart, are more than 2^62 - 1 bytes", count,
                           type.size(), type.extent()));
}

}  // namespace heddle::coll
