// Libraries that a program opens at run time.
#include <dlfcn.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/program/hosted_program.hpp"

namespace heddle::host {
namespace {

/// The rank's own copy of a library, unless ranks share it.
std::optional<void*> own_library(const char* path, int flags) {
  Process* process = current_process();
  if (process == nullptr || process->program().privatization() == Privatization::none) {
    return std::nullopt;
  }
  return process->libraries().open(path, flags);
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

/// The program itself is the rank's copy, not the simulator. For libraries that ranks share the C
/// library looks who calls, so that the call must be the last thing that happens here.
void* dlopen(const char* path, int flags) noexcept {
  if (path == nullptr && current_process() != nullptr) {
    return current_process()->program().loaded(*current_rank()).handle();
  }
  if (path != nullptr) {
    if (const auto own = own_library(path, flags)) return *own;
  }
  return HEDDLE_REAL(dlopen)(path, flags);
}

/// What is the rank's own stays until its end.
int dlclose(void* handle) noexcept {
  Process* process = current_process();
  if (process != nullptr && (process->libraries().has(handle) ||
                             handle == process->program().loaded(*current_rank()).handle())) {
    return 0;
  }
  return HEDDLE_REAL(dlclose)(handle);
}
}
