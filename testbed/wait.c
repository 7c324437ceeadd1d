/* Loaded before programs of Open MPI where several ranks share a processor: after some looks for
 * messages in vain, further ones wait for up to a millisecond until something is there. Otherwise
 * ranks that only look take the processor from those that work, and from the network. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kPatience = 30 };
static int in_vain; /* Looks in a row. */

static int patient(int timeout) {
  return timeout == 0 && in_vain >= kPatience ? 1 : timeout;
}

static int seen(int count) {
  in_vain = count == 0 ? in_vain + 1 : 0;
  return count;
}

int poll(struct pollfd* files, nfds_t count, int timeout) {
  struct timespec time;
  timeout = patient(timeout);
  time.tv_sec = timeout / 1000;
  time.tv_nsec = timeout % 1000 * 1000000L;
  return seen((int)syscall(SYS_ppoll, files, count, timeout < 0 ? NULL : &time, NULL, _NSIG / 8));
}
