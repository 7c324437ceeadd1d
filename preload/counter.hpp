// The processor's counter, which counts simulated nanoseconds.
#pragma once

namespace heddle::preload {

/// From now on instructions that read the counter see simulated time, in this thread and those that
/// it starts.
void simulate_counter();
/// This thread reads the counter of the real machine.
void read_real_counter();

}  // namespace heddle::preload
