#include "traces/trace.hpp"

#include <array>

namespace heddle::traces {

std::string_view name_of(CallKind kind) {
  static constexpr std::array<std::string_view, 28> kNames = {
      "send",           "receive",   "sendrecv",   "start",        "wait",
      "waitany",        "waitsome",  "test",       "request_free", "cancel",
      "barrier",        "bcast",     "reduce",     "allreduce",    "gather",
      "scatter",        "allgather", "alltoall",   "scan",         "exscan",
      "reduce_scatter", "comm_dup",  "comm_split", "comm_create",  "comm_create_group",
      "finalize",       "put",       "see"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace heddle::traces
