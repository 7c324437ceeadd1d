// What an observer is told of messages.
#pragma once

#include "nic/causes.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// A message's payload has crossed the bus, at its sender or its receiver; answers the cause of
/// what follows from that. There must be an observer.
Cause observe_payload(Causes& causes, const Message& message, Activity activity, Bytes size,
                      Time start, Time end);

/// What a message has been doing since it set out, until `now`.
ActivityRecord activity_on_wire(const Causes& causes, const Message& message, Time now,
                                bool failed);

}  // namespace heddle::nic
