// Threads that wait for something in their memory without a call, as the simulator finds them.
#pragma once

namespace heddle::preload {

/// From now on the simulator can ask where a thread is.
void be_watched();

}  // namespace heddle::preload
