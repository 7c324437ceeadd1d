// Jumps. Those out of signal handlers leave calls of ours behind that never return.
#include <setjmp.h>

#include "host/libc/calls/rank_call.hpp"

namespace heddle::host {
namespace {

/// A jump from inside a handler is taken for one out of all of them: that is what it is for. One
/// that stays inside costs nothing but an early look at what the interrupted call waits for.
void before_jump(const __jmp_buf_tag* place) {
  Process* process = current_process();
  if (process == nullptr || !process->handles_signal()) return;
  process->signals().abandon_handlers(place->__mask_was_saved != 0);
  Rank& rank = *current_rank();
  rank.thread().calls().abandon();
  rank.extensions().calls_abandoned();
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

// The C library declares that jumps throw nothing. GCC lets us say otherwise; clang, which only
// checks the sources here, does not.
#ifdef __clang__
#define HEDDLE_MAY_THROW
#else
#define HEDDLE_MAY_THROW noexcept(false)
#endif

extern "C" {

void __longjmp_chk(__jmp_buf_tag* place, int value) HEDDLE_MAY_THROW;

void siglongjmp(sigjmp_buf place, int value) HEDDLE_MAY_THROW {
  before_jump(place);
  HEDDLE_REAL(siglongjmp)(place, value);
  __builtin_unreachable();
}

void longjmp(jmp_buf place, int value) HEDDLE_MAY_THROW {
  before_jump(place);
  HEDDLE_REAL(longjmp)(place, value);
  __builtin_unreachable();
}

void _longjmp(jmp_buf place, int value) HEDDLE_MAY_THROW {
  before_jump(place);
  HEDDLE_REAL(_longjmp)(place, value);
  __builtin_unreachable();
}

/// What the others are where the compiler checks more.
void __longjmp_chk(__jmp_buf_tag* place, int value) HEDDLE_MAY_THROW {
  before_jump(place);
  HEDDLE_REAL(__longjmp_chk)(place, value);
}
}
