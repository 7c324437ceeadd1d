/* Counts the messages of Open MPI over Portals: its component mtl/portals4 begins each, short or
 * long, with one put that is to be acknowledged. (Puts without that are of its protocol, as the
 * answer to a synchronous send.) A program that is linked with this, and shows its symbols
 * (-rdynamic), is asked for PtlPut before the library. Arguments are passed on unseen: all ten are
 * whole numbers or pointers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

static uint64_t messages;
uint64_t wrapped_messages(void) {
  return messages;
}

int PtlPut(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
  static int (*put)(long, long, long, long, long, long, long, long, long, long);
  if (!put) *(void**)&put = dlsym(RTLD_NEXT, "PtlPut");
  enum { kAcknowledged = 0 }; /* PTL_ACK_REQ */
  messages += (int)d == kAcknowledged;
  return put(a, b, c, d, e, f, g, h, i, j);
}
