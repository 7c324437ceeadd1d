#include "host/rank/program.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace heddle::host {

/// Of this thread. A system call, because clock_gettime is the programs' simulated one.
Time Program::processor_time() const {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace heddle::host
