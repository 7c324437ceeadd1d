#include "mpi/p2p/barrier.hpp"

#include <mpi.h>

#include "mpi/engine/engine.hpp"

namespace heddle::mpi {

/// By dissemination: in step k everybody tells the one 2^k further on.
void wait_for_all(Communicator& communicator, const Blocked& reason) {
  Process& process = communicator.process();
  Engine& engine = engine_of(process);
  const Channel channel = communicator.channel(Traffic::window);
  const Buffer nothing{nullptr, 0, Datatype::predefined(MPI_BYTE)};
  const int size = communicator.size();
  for (int step = 1; step < size; step *= 2) {
    Countdown both(process);
    both.add();
    both.add();
    engine.receive(process, channel, (communicator.rank() - step + size) % size, step, nothing,
                   both);
    engine.send(process, channel, (communicator.rank() + step) % size, step, nothing,
                SendMode::standard, both);
    process.wait_until([&] { return both.done(); }, reason);
    engine.observers().tell([&](MessageObserver& one) { one.sees_end(process, both); });
  }
}

}  // namespace heddle::mpi
