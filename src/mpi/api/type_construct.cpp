// Calls that make datatypes.
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/api/large.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::type_construct {
namespace {

template <class Count>
constexpr Form kForm = sizeof(Count) == sizeof(int) ? Form::plain : Form::large;

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
template <class Array>
void check_array(const char* argument, const Array* array, std::int64_t count) {
  if (array == nullptr && count > 0) bad_argument(MPI_ERR_ARG, argument, "is a null pointer");
}

void hand_out(Process& process, const DatatypeRef& type, MPI_Datatype* to) {
  need(to, "newtype");
  *to = process.part<TypeTable>().add(type);
}

template <class Count>
int contiguous(const char* name, Count count, MPI_Datatype old, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    hand_out(process, make_contiguous(kForm<Count>, count, datatype(process, old, "oldtype")),
             made);
  });
}

template <class Count>
int vector(const char* name, Count count, Count length, Count stride, MPI_Datatype old,
           MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    hand_out(process,
             make_vector(kForm<Count>, count, length, stride, datatype(process, old, "oldtype")),
             made);
  });
}

template <class Count>
int hvector(const char* name, Count count, Count length, std::int64_t stride, MPI_Datatype old,
            MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    hand_out(process,
             make_hvector(kForm<Count>, count, length, stride, datatype(process, old, "oldtype")),
             made);
  });
}

/// `make` is make_indexed or make_hindexed.
template <class Count, class Displacement, class Make>
int indexed(const char* name, Make make, Count count, const Count* lengths,
            const Displacement* displacements, MPI_Datatype old, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    check_array("array_of_blocklengths", lengths, count);
    check_array("array_of_displacements", displacements, count);
    const auto wide = widened(lengths, count);
    check_lengths(wide);
    hand_out(
        process,
        make(kForm<Count>, wide, widened(displacements, count), datatype(process, old, "oldtype")),
        made);
  });
}

template <class Count, class Displacement, class Make>
int indexed_block(const char* name, Make make, Count count, Count length,
                  const Displacement* displacements, MPI_Datatype old, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    check_count("blocklength", length, MPI_ERR_ARG);
    check_array("array_of_displacements", displacements, count);
    hand_out(process,
             make(kForm<Count>, std::int64_t{length}, widened(displacements, count),
                  datatype(process, old, "oldtype")),
             made);
  });
}

template <class Count, class Displacement>
int structure(const char* name, Count count, const Count* lengths,
              const Displacement* displacements, const MPI_Datatype* types, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_count("count", count);
    check_array("array_of_blocklengths", lengths, count);
    check_array("array_of_displacements", displacements, count);
    check_array("array_of_types", types, count);
    const auto wide = widened(lengths, count);
    check_lengths(wide);
    std::vector<const Datatype*> parts;
    for (Count i = 0; i < count; ++i) {
      parts.push_back(&datatype(process, types[i], "array_of_types"));
    }
    hand_out(process, make_struct(kForm<Count>, wide, widened(displacements, count), parts), made);
  });
}

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

template <class Count>
int subarray(const char* name, int dimensions, const Count* sizes, const Count* subsizes,
             const Count* starts, int order, MPI_Datatype old, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_dimensions(dimensions);
    check_array("array_of_sizes", sizes, dimensions);
    check_array("array_of_subsizes", subsizes, dimensions);
    check_array("array_of_starts", starts, dimensions);
    check_order(order);
    const Subarray box{widened(sizes, dimensions), widened(subsizes, dimensions),
                       widened(starts, dimensions), order};
    check_box(box);
    hand_out(process, make_subarray(kForm<Count>, box, datatype(process, old, "oldtype")), made);
  });
}

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

template <class Count>
int distributed_array(const char* name, int size, int rank, int dimensions, const Count* sizes,
                      const int* distributions, const int* arguments, const int* grid, int order,
                      MPI_Datatype old, MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    check_dimensions(dimensions);
    check_array("array_of_gsizes", sizes, dimensions);
    check_array("array_of_distribs", distributions, dimensions);
    check_array("array_of_dargs", arguments, dimensions);
    check_array("array_of_psizes", grid, dimensions);
    const DistributedArray array{size,
                                 rank,
                                 widened(sizes, dimensions),
                                 {distributions, distributions + dimensions},
                                 {arguments, arguments + dimensions},
                                 {grid, grid + dimensions},
                                 order};
    check_distribution(array);
    hand_out(process,
             make_distributed_array(kForm<Count>, array, datatype(process, old, "oldtype")), made);
  });
}

template <class Count>
int resized(const char* name, Form form, MPI_Datatype old, Count lower, Count extent,
            MPI_Datatype* made) {
  return call(name, [&](Process& process) {
    hand_out(process, make_resized(form, datatype(process, old, "oldtype"), lower, extent), made);
  });
}

}  // namespace
}  // namespace heddle::mpi::type_construct

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::contiguous("MPI_Type_contiguous", count, oldtype, newtype);
}
int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::contiguous("MPI_Type_contiguous_c", count, oldtype, newtype);
}

int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype* newtype) {
  return mpi::type_construct::vector("MPI_Type_vector", count, blocklength, stride, oldtype,
                                     newtype);
}
int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                       MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::vector("MPI_Type_vector_c", count, blocklength, stride, oldtype,
                                     newtype);
}

int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  return mpi::type_construct::hvector("MPI_Type_create_hvector", count, blocklength, stride,
                                      oldtype, newtype);
}
int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                               MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::hvector("MPI_Type_create_hvector_c", count, blocklength, stride,
                                      oldtype, newtype);
}
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                      MPI_Datatype* newtype) {
  return mpi::type_construct::hvector("MPI_Type_hvector", count, blocklength, stride, oldtype,
                                      newtype);
}

int PMPI_Type_indexed(int count, const int array_of_blocklengths[],
                      const int array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype* newtype) {
  return mpi::type_construct::indexed("MPI_Type_indexed", coll::make_indexed, count,
                                      array_of_blocklengths, array_of_displacements, oldtype,
                                      newtype);
}
int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                        const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                        MPI_Datatype* newtype) {
  return mpi::type_construct::indexed("MPI_Type_indexed_c", coll::make_indexed, count,
                                      array_of_blocklengths, array_of_displacements, oldtype,
                                      newtype);
}
int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[],
                              const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return mpi::type_construct::indexed("MPI_Type_create_hindexed", coll::make_hindexed, count,
                                      array_of_blocklengths, array_of_displacements, oldtype,
                                      newtype);
}
int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                MPI_Datatype* newtype) {
  return mpi::type_construct::indexed("MPI_Type_create_hindexed_c", coll::make_hindexed, count,
                                      array_of_blocklengths, array_of_displacements, oldtype,
                                      newtype);
}
int PMPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                       MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::indexed("MPI_Type_hindexed", coll::make_hindexed, count,
                                      static_cast<const int*>(array_of_blocklengths),
                                      static_cast<const MPI_Aint*>(array_of_displacements), oldtype,
                                      newtype);
}

int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[],
                                   MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::indexed_block("MPI_Type_create_indexed_block",
                                            coll::make_indexed_block, count, blocklength,
                                            array_of_displacements, oldtype, newtype);
}
int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
                                     const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                     MPI_Datatype* newtype) {
  return mpi::type_construct::indexed_block("MPI_Type_create_indexed_block_c",
                                            coll::make_indexed_block, count, blocklength,
                                            array_of_displacements, oldtype, newtype);
}
int PMPI_Type_create_hindexed_block(int count, int blocklength,
                                    const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype* newtype) {
  return mpi::type_construct::indexed_block("MPI_Type_create_hindexed_block",
                                            coll::make_hindexed_block, count, blocklength,
                                            array_of_displacements, oldtype, newtype);
}
int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                      const MPI_Count array_of_displacements[],
                                      MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::type_construct::indexed_block("MPI_Type_create_hindexed_block_c",
                                            coll::make_hindexed_block, count, blocklength,
                                            array_of_displacements, oldtype, newtype);
}

int PMPI_Type_create_struct(int count, const int array_of_blocklengths[],
                            const MPI_Aint array_of_displacements[],
                            const MPI_Datatype array_of_types[], MPI_Datatype* newtype) {
  return mpi::type_construct::structure("MPI_Type_create_struct", count, array_of_blocklengths,
                                        array_of_displacements, array_of_types, newtype);
}
int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                              const MPI_Count array_of_displacements[],
                              const MPI_Datatype array_of_types[], MPI_Datatype* newtype) {
  return mpi::type_construct::structure("MPI_Type_create_struct_c", count, array_of_blocklengths,
                                        array_of_displacements, array_of_types, newtype);
}
int PMPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                     MPI_Datatype array_of_types[], MPI_Datatype* newtype) {
  return mpi::type_construct::structure(
      "MPI_Type_struct", count, static_cast<const int*>(array_of_blocklengths),
      static_cast<const MPI_Aint*>(array_of_displacements), array_of_types, newtype);
}

int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                              const int array_of_starts[], int order, MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return mpi::type_construct::subarray("MPI_Type_create_subarray", ndims, array_of_sizes,
                                       array_of_subsizes, array_of_starts, order, oldtype, newtype);
}
int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[],
                                const MPI_Count array_of_subsizes[],
                                const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                                MPI_Datatype* newtype) {
  return mpi::type_construct::subarray("MPI_Type_create_subarray_c", ndims, array_of_sizes,
                                       array_of_subsizes, array_of_starts, order, oldtype, newtype);
}

int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[],
                            const int array_of_distribs[], const int array_of_dargs[],
                            const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype* newtype) {
  return mpi::type_construct::distributed_array("MPI_Type_create_darray", size, rank, ndims,
                                                array_of_gsizes, array_of_distribs, array_of_dargs,
                                                array_of_psizes, order, oldtype, newtype);
}
int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                              const int array_of_distribs[], const int array_of_dargs[],
                              const int array_of_psizes[], int order, MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return mpi::type_construct::distributed_array("MPI_Type_create_darray_c", size, rank, ndims,
                                                array_of_gsizes, array_of_distribs, array_of_dargs,
                                                array_of_psizes, order, oldtype, newtype);
}

int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                             MPI_Datatype* newtype) {
  return mpi::type_construct::resized("MPI_Type_create_resized", mpi::Form::plain, oldtype, lb,
                                      extent, newtype);
}
int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
                               MPI_Datatype* newtype) {
  return mpi::type_construct::resized("MPI_Type_create_resized_c", mpi::Form::large, oldtype, lb,
                                      extent, newtype);
}

}  // extern "C"
