// `heddle replay` of traces: the calls of MPI made again on a machine.
#pragma once

#include <string>
#include <vector>

#include "cli/common.hpp"
#include "cli/recording.hpp"
#include "goal/schedule.hpp"

namespace heddle::cli {

/// Whether a path given to `heddle replay` is a trace, or a list or folder of them, rather than a
/// schedule.
bool names_traces(const std::string& path);

struct TraceReplay {
  std::string path;
  std::uint64_t seed = 1;
  bool fingerprint = false;
  std::string map = {};    ///< As platform::PlacementRequest has it.
  std::string nodes = {};  ///< The same.
  const goal::Schedule* schedule = nullptr;
  std::vector<std::string> again = {};  ///< Words of a command line that does the same.
};
/// Replays and prints; throws what reading, running and writing throw. With a schedule the ranks do
/// what that says, and the path is its name only.
void replay_traces(const Machine& machine, const TraceReplay& request, OutputOptions& output,
                   RecordingOptions& recording);

}  // namespace heddle::cli
