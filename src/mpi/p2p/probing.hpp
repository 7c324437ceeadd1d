// Looking for messages without receiving them.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// A probe of the running rank; throws Error for arguments that cannot be. A null message stands
/// for what MPI_PROC_NULL sends.
class Probe {
 public:
  Probe(Process& process, int source, int tag, MPI_Comm comm);
  /// Waits for a message.
  Message* wait() const;
  /// Lets time pass if there is none.
  std::optional<Message*> look() const;

 private:
  std::optional<Message*> find() const;
  Process& process_;
  Communicator& communicator_;
  int source_;
  int tag_;
};

Outcome outcome_of(const Message* message);

/// A message that a matched probe has taken, and where it came.
struct Extracted {
  Message* message = nullptr;
  CommunicatorRef communicator;
};
/// Takes a found message, and answers its handle.
MPI_Message extracted(Process& process, Message* message, MPI_Comm comm);
/// The message of a handle, which becomes MPI_MESSAGE_NULL; throws Error.
Extracted take_extracted(Process& process, MPI_Message* handle);
PointCall receive_call(Process& process, const Extracted& taken, void* buffer, MPI_Count count,
                       MPI_Datatype type);

}  // namespace heddle::mpi
