#include "mpi/io/view.hpp"

#include <mpi.h>

#include <algorithm>

#include "coll/datatype/external32.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi {

std::int64_t View::unit() const {
  return representation == Representation::external32 ? external_size(*etype) : etype->size();
}

std::int64_t View::byte_of(std::int64_t offset, std::int64_t bytes) const {
  const Wide begin = Wide{offset} * unit();
  // Of external forms, which may be twice as long.
  const Wide end = begin + 2 * Wide{bytes};
  const Wide tiles = filetype->size() == 0 ? 0 : end / filetype->size() + 1;
  checked_size(displacement + tiles * std::max(filetype->extent(), filetype->size()), MPI_ERR_ARG);
  return checked_size(begin, MPI_ERR_ARG);
}

std::int64_t View::place(std::int64_t number) const {
  std::int64_t found = displacement;
  for_stretches(number, number + 1, [&](std::int64_t at, std::int64_t /*length*/) {
    found = at;
    return false;
  });
  return found;
}

std::int64_t View::bytes_before(std::int64_t place) const {
  const std::int64_t size = filetype->size();
  const std::int64_t extent = filetype->extent();
  if (place <= displacement || size == 0) return 0;
  if (filetype->gapless()) {
    return std::max<std::int64_t>(place - displacement - filetype->true_bounds().lower, 0);
  }
  const std::int64_t tiles = (place - displacement) / extent;
  const std::int64_t rest = (place - displacement) % extent;
  std::int64_t bytes = tiles * size;
  auto count = [&](const Runs& runs) {
    for (std::int64_t i = 0; i < runs.count; ++i) {
      bytes += std::clamp<std::int64_t>(rest - (runs.offset + i * runs.stride), 0, runs.length);
    }
  };
  LayoutWalk<decltype(count)>(filetype->layout(), count).repeated(1, 0, 0, size);
  return bytes;
}

const char* file_type_problem(const Datatype& type, bool writes) {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  const char* problem = nullptr;
  auto check = [&](const Runs& runs) {
    const bool repeats = runs.count > 1;
    if (runs.offset < 0) problem = "has a negative displacement";
    if (runs.offset < begin || (repeats && runs.stride < 0)) {
      problem = "has displacements that fall";
    }
    if (writes && (runs.offset < end || (repeats && runs.stride < runs.length))) {
      problem = "overlaps itself, and the file may be written";
    }
    begin = runs.offset + (runs.count - 1) * runs.stride;
    end = begin + runs.length;
  };
  LayoutWalk<decltype(check)>(type.layout(), check).repeated(1, 0, 0, type.size());
  return problem;
}

}  // namespace heddle::mpi
