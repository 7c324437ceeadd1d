// The replay of a schedule over the LogGOPS model.
//
// A send occupies its processor for o + (s-1) O and its adapter for g + (s-1) G; the first byte is
// at the receiver o + L after the send began. There the message needs processor and adapter: it
// occupies them for o + (s-1) max(O, G) and g + (s-1) G, whether a receive was posted or not. A
// receive itself costs nothing. An eager send ends with its processor time, a larger one when its
// message is matched; a receive ends when its message was handled, a calc after its duration.
//
// Operations that wait for the same processor or adapter are served in the order they became ready,
// messages in the order they were sent. Simultaneous events happen in the order they were caused.
#pragma once

#include "goal/schedule.hpp"
#include "replay/options.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// Replays the schedule; throws StallError if operations are left that can never happen.
ReplayResult loggops_replay(const goal::Schedule& schedule, const ReplayOptions& options);

/// The same by one queue of all events, entered again and again until their resource is free:
/// simple, slow, and the only way to keep the accidents of LogGOPSim 2023 (parameter
/// loggopsim_2023): successors on another processor start too early, messages use the sender's
/// processor number, 0 bytes cost less than nothing, and simultaneous operations are shuffled.
ReplayResult single_queue_replay(const goal::Schedule& schedule, const ReplayOptions& options);

}  // namespace heddle::replay
