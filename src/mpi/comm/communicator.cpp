#include "mpi/comm/communicator.hpp"

#include <fmt/core.h>
#include <mpi.h>

namespace heddle::mpi {

Communicator::Communicator(Process& process, int handle, CommunicatorDataRef data)
    : process_(process),
      data_(std::move(data)),
      correspondent_{data_->remote ? data_->remote.get() : data_->group.get(),
                     data_->group->rank(process.id())},
      handle_(handle) {}
Communicator::~Communicator() = default;

std::string Communicator::label() const {
  if (!name.empty()) return name;
  if (handle_ == MPI_COMM_WORLD) return "MPI_COMM_WORLD";
  if (handle_ == MPI_COMM_SELF) return "MPI_COMM_SELF";
  return fmt::format("communicator {} ({} ranks)", data_->number, size());
}

}  // namespace heddle::mpi
