// Timers that are files (timerfd).
#pragma once

namespace heddle::preload {

/// Whether a file is, or once was, a timer.
bool is_timer(int file);
/// Whether reading a file never waits.
bool is_nonblocking(int file);

}  // namespace heddle::preload
