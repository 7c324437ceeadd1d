// What processes ask for, done as if their ranks had called it here.
#pragma once

#include <cstddef>

#include "processes/channel.hpp"

namespace heddle::processes {

/// Carries out the call of a slot, on the fiber of the rank's thread, and keeps its answer; false
/// if there is no such call, or its arguments are not complete.
bool serve(Slot& slot, std::byte* room);

}  // namespace heddle::processes
