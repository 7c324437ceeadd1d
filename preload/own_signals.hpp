// Signals that this library has handlers for. Programs may have theirs, too: those get what is not
// ours.
#pragma once

#include <signal.h>

namespace heddle::preload {

using SignalHandler = void (*)(int number, siginfo_t* info, void* context);

/// From now on `handler` gets the signal first. For SIGURG and SIGSEGV.
void own_signal(int number, SignalHandler handler, int flags);
/// Does with a signal what the program wants.
void hand_on(int number, siginfo_t* info, void* context);

}  // namespace heddle::preload
