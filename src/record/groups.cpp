#include "record/groups.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace heddle::record {

bool is_collective(const std::string& name) {
  static constexpr std::string_view kWords[] = {
      "barrier", "bcast",       "broadcast",   "reduce",     "gather",    "alltoall",
      "scatter", "scan",        "comm_create", "comm_split", "comm_dup",  "comm_idup",
      "collect", "cart_create", "sync_all",    "team_sync",  "shmem_sync"};
  // What one rank does alone, or some of a communicator's.
  static constexpr std::string_view kOthers[] = {"reduce_local", "errhandler", "keyval",
                                                 "create_group", "from_group"};
  std::string lower = name;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  return std::any_of(std::begin(kWords), std::end(kWords), has) &&
         std::none_of(std::begin(kOthers), std::end(kOthers), has);
}

}  // namespace heddle::record
