// A replay whose ranks are shared among threads.
#pragma once

#include "replay/engine/parts.hpp"
#include "replay/engine/shared_networks.hpp"
#include "replay/options.hpp"

namespace heddle::replay {

/// A message arrives o + L after its send began, so within a window of that length no thread can
/// disturb another. After each window the threads join what happened in the order of one queue,
/// which decides the order of simultaneous events: results are those of one thread, bit by bit.
ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options);

/// The same over a fabric, whose links are shared, too: the window is what the cables between the
/// threads' parts of it take.
ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, const SharedFabric& fabric);

/// The same over a packet network.
ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, SharedPackets& packets);

}  // namespace heddle::replay
