// Calls that make datatypes, whatever their form: counts of both sizes as large ones.
#pragma once

#include "coll/datatype/construct.hpp"
#include "mpi/api/large.hpp"

namespace heddle::mpi::type_construct {

/// What the program has called.
struct CallForm {
  const char* name;
  coll::Form counts;
};

int contiguous(const CallForm& form, MPI_Count count, MPI_Datatype old, MPI_Datatype* made);
int vector(const CallForm& form, MPI_Count count, MPI_Count length, MPI_Count stride,
           MPI_Datatype old, MPI_Datatype* made);
int hvector(const CallForm& form, MPI_Count count, MPI_Count length, MPI_Count stride,
            MPI_Datatype old, MPI_Datatype* made);
int indexed(const CallForm& form, MPI_Count count, const Counts& lengths,
            const Counts& displacements, MPI_Datatype old, MPI_Datatype* made);
int hindexed(const CallForm& form, MPI_Count count, const Counts& lengths,
             const Counts& displacements, MPI_Datatype old, MPI_Datatype* made);
int indexed_block(const CallForm& form, MPI_Count count, MPI_Count length,
                  const Counts& displacements, MPI_Datatype old, MPI_Datatype* made);
int hindexed_block(const CallForm& form, MPI_Count count, MPI_Count length,
                   const Counts& displacements, MPI_Datatype old, MPI_Datatype* made);
int structure(const CallForm& form, MPI_Count count, const Counts& lengths,
              const Counts& displacements, const MPI_Datatype* types, MPI_Datatype* made);
int subarray(const CallForm& form, int dimensions, const Counts& sizes, const Counts& subsizes,
             const Counts& starts, int order, MPI_Datatype old, MPI_Datatype* made);
int darray(const CallForm& form, int size, int rank, int dimensions, const Counts& sizes,
           const int* distributions, const int* arguments, const int* grid, int order,
           MPI_Datatype old, MPI_Datatype* made);
int resized(const CallForm& form, MPI_Datatype old, MPI_Count lower, MPI_Count extent,
            MPI_Datatype* made);

}  // namespace heddle::mpi::type_construct
