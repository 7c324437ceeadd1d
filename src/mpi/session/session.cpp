#include "mpi/session/session.hpp"

namespace heddle::mpi {

bool world_initialised(const Process& process) {
  const Sessions* sessions = process.find_part<Sessions>();
  return process.phase != Phase::before && !(sessions != nullptr && sessions->without_init);
}

void join_sessions(Process& process) {
  Sessions* sessions = process.find_part<Sessions>();
  if (sessions != nullptr) sessions->without_init = false;
}

}  // namespace heddle::mpi
