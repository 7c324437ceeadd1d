#include <fmt/format.h>

#include "core/fiber.hpp"
#include "host/rank.hpp"

namespace heddle::mpi {

/// Answers a call that nothing implements (the file made by bindings/generate.py): ends the run.
[[noreturn]] void call_is_missing(const char* name);

void call_is_missing(const char* name) {
  const host::Rank* rank = host::current_rank();
  const auto number = rank == nullptr ? 0 : static_cast<std::uint32_t>(rank->id());
  throw FiberFailure(fmt::format("rank {}: {} is not supported yet", number, name));
}

}  // namespace heddle::mpi
