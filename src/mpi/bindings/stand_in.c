/* What the library that programs are linked against has beside the calls themselves. */
#include <mpi.h>

int MPIR_Dup_fn(MPI_Comm comm, int keyval, void* extra_state, void* value, void* copy, int* flag) {
  (void)comm;
  (void)keyval;
  (void)extra_state;
  *(void**)copy = value;
  *flag = 1;
  return MPI_SUCCESS;
}

/* Libraries that were compiled with another header of this ABI look for these as variables. */
int* const heddle_unweighted __asm__("MPI_UNWEIGHTED") = MPI_UNWEIGHTED;
int* const heddle_weights_empty __asm__("MPI_WEIGHTS_EMPTY") = MPI_WEIGHTS_EMPTY;
const MPI_T_pvar_handle heddle_pvar_all_handles __asm__("MPI_T_PVAR_ALL_HANDLES") =
    MPI_T_PVAR_ALL_HANDLES;
