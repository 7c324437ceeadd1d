// What a rank cannot do: become two processes or another program; and how many cores it finds.
// Children that the C library starts (system, popen, posix_spawn) and those of vfork are real
// processes.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "host/libc/calls/rank_call.hpp"

namespace heddle::host {
namespace {

/// Says so, the first time.
void tell(bool& told, const char* sentence) {
  if (!told) fprintf(stderr, "heddle: %s\n", sentence);
  told = true;
}

bool may_replace() {
  if (current_process() == nullptr || !in_simulator()) return true;
  static bool told = false;
  tell(told, "ranks cannot execute another program in their place");
  errno = ENOSYS;
  return false;
}

/// The arguments of a list that ends with a null pointer.
std::vector<char*> words(const char* first, va_list rest) {
  std::vector<char*> all{const_cast<char*>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(rest, char*));
  return all;
}

/// As many as it may compute on at a time.
int cores() {
  return static_cast<int>(current_rank()->job().processors().cores().per_rank());
}

bool fill_affinity(size_t size, cpu_set_t* set) {
  if (size < sizeof(unsigned long)) return false;
  std::memset(set, 0, size);
  for (size_t i = 0; i < static_cast<size_t>(cores()) && i < size * 8; ++i) CPU_SET_S(i, size, set);
  return true;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

/// The child would be a second simulator.
pid_t fork() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(fork)();
  static bool told = false;
  tell(told, "ranks cannot fork; system, popen and posix_spawn work");
  errno = ENOSYS;
  return -1;
}

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  return may_replace() ? HEDDLE_REAL(execve)(path, arguments, environment) : -1;
}

int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
  return may_replace() ? HEDDLE_REAL(fexecve)(file, arguments, environment) : -1;
}

int execv(const char* path, char* const* arguments) noexcept {
  return may_replace() ? HEDDLE_REAL(execv)(path, arguments) : -1;
}

int execvp(const char* file, char* const* arguments) noexcept {
  return may_replace() ? HEDDLE_REAL(execvp)(file, arguments) : -1;
}

int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  return may_replace() ? HEDDLE_REAL(execvpe)(file, arguments, environment) : -1;
}

int execl(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = words(first, rest);
  va_end(rest);
  return execv(path, arguments.data());
}

int execlp(const char* file, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = words(first, rest);
  va_end(rest);
  return execvp(file, arguments.data());
}

int execle(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = words(first, rest);
  char* const* environment = va_arg(rest, char* const*);
  va_end(rest);
  return execve(path, arguments.data(), environment);
}

long sysconf(int name) noexcept {
  const bool asks = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return asks && current_process() != nullptr ? cores() : HEDDLE_REAL(sysconf)(name);
}

int get_nprocs() noexcept {
  return current_process() != nullptr ? cores() : HEDDLE_REAL(get_nprocs)();
}

int get_nprocs_conf() noexcept {
  return current_process() != nullptr ? cores() : HEDDLE_REAL(get_nprocs_conf)();
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(sched_getaffinity)(process, size, set);
  if (fill_affinity(size, set)) return 0;
  errno = EINVAL;
  return -1;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_getaffinity_np)(thread, size, set);
  return fill_affinity(size, set) ? 0 : EINVAL;
}

/// Threads run where the simulated node lets them.
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  return current_process() != nullptr ? 0 : HEDDLE_REAL(sched_setaffinity)(process, size, set);
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) noexcept {
  return current_process() != nullptr ? 0 : HEDDLE_REAL(pthread_setaffinity_np)(thread, size, set);
}
}
