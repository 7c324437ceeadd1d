// Calls that make datatypes.
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/api/type_construct.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::type_construct {
namespace {

void check_count(const char* argument, std::int64_t count, int error_class = MPI_ERR_COUNT) {
  if (count < 0) {
    bad_argument(error_class, argument, std::to_string(count) + ": accepted are 0 and more");
  }
}
void check_lengths(Numbers lengths) {
  for (const std::int64_t length : lengths) {
    check_count("array_of_blocklengths", length, MPI_ERR_ARG);
  }
}
void check_array(const char* argument, const void* array, std::int64_t count) {
  if (array == nullptr && count > 0) bad_argument(MPI_ERR_ARG, argument, "is a null pointer");
}

void hand_out(Process& process, const DatatypeRef& type, MPI_Datatype* to) {
  need(to, "newtype");
  *to = process.part<TypeTable>().add(type);
}

}  // namespace

int contiguous(const CallForm& form, MPI_Count count, MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    hand_out(process, make_contiguous(form.counts, count, datatype(process, old, "oldtype")), made);
  });
}

int vector(const CallForm& form, MPI_Count count, MPI_Count length, MPI_Count stride,
           MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    hand_out(process,
             make_vector(form.counts, count, length, stride, datatype(process, old, "oldtype")),
             made);
  });
}

int hvector(const CallForm& form, MPI_Count count, MPI_Count length, MPI_Count stride,
            MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    hand_out(process,
             make_hvector(form.counts, count, length, stride, datatype(process, old, "oldtype")),
             made);
  });
}

namespace {

/// `make` is coll::make_indexed or coll::make_hindexed.
template <class Make>
int indexed_with(Make make, const CallForm& form, MPI_Count count, const Counts& lengths,
                 const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    check_array("array_of_blocklengths", lengths.list(), count);
    check_array("array_of_displacements", displacements.list(), count);
    const auto wide = lengths.widened(count);
    check_lengths(wide);
    hand_out(
        process,
        make(form.counts, wide, displacements.widened(count), datatype(process, old, "oldtype")),
        made);
  });
}

template <class Make>
int indexed_block_with(Make make, const CallForm& form, MPI_Count count, MPI_Count length,
                       const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    check_array("array_of_displacements", displacements.list(), count);
    hand_out(
        process,
        make(form.counts, length, displacements.widened(count), datatype(process, old, "oldtype")),
        made);
  });
}

}  // namespace

int indexed(const CallForm& form, MPI_Count count, const Counts& lengths,
            const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return indexed_with(coll::make_indexed, form, count, lengths, displacements, old, made);
}
int hindexed(const CallForm& form, MPI_Count count, const Counts& lengths,
             const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return indexed_with(coll::make_hindexed, form, count, lengths, displacements, old, made);
}
int indexed_block(const CallForm& form, MPI_Count count, MPI_Count length,
                  const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return indexed_block_with(coll::make_indexed_block, form, count, length, displacements, old,
                            made);
}
int hindexed_block(const CallForm& form, MPI_Count count, MPI_Count length,
                   const Counts& displacements, MPI_Datatype old, MPI_Datatype* made) {
  return indexed_block_with(coll::make_hindexed_block, form, count, length, displacements, old,
                            made);
}

int structure(const CallForm& form, MPI_Count count, const Counts& lengths,
              const Counts& displacements, const MPI_Datatype* types, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_count("count", count);
    check_array("array_of_blocklengths", lengths.list(), count);
    check_array("array_of_displacements", displacements.list(), count);
    check_array("array_of_types", types, count);
    const auto wide = lengths.widened(count);
    check_lengths(wide);
    std::vector<const Datatype*> parts;
    for (MPI_Count i = 0; i < count; ++i) {
      parts.push_back(&datatype(process, types[i], "array_of_types"));
    }
    hand_out(process, make_struct(form.counts, wide, displacements.widened(count), parts), made);
  });
}

namespace {

void check_order(int order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
    bad_argument(MPI_ERR_ARG, "order",
                 std::to_string(order) + ": accepted are MPI_ORDER_C and MPI_ORDER_FORTRAN");
  }
}
void check_dimensions(int dimensions) {
  if (dimensions < 1) {
    bad_argument(MPI_ERR_DIMS, "ndims", std::to_string(dimensions) + ": accepted are 1 and more");
  }
}
void check_box(const Subarray& box) {
  for (std::size_t i = 0; i < box.sizes.size(); ++i) {
    const std::int64_t size = box.sizes[i];
    const std::string of = " of dimension " + std::to_string(i) + ": accepted are ";
    if (size < 1) {
      bad_argument(MPI_ERR_ARG, "array_of_sizes", std::to_string(size) + of + "1 and more");
    }
    if (box.subsizes[i] < 1 || box.subsizes[i] > size) {
      bad_argument(MPI_ERR_ARG, "array_of_subsizes",
                   std::to_string(box.subsizes[i]) + of + "1 to " + std::to_string(size));
    }
    const std::int64_t last = size - box.subsizes[i];
    if (box.starts[i] < 0 || box.starts[i] > last) {
      bad_argument(MPI_ERR_ARG, "array_of_starts",
                   std::to_string(box.starts[i]) + of + "0 to " + std::to_string(last));
    }
  }
}

}  // namespace

int subarray(const CallForm& form, int dimensions, const Counts& sizes, const Counts& subsizes,
             const Counts& starts, int order, MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_dimensions(dimensions);
    check_array("array_of_sizes", sizes.list(), dimensions);
    check_array("array_of_subsizes", subsizes.list(), dimensions);
    check_array("array_of_starts", starts.list(), dimensions);
    check_order(order);
    const Subarray box{sizes.widened(dimensions), subsizes.widened(dimensions),
                       starts.widened(dimensions), order};
    check_box(box);
    hand_out(process, make_subarray(form.counts, box, datatype(process, old, "oldtype")), made);
  });
}

namespace {

void check_dimension(const DistributedArray& array, std::size_t i) {
  const std::string of = " of dimension " + std::to_string(i) + ": accepted are ";
  const int distribution = array.distributions[i];
  const int argument = array.arguments[i];
  if (array.sizes[i] < 1) {
    bad_argument(MPI_ERR_ARG, "array_of_gsizes",
                 std::to_string(array.sizes[i]) + of + "1 and more");
  }
  if (distribution < MPI_DISTRIBUTE_BLOCK || distribution > MPI_DISTRIBUTE_NONE) {
    bad_argument(MPI_ERR_ARG, "array_of_distribs",
                 std::to_string(distribution) + of +
                     "MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC and MPI_DISTRIBUTE_NONE");
  }
  if (argument < 1 && argument != MPI_DISTRIBUTE_DFLT_DARG) {
    bad_argument(MPI_ERR_ARG, "array_of_dargs",
                 std::to_string(argument) + of + "1 and more, MPI_DISTRIBUTE_DFLT_DARG");
  }
  if (array.grid[i] < 1 || (distribution == MPI_DISTRIBUTE_NONE && array.grid[i] != 1)) {
    bad_argument(MPI_ERR_ARG, "array_of_psizes",
                 std::to_string(array.grid[i]) + of +
                     (distribution == MPI_DISTRIBUTE_NONE ? "1" : "1 and more"));
  }
  if (distribution == MPI_DISTRIBUTE_BLOCK && argument != MPI_DISTRIBUTE_DFLT_DARG &&
      std::int64_t{argument} * array.grid[i] < array.sizes[i]) {
    bad_argument(MPI_ERR_ARG, "array_of_dargs",
                 std::to_string(argument) + of + "blocks that cover the array");
  }
}
void check_distribution(const DistributedArray& array) {
  check_order(array.order);
  std::int64_t product = 1;
  for (std::size_t i = 0; i < array.sizes.size(); ++i) {
    check_dimension(array, i);
    product *= array.grid[i];
  }
  if (product != array.processes) {
    bad_argument(MPI_ERR_ARG, "array_of_psizes",
                 "a grid of " + std::to_string(product) + " processes: accepted is one of " +
                     std::to_string(array.processes));
  }
  if (array.rank < 0 || array.rank >= array.processes) {
    bad_argument(
        MPI_ERR_RANK, "rank",
        std::to_string(array.rank) + ": accepted are 0 to " + std::to_string(array.processes - 1));
  }
}

}  // namespace

int darray(const CallForm& form, int size, int rank, int dimensions, const Counts& sizes,
           const int* distributions, const int* arguments, const int* grid, int order,
           MPI_Datatype old, MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    check_dimensions(dimensions);
    check_array("array_of_gsizes", sizes.list(), dimensions);
    check_array("array_of_distribs", distributions, dimensions);
    check_array("array_of_dargs", arguments, dimensions);
    check_array("array_of_psizes", grid, dimensions);
    const DistributedArray array{size,
                                 rank,
                                 sizes.widened(dimensions),
                                 {distributions, distributions + dimensions},
                                 {arguments, arguments + dimensions},
                                 {grid, grid + dimensions},
                                 order};
    check_distribution(array);
    hand_out(process, make_distributed_array(form.counts, array, datatype(process, old, "oldtype")),
             made);
  });
}

int resized(const CallForm& form, MPI_Datatype old, MPI_Count lower, MPI_Count extent,
            MPI_Datatype* made) {
  return call(form.name, [&](Process& process) {
    hand_out(process, make_resized(form.counts, datatype(process, old, "oldtype"), lower, extent),
             made);
  });
}

}  // namespace heddle::mpi::type_construct
