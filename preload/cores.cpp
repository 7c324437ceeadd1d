// The cores that a rank finds: as many as the simulated node has for it.
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "connection.hpp"

namespace heddle::preload {
namespace {

int cores() {
  return static_cast<int>(circumstances().cores);
}

/// Leaves the first ones in a set that the kernel has filled.
void keep_first(size_t size, cpu_set_t* set) {
  int kept = 0;
  for (size_t core = 0; core < 8 * size; ++core) {
    if (!CPU_ISSET_S(core, size, set)) continue;
    if (kept == cores()) CPU_CLR_S(core, size, set);
    if (kept < cores()) ++kept;
  }
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

long sysconf(int name) noexcept {
  const bool asks_cores = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return asks_cores && simulated() ? cores() : HEDDLE_SYSTEM(sysconf)(name);
}

int get_nprocs() noexcept {
  return simulated() ? cores() : HEDDLE_SYSTEM(get_nprocs)();
}

int get_nprocs_conf() noexcept {
  return simulated() ? cores() : HEDDLE_SYSTEM(get_nprocs_conf)();
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) noexcept {
  // Of itself, by whichever number.
  const bool self = process == 0 || (simulated() && process == circumstances().process);
  const int status = HEDDLE_SYSTEM(sched_getaffinity)(self ? 0 : process, size, set);
  if (status == 0 && simulated()) keep_first(size, set);
  return status;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) noexcept {
  const int error = HEDDLE_SYSTEM(pthread_getaffinity_np)(thread, size, set);
  if (error == 0 && simulated()) keep_first(size, set);
  return error;
}
}
