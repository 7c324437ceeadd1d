#include "mpi/p2p/engine.hpp"

namespace heddle::mpi {

struct Engine::State {};
Engine::~Engine() = default;

}  // namespace heddle::mpi
