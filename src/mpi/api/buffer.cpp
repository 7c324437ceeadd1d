// The buffer of buffered sends, and memory.
#include <cstdlib>

#include "mpi/api/call.hpp"
#include "mpi/call_log.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/objects/info.hpp"

namespace heddle::mpi {
namespace {

/// Messages of the attached buffer that nobody has received.
class WaitsForBuffer final : public Blocked {
 public:
  std::string text() const override {
    return "waits in MPI_Buffer_detach for buffered messages to be received";
  }
};

std::int64_t detach(Process& process, void* address) {
  BsendBuffer& buffer = process.part<BsendBuffer>();
  process.settle();
  const Time begin = process.now();
  process.wait_until([&] { return buffer.used == 0; }, WaitsForBuffer());
  if (CallLog* log = process.world().call_log()) log->stays(process, process.now() - begin);
  *static_cast<void**>(address) = std::exchange(buffer.address, nullptr);
  return std::exchange(buffer.size, 0);
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Buffer_attach(void* buffer, int size) {
  return call("MPI_Buffer_attach",
              [&](Process& process) { process.part<BsendBuffer>().attach(buffer, size); });
}

int PMPI_Buffer_attach_c(void* buffer, MPI_Count size) {
  return call("MPI_Buffer_attach_c",
              [&](Process& process) { process.part<BsendBuffer>().attach(buffer, size); });
}

int PMPI_Buffer_detach(void* buffer_addr, int* size) {
  return call("MPI_Buffer_detach", [&](Process& process) {
    need(size, "size");
    *size = static_cast<int>(detach(process, buffer_addr));
  });
}

int PMPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size) {
  return call("MPI_Buffer_detach_c", [&](Process& process) {
    need(size, "size");
    *size = detach(process, buffer_addr);
  });
}

int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  return call("MPI_Alloc_mem", [&](Process& process) {
    if (size < 0) bad_argument(MPI_ERR_ARG, "size", "it is negative");
    const std::size_t alignment =
        info == MPI_INFO_NULL ? 0 : heddle::mpi::wanted_alignment(info_copy(process, info));
    void* memory = heddle::mpi::aligned_memory(alignment, static_cast<std::size_t>(size) + 1);
    if (memory == nullptr) throw Error{MPI_ERR_NO_MEM, "there is not enough memory"};
    *static_cast<void**>(baseptr) = memory;
  });
}

int PMPI_Free_mem(void* base) {
  return call("MPI_Free_mem", [&](Process&) { std::free(base); });
}

}  // extern "C"
