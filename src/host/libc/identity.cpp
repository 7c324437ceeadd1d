// Who and where a process is.
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>

#include "host/libc/rank_call.hpp"

using namespace heddle::host;

extern "C" {

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
