// Who and where a process is, and the threads that it starts.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "connection.hpp"

namespace heddle::preload {
namespace {

/// Whether code belongs to a launcher's library, whose threads talk to the real machine.
bool is_service(const void* caller) {
  Dl_info info{};
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
  for (const char* name : {"libopen-pal", "libopen-rte", "libpmix", "libevent", "libprrte"}) {
    if (strstr(info.dli_fname, name) != nullptr) return true;
  }
  return false;
}

/// A slot for a thread that is to be started. Those of threads that have ended are free as soon as
/// the simulator has had time for them.
std::uint32_t slot_for_thread() {
  const std::uint32_t slot = take_slot();
  if (slot != heddle::processes::kSlots) return slot;
  call_or(0, CallNumber::wait_for_others, std::int64_t{0});
  return take_slot();
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int gethostname(char* name, size_t size) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(gethostname)(name, size);
  const char* node = circumstances().host_name;
  if (strlen(node) >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(name, node);
  return 0;
}

/// What programs call that were compiled with -D_FORTIFY_SOURCE.
int __gethostname_chk(char* name, size_t size, size_t room) noexcept {
  if (size > room) abort();
  return gethostname(name, size);
}

int uname(utsname* result) noexcept {
  const int status = HEDDLE_SYSTEM(uname)(result);
  if (simulated()) gethostname(result->nodename, sizeof result->nodename);
  return status;
}

pid_t getpid() noexcept {
  return simulated() ? circumstances().process : HEDDLE_SYSTEM(getpid)();
}

int kill(pid_t process, int signal) noexcept {
  const bool self = simulated() && process == circumstances().process;
  return HEDDLE_SYSTEM(kill)(self ? HEDDLE_SYSTEM(getpid)() : process, signal);
}

/// A thread is known to the simulator before it runs, so that nothing is simulated meanwhile.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  const auto real = HEDDLE_SYSTEM(pthread_create);
  if (!simulated()) return real(thread, attributes, function, argument);
  auto* started = static_cast<StartedThread*>(malloc(sizeof(StartedThread)));
  if (started == nullptr) return EAGAIN;
  const bool service = is_service(__builtin_return_address(0));
  const std::uint32_t slot = service ? heddle::processes::kSlots : slot_for_thread();
  *started = {function, argument, service, slot};
  const int error = real(thread, attributes, begin_thread, started);
  if (error != 0) {
    if (slot != heddle::processes::kSlots) free_slot(slot);
    free(started);
  }
  return error;
}
}
