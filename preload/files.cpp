// Waiting for files to become ready, for so long in simulated time.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "connection.hpp"
#include "timer_files.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

template <class Look>
int look_until(std::int64_t ns, Look look) {
  return look_for_files(
      ns, [](void* argument) { return (*static_cast<Look*>(argument))(); }, &look);
}

std::int64_t from_ms(int timeout) {
  return timeout < 0 ? -1 : timeout * std::int64_t{1'000'000};
}

/// Has a mask of signals while it looks.
class Masked {
 public:
  explicit Masked(const sigset_t* mask) : masked_(mask != nullptr) {
    if (masked_) pthread_sigmask(SIG_SETMASK, mask, &before_);
  }
  ~Masked() {
    if (masked_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Masked(const Masked&) = delete;
  Masked& operator=(const Masked&) = delete;

 private:
  bool masked_;
  sigset_t before_{};
};

int select_until(std::int64_t ns, int count, fd_set* reads, fd_set* writes, fd_set* exceptions) {
  const auto copy = [](const fd_set* set) { return set == nullptr ? fd_set{} : *set; };
  const fd_set wanted[] = {copy(reads), copy(writes), copy(exceptions)};
  return look_until(ns, [&] {
    if (reads != nullptr) *reads = wanted[0];
    if (writes != nullptr) *writes = wanted[1];
    if (exceptions != nullptr) *exceptions = wanted[2];
    timeval none{};
    return HEDDLE_SYSTEM(select)(count, reads, writes, exceptions, &none);
  });
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int poll(pollfd* files, nfds_t count, int timeout) {
  if (!simulated() || timeout == 0) return HEDDLE_SYSTEM(poll)(files, count, timeout);
  return look_until(from_ms(timeout), [&] { return HEDDLE_SYSTEM(poll)(files, count, 0); });
}

int ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (!simulated()) return HEDDLE_SYSTEM(ppoll)(files, count, timeout, mask);
  const Masked masked(mask);
  return look_until(timeout == nullptr ? -1 : as_ns(*timeout),
                    [&] { return HEDDLE_SYSTEM(poll)(files, count, 0); });
}

// What programs call that were compiled with -D_FORTIFY_SOURCE.
int __poll_chk(pollfd* files, nfds_t count, int timeout, size_t room) {
  if (count > room / sizeof *files) abort();
  return poll(files, count, timeout);
}

int __ppoll_chk(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask,
                size_t room) {
  if (count > room / sizeof *files) abort();
  return ppoll(files, count, timeout, mask);
}

int select(int count, fd_set* reads, fd_set* writes, fd_set* exceptions, timeval* timeout) {
  if (!simulated()) return HEDDLE_SYSTEM(select)(count, reads, writes, exceptions, timeout);
  return select_until(timeout == nullptr ? -1 : as_ns(*timeout), count, reads, writes, exceptions);
}

int pselect(int count, fd_set* reads, fd_set* writes, fd_set* exceptions, const timespec* timeout,
            const sigset_t* mask) {
  if (!simulated()) return HEDDLE_SYSTEM(pselect)(count, reads, writes, exceptions, timeout, mask);
  const Masked masked(mask);
  return select_until(timeout == nullptr ? -1 : as_ns(*timeout), count, reads, writes, exceptions);
}

int epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
  if (!simulated() || timeout == 0) return HEDDLE_SYSTEM(epoll_wait)(epoll, events, count, timeout);
  return look_until(from_ms(timeout),
                    [&] { return HEDDLE_SYSTEM(epoll_wait)(epoll, events, count, 0); });
}

int epoll_pwait(int epoll, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  if (!simulated()) return HEDDLE_SYSTEM(epoll_pwait)(epoll, events, count, timeout, mask);
  const Masked masked(mask);
  return epoll_wait(epoll, events, count, timeout);
}

/// Timers that are files are waited for in simulated time.
ssize_t read(int file, void* to, size_t size) {
  if (is_timer(file) && simulated() && !is_nonblocking(file)) {
    pollfd ready{file, POLLIN, 0};
    if (poll(&ready, 1, -1) < 0) return -1;
  }
  return HEDDLE_SYSTEM(read)(file, to, size);
}

ssize_t __read_chk(int file, void* to, size_t size, size_t room) {
  if (size > room) abort();
  return read(file, to, size);
}
}
