#include <fmt/core.h>

#include <cstdlib>

#include "host/rank/rank.hpp"

namespace heddle::mpi {

/// Answers a call that nothing implements (the file made by bindings/generate.py): ends the run.
[[noreturn]] void call_is_missing(const char* name);

void call_is_missing(const char* name) {
  host::Rank* rank = host::current_rank();
  if (rank == nullptr) std::abort();  // Programs run as ranks.
  const auto number = static_cast<std::uint32_t>(rank->id());
  rank->ending().fail_job(fmt::format("rank {}: {} is not supported yet", number, name));
}

}  // namespace heddle::mpi
