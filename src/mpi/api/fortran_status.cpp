// Statuses in the forms of Fortran's interfaces, all of which have one layout.
#include <mpi.h>

#include <cstring>

static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));
static_assert(sizeof(MPI_Status) == sizeof(MPI_F08_status));

namespace {

int copy_status(const void* from, void* to) {
  std::memcpy(to, from, sizeof(MPI_Status));
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

int PMPI_Status_c2f(const MPI_Status* from, MPI_Fint to[]) {
  return from == MPI_STATUS_IGNORE ? MPI_ERR_ARG : copy_status(from, to);
}
int PMPI_Status_f2c(const MPI_Fint from[], MPI_Status* to) {
  return copy_status(from, to);
}
int PMPI_Status_c2f08(const MPI_Status* from, MPI_F08_status* to) {
  return from == MPI_STATUS_IGNORE ? MPI_ERR_ARG : copy_status(from, to);
}
int PMPI_Status_f082c(const MPI_F08_status* from, MPI_Status* to) {
  return copy_status(from, to);
}
int PMPI_Status_f082f(const MPI_F08_status* from, MPI_Fint to[]) {
  return copy_status(from, to);
}
int PMPI_Status_f2f08(const MPI_Fint from[], MPI_F08_status* to) {
  return copy_status(from, to);
}

int PMPIX_Query_cuda_support(void) {
  return 0;
}

}  // extern "C"
