#include "mpi/collectives/call_arguments.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "mpi/datatypes.hpp"
#include "mpi/error.hpp"
#include "mpi/op/op_table.hpp"

namespace heddle::mpi::collectives {
namespace {

void check_block(std::int64_t count, const Datatype& type, int rank, const char* argument) {
  if (count < 0) {
    bad_argument(MPI_ERR_COUNT, argument,
                 fmt::format("count {} of rank {} is negative", count, rank));
  }
  check_elements(count, type, argument);
}

}  // namespace

void check_root(const Communicator& comm, int root) {
  if (root >= 0 && root < comm.size()) return;
  bad_argument(MPI_ERR_ROOT, "root",
               fmt::format("{} is not a rank of {}: accepted are 0 to {}", root, comm.label(),
                           comm.size() - 1));
}

void check_inter_root(const Communicator& comm, int root) {
  if (root == MPI_ROOT || root == MPI_PROC_NULL) return;
  if (root >= 0 && root < comm.peers().size()) return;
  bad_argument(MPI_ERR_ROOT, "root",
               fmt::format("{} is not a rank of the remote group of {}: accepted are 0 to {}, "
                           "MPI_ROOT, MPI_PROC_NULL",
                           root, comm.label(), comm.peers().size() - 1));
}

void refuse_inter(const Communicator& comm) {
  bad_argument(MPI_ERR_COMM, "comm",
               comm.label() + " is an intercommunicator: an intracommunicator is accepted");
}
void refuse_in_place(const char* argument) {
  bad_argument(MPI_ERR_ARG, argument, "MPI_IN_PLACE is not accepted here");
}

void refuse_same(const Buffer& send, const Buffer& receive) {
  if (send.type == nullptr || receive.type == nullptr || send.address != receive.address) return;
  const bool begin_alike = send.type->true_bounds().lower == receive.type->true_bounds().lower;
  if (send.address == MPI_BOTTOM || !begin_alike || bytes(send) == 0 || bytes(receive) == 0) return;
  bad_argument(MPI_ERR_BUFFER, "recvbuf", "is sendbuf as well: give MPI_IN_PLACE for that");
}

Buffer data_of(Communicator& comm, const Given& given, const char* argument) {
  if (given.in_place()) refuse_in_place(argument);
  return buffer(comm.process(), given.address, given.count, given.type, argument);
}

Blocks blocks_of(Communicator& comm, const Given& given, const char* argument) {
  const Buffer one = data_of(comm, given, argument);
  const Wide members = std::max(comm.size(), comm.peers().size());
  check_elements(checked_size(members * one.count, MPI_ERR_COUNT), *one.type, argument);
  return Blocks::equal(one.address, one.count, *one.type);
}

Blocks blocks_of(Communicator& comm, const GivenBlocks& given, int members, const char* argument) {
  if (given.in_place()) refuse_in_place(argument);
  const Datatype& type = committed(comm.process(), given.type, argument);
  Wide all = 0;
  for (int i = 0; i < members; ++i) {
    check_block(given.counts[i], type, i, argument);
    const Wide place = Wide{given.displacements[i]} * type.extent();
    checked_size(place + Wide{given.counts[i]} * type.extent(), MPI_ERR_ARG);
    checked_size(place, MPI_ERR_ARG);
    all += Wide{given.counts[i]} * type.size();
  }
  checked_size(all, MPI_ERR_COUNT);
  return Blocks::scattered(const_cast<void*>(given.address), given.counts, given.displacements,
                           type);
}

MixedBlocks::MixedBlocks(Communicator& comm, const GivenMixed& given, int members,
                         const char* argument) {
  if (given.in_place()) refuse_in_place(argument);
  for (int i = 0; i < members; ++i) {
    types_.push_back(&committed(comm.process(), given.types[i], argument));
    check_block(given.counts[i], *types_.back(), i, argument);
    checked_size(given.displacements[i], MPI_ERR_ARG);
  }
  blocks_ = Blocks::mixed(const_cast<void*>(given.address), given.counts, given.displacements,
                          types_.data());
}

Reduction::Reduction(Communicator& comm, const GivenReduction& given, bool receives) {
  Process& process = comm.process();
  if (receives) {
    if (given.receive == MPI_IN_PLACE) refuse_in_place("recvbuf");
    result = buffer(process, given.receive, given.count, given.type, "recvbuf");
  }
  if (given.in_place()) {
    if (!receives) refuse_in_place("sendbuf");
    own = result;
  } else {
    own = buffer(process, given.send, given.count, given.type, "sendbuf");
  }
  if (!given.in_place()) refuse_same(own, result);
  type = own.type;
  op = &operation(process, given.op, *type);
}

}  // namespace heddle::mpi::collectives
