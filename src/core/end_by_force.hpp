// An end of the process that nothing in it can put off.
#pragma once

#include "core/time.hpp"

namespace heddle {

/// What end_by_force() needs, once; the process has no other use for SIGALRM afterwards. Not for
/// handlers of signals.
void prepare_end_by_force();
/// The process ends by `signal` after `grace` of real time, whatever it does then, unless it has
/// ended by itself. For handlers of signals that ask it to end, too. The last word counts.
void end_by_force(int signal, Time grace);
/// It does not.
void forgo_end_by_force();

}  // namespace heddle
