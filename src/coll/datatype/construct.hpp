// How datatypes are made of others, as MPI_Type_... calls describe it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

/// Which calls made a datatype; its contents are given back in the same form.
enum class Form : std::uint8_t { plain, large };
using Numbers = std::span<const std::int64_t>;

// Arguments are right already: counts and lengths are not negative.

DatatypeRef make_contiguous(Form form, std::int64_t count, const Datatype& old);
/// `stride` in elements, or for hvector in bytes.
DatatypeRef make_vector(Form form, std::int64_t count, std::int64_t length, std::int64_t stride,
                        const Datatype& old);
DatatypeRef make_hvector(Form form, std::int64_t count, std::int64_t length, std::int64_t stride,
                         const Datatype& old);
/// `displacements` in elements, or for the h forms in bytes.
DatatypeRef make_indexed(Form form, Numbers lengths, Numbers displacements, const Datatype& old);
DatatypeRef make_hindexed(Form form, Numbers lengths, Numbers displacements, const Datatype& old);
DatatypeRef make_indexed_block(Form form, std::int64_t length, Numbers displacements,
                               const Datatype& old);
DatatypeRef make_hindexed_block(Form form, std::int64_t length, Numbers displacements,
                                const Datatype& old);
DatatypeRef make_struct(Form form, Numbers lengths, Numbers displacements,
                        std::span<const Datatype* const> types);
DatatypeRef make_resized(Form form, const Datatype& old, std::int64_t lower, std::int64_t extent);
DatatypeRef make_duplicate(const Datatype& old);
/// A type of MPI_Type_create_f90_...: like `old`, made by `combiner` from `arguments`.
DatatypeRef make_f90(int combiner, std::vector<int> arguments, const Datatype& old);

/// A box in an array.
struct Subarray {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> subsizes;
  std::vector<std::int64_t> starts;
  int order = 0;  ///< MPI_ORDER_C or MPI_ORDER_FORTRAN.
};
DatatypeRef make_subarray(Form form, const Subarray& box, const Datatype& old);

/// One process's share of an array that is distributed over a grid of them.
struct DistributedArray {
  int processes = 1;
  int rank = 0;
  std::vector<std::int64_t> sizes;
  std::vector<int> distributions;  ///< MPI_DISTRIBUTE_...
  std::vector<int> arguments;      ///< Their blocks, or MPI_DISTRIBUTE_DFLT_DARG.
  std::vector<int> grid;           ///< Processes per dimension.
  int order = 0;
};
DatatypeRef make_distributed_array(Form form, const DistributedArray& array, const Datatype& old);

}  // namespace heddle::coll
