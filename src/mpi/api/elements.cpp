// Calls that count what a message held.
#include "mpi/api/call.hpp"
#include "mpi/api/large.hpp"
#include "mpi/datatype/type_table.hpp"

namespace heddle::mpi::element_calls {
namespace {

std::int64_t bytes_of(const MPI_Status& status) {
  const std::int64_t high = static_cast<std::uint32_t>(status.count_hi_and_cancelled) >> 1;
  return (high << 32) | static_cast<std::uint32_t>(status.count_lo);
}
void set_bytes(MPI_Status& status, std::int64_t bytes) {
  status.count_lo = static_cast<int>(bytes & 0xffffffff);
  status.count_hi_and_cancelled =
      static_cast<int>((bytes >> 32) << 1) | (status.count_hi_and_cancelled & 1);
}

template <class Count>
int count(const char* name, const MPI_Status* status, MPI_Datatype handle, Count* count) {
  return call(name, [&](Process& process) {
    need(count, "count");
    const std::int64_t size = datatype(process, handle).size();
    const std::int64_t bytes = bytes_of(*status);
    if (bytes == 0) {
      *count = 0;
    } else {
      *count = size == 0 || bytes % size != 0 ? MPI_UNDEFINED : narrowed<Count>(bytes / size);
    }
  });
}

template <class Count>
int count_elements(const char* name, const MPI_Status* status, MPI_Datatype handle, Count* count) {
  return call(name, [&](Process& process) {
    need(count, "count");
    const Datatype& type = datatype(process, handle);
    const std::int64_t bytes = bytes_of(*status);
    const std::int64_t found = elements(type, bytes);
    const bool whole = bytes == bytes_of_elements(type, found);
    *count = whole ? narrowed<Count>(found) : MPI_UNDEFINED;
  });
}

int set_elements(const char* name, MPI_Status* status, MPI_Datatype handle, MPI_Count count) {
  return call(name, [&](Process& process) {
    const Datatype& type = datatype(process, handle);
    if (count < 0) {
      bad_argument(MPI_ERR_COUNT, "count", std::to_string(count) + ": accepted are 0 and more");
    }
    set_bytes(*status, bytes_of_elements(type, count));
  });
}

}  // namespace
}  // namespace heddle::mpi::element_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  return mpi::element_calls::count("MPI_Get_count", status, type, count);
}
int PMPI_Get_count_c(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  return mpi::element_calls::count("MPI_Get_count_c", status, type, count);
}
int PMPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count) {
  return mpi::element_calls::count_elements("MPI_Get_elements", status, type, count);
}
int PMPI_Get_elements_c(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  return mpi::element_calls::count_elements("MPI_Get_elements_c", status, type, count);
}
int PMPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  return mpi::element_calls::count_elements("MPI_Get_elements_x", status, type, count);
}
int PMPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) {
  return mpi::element_calls::set_elements("MPI_Status_set_elements", status, type, count);
}
int PMPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  return mpi::element_calls::set_elements("MPI_Status_set_elements_x", status, type, count);
}

}  // extern "C"
