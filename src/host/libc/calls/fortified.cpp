// What programs that were compiled with -D_FORTIFY_SOURCE call in the place of functions that are
// ours: those that know how large the memory is that they are given.
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/libc/calls/rank_call.hpp"

extern "C" {

[[noreturn]] void __chk_fail();
int __gethostname_chk(char* name, size_t size, size_t room);
int __poll_chk(pollfd* files, nfds_t count, int milliseconds, size_t room);
int __ppoll_chk(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask,
                size_t room);
ssize_t __read_chk(int file, void* text, size_t size, size_t room);
ssize_t __readlink_chk(const char* path, char* text, size_t size, size_t room);
ssize_t __readlinkat_chk(int folder, const char* path, char* text, size_t size, size_t room);
char* __realpath_chk(const char* path, char* text, size_t room);
int __vdprintf_chk(int file, int flag, const char* format, va_list arguments);
int __dprintf_chk(int file, int flag, const char* format, ...);

int __gethostname_chk(char* name, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return gethostname(name, size);
}

int __poll_chk(pollfd* files, nfds_t count, int milliseconds, size_t room) {
  if (count > room / sizeof *files) __chk_fail();
  return poll(files, count, milliseconds);
}

int __ppoll_chk(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask,
                size_t room) {
  if (count > room / sizeof *files) __chk_fail();
  return ppoll(files, count, timeout, mask);
}

ssize_t __read_chk(int file, void* text, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return read(file, text, size);
}

ssize_t __readlink_chk(const char* path, char* text, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return readlink(path, text, size);
}

ssize_t __readlinkat_chk(int folder, const char* path, char* text, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return readlinkat(folder, path, text, size);
}

char* __realpath_chk(const char* path, char* text, size_t) {
  return realpath(path, text);
}

int __vdprintf_chk(int file, int, const char* format, va_list arguments) {
  return vdprintf(file, format, arguments);
}

int __dprintf_chk(int file, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = vdprintf(file, format, arguments);
  va_end(arguments);
  return size;
}
}
