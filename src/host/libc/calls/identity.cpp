// Who and where a process is.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "host/libc/calls/rank_call.hpp"
#include "host/program/hosted_program.hpp"

using namespace heddle::host;

namespace {

/// The file of the program that is running if `path` is the link that leads to it, else null.
const char* program_file(const char* path) {
  Process* process = current_process();
  const bool asked = process != nullptr && path != nullptr && in_simulator() &&
                     std::string_view(path) == "/proc/self/exe";
  return asked ? process->program().file().c_str() : nullptr;
}

}  // namespace

extern "C" {

ssize_t readlink(const char* path, char* text, size_t size) noexcept {
  return readlinkat(AT_FDCWD, path, text, size);
}

ssize_t readlinkat(int folder, const char* path, char* text, size_t size) noexcept {
  const char* file = program_file(path);
  if (file == nullptr) return HEDDLE_REAL(readlinkat)(folder, path, text, size);
  const std::size_t length = std::min(size, std::strlen(file));
  std::memcpy(text, file, length);  // NOLINT: as with readlink, no zero follows
  return static_cast<ssize_t>(length);
}

char* realpath(const char* path, char* text) noexcept {
  const char* file = program_file(path);
  return HEDDLE_REAL(realpath)(file == nullptr ? path : file, text);
}

int gethostname(char* name, size_t size) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(gethostname)(name, size);
  const std::string node = current_rank()->node_name();
  if (node.size() >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(name, node.c_str(), node.size() + 1);
  return 0;
}

int uname(utsname* result) noexcept {
  const int status = HEDDLE_REAL(uname)(result);
  if (current_process() != nullptr) gethostname(result->nodename, sizeof result->nodename);
  return status;
}

pid_t getpid() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(getpid)();
  return kFirstProcess + static_cast<pid_t>(current_rank()->id());
}

/// The launcher, on every node.
pid_t getppid() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(getppid)();
  return kFirstProcess - 1;
}
}
