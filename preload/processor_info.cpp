// /proc/cpuinfo of a processor whose counter counts simulated nanoseconds. Libraries divide what
// they read from the counter by the frequency that they find there.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "connection.hpp"

namespace heddle::preload {
namespace {

bool is_simulated_info(const char* path) {
  return path != nullptr && strcmp(path, "/proc/cpuinfo") == 0 && simulated() &&
         circumstances().counts;
}

/// A line of the real file, as it would be at 1 GHz.
void copy_line(int to, const char* line) {
  const char* const value = strchr(line, ':');
  const char* const rated = strstr(line, " @ ");
  if (value != nullptr && strncmp(line, "cpu MHz", 7) == 0) {
    dprintf(to, "%.*s: 1000.000\n", static_cast<int>(value - line), line);
  } else if (value != nullptr && strncmp(line, "bogomips", 8) == 0) {
    // Two for each turn of the kernel's loop.
    dprintf(to, "%.*s: 2000.00\n", static_cast<int>(value - line), line);
  } else if (rated != nullptr && strncmp(line, "model name", 10) == 0) {
    dprintf(to, "%.*s @ 1.00GHz\n", static_cast<int>(rated - line), line);
  } else {
    dprintf(to, "%s", line);
  }
}

/// The file to be read; -1 if it cannot be made.
int simulated_info(unsigned flags) {
  const int file = memfd_create("cpuinfo", flags);
  FILE* const real = file < 0 ? nullptr : HEDDLE_SYSTEM(fopen)("/proc/cpuinfo", "re");
  if (real == nullptr) return file;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, real) >= 0) copy_line(file, line);
  free(line);
  fclose(real);
  lseek(file, 0, SEEK_SET);
  return file;
}

/// fopen(3), by the system's own function where the file is another.
template <class Real>
FILE* open_stream(const char* path, const char* mode, Real real) {
  if (!is_simulated_info(path)) return real(path, mode);
  const int file = simulated_info(strchr(mode, 'e') == nullptr ? 0 : MFD_CLOEXEC);
  return file < 0 ? nullptr : fdopen(file, "r");
}

/// open(2), likewise.
template <class Real>
int open_file(const char* path, int flags, mode_t mode, Real real) {
  if (!is_simulated_info(path)) return real(path, flags, mode);
  return simulated_info((flags & O_CLOEXEC) == 0 ? 0 : MFD_CLOEXEC);
}

/// The third argument of open(2), where there is one.
mode_t mode_of(int flags, va_list rest) {
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return creates ? va_arg(rest, mode_t) : 0;
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

FILE* fopen(const char* path, const char* mode) {
  return open_stream(path, mode, HEDDLE_SYSTEM(fopen));
}

FILE* fopen64(const char* path, const char* mode) {
  return open_stream(path, mode, HEDDLE_SYSTEM(fopen64));
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_file(path, flags, mode, HEDDLE_SYSTEM(open));
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_file(path, flags, mode, HEDDLE_SYSTEM(open64));
}
}
