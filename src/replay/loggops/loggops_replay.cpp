#include "replay/loggops/loggops_replay.hpp"

#include "replay/engine/part_replay.hpp"
#include "replay/engine/threaded_replay.hpp"

namespace heddle::replay {

ReplayResult loggops_replay(const goal::Schedule& schedule, const ReplayOptions& options) {
  if (options.parameters.replay.loggopsim_2023) return single_queue_replay(schedule, options);
  if (options.threads > 1 && options.recorder == nullptr) return threaded_replay(schedule, options);
  return replay_alone(schedule, options);
}

}  // namespace heddle::replay
