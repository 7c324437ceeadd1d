// Libraries that a program opens at run time.
#include <dlfcn.h>

#include "host/hosted_program.hpp"
#include "host/libc/rank_call.hpp"

using namespace heddle::host;

extern "C" {

/// The program itself is the rank's copy, not the simulator. For others the C library looks who
/// calls, so that the call must be the last thing that happens here.
void* dlopen(const char* path, int flags) noexcept {
  if (path == nullptr && current_process() != nullptr)
    return current_process()->program().loaded(*current_rank()).handle();
  return HEDDLE_REAL(dlopen)(path, flags);
}
}
