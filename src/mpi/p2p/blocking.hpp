// What a process that waits can say of it: for reports of deadlocks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// Waits for one operation of a call of the running rank.
void wait(Process& process, Signal& signal, const PointCall& call, bool sends);
/// Waits until `enough` of the requests (null ones and inactive ones do not count) are complete; at
/// once if fewer are not.
void wait(Process& process, std::span<Request* const> requests, std::int64_t enough);

/// Bytes of a message that nobody copies aside again: what MPI_Send does.
void blocking_send(Process& process, const PointCall& call, SendMode mode);
Outcome blocking_receive(Process& process, const PointCall& call);

}  // namespace heddle::mpi
