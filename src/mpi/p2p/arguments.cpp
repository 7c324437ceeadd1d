#include "mpi/p2p/arguments.hpp"

#include <fmt/core.h>

#include "mpi/datatype/type_table.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi {
namespace {

[[noreturn]] void bad_rank(const Communicator& communicator, const char* argument, int rank,
                           const char* more) {
  bad_argument(MPI_ERR_RANK, argument,
               fmt::format("{} is not a rank of {}: accepted are 0 to {}, {}", rank,
                           communicator.label(), communicator.peers().size() - 1, more));
}

[[noreturn]] void bad_tag(int tag, const char* more) {
  bad_argument(MPI_ERR_TAG, "tag",
               fmt::format("{} is no tag: accepted are 0 to {}{}", tag, kLargestTag, more));
}

}  // namespace

PointCall send_arguments(Process& process, const void* buffer, MPI_Count count, MPI_Datatype type,
                         int dest, int tag, MPI_Comm comm) {
  Communicator& found = communicator(process, comm);
  const Buffer data = mpi::buffer(process, buffer, count, type);
  if ((dest < 0 || dest >= found.peers().size()) && dest != MPI_PROC_NULL) {
    bad_rank(found, "dest", dest, "MPI_PROC_NULL");
  }
  if (tag < 0) bad_tag(tag, "");
  return {&found, data.type, data.address, data.count, dest, tag};
}

PointCall receive_arguments(Process& process, void* buffer, MPI_Count count, MPI_Datatype type,
                            int source, int tag, MPI_Comm comm) {
  Communicator& found = communicator(process, comm);
  const Buffer data = mpi::buffer(process, buffer, count, type);
  check_source_and_tag(found, source, tag);
  return {&found, data.type, data.address, data.count, source, tag};
}

void check_source_and_tag(const Communicator& communicator, int source, int tag) {
  if ((source < 0 || source >= communicator.peers().size()) && source != MPI_PROC_NULL &&
      source != MPI_ANY_SOURCE) {
    bad_rank(communicator, "source", source, "MPI_PROC_NULL, MPI_ANY_SOURCE");
  }
  if (tag < 0 && tag != MPI_ANY_TAG) bad_tag(tag, ", MPI_ANY_TAG");
}

void fill_status(MPI_Status& status, const Outcome& outcome) {
  status.MPI_SOURCE = outcome.source;
  status.MPI_TAG = outcome.tag;
  const auto bytes = static_cast<std::uint64_t>(outcome.bytes);
  status.count_lo = static_cast<int>(static_cast<std::uint32_t>(bytes));
  status.count_hi_and_cancelled =
      static_cast<int>((bytes >> 32) << 1) | static_cast<int>(outcome.cancelled);
}

void set_status_with_error(MPI_Status* status, const Outcome& outcome) {
  if (status == MPI_STATUS_IGNORE) return;
  fill_status(*status, outcome);
  status->MPI_ERROR = outcome.error;
}

}  // namespace heddle::mpi
