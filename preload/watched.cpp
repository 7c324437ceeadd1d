// When a thread has not called for a while, the simulator sends it a signal. A loop whose registers
// are the same whenever it is seen changes nothing, so it waits: it calls from the handler, and
// goes on when something may have changed. Programs may have a use of their own for the signal.
#include "watched.hpp"

#include <errno.h>
#include <signal.h>

#include "connection.hpp"
#include "host/registers.hpp"
#include "host/sightings.hpp"

namespace heddle::preload {
namespace {

using heddle::host::Sightings;
using heddle::processes::kImpatient;
using heddle::processes::kLook;
using heddle::processes::kLookSignal;

struct Seen {
  Sightings now;            ///< Since the last call.
  Sightings before;         ///< Where it was last taken to wait.
  std::uint32_t calls = 0;  ///< At that time.
};
__attribute__((tls_model("initial-exec"))) thread_local Seen seen;

struct sigaction programs_own {};

void spin(void* place, bool anew) {
  const int saved = errno;
  call_or(0, CallNumber::spin, place, anew);
  errno = saved;
}

void look(void* context, bool impatient) {
  void* const place = heddle::host::instruction(context);
  const std::uint64_t registers = heddle::host::hash_of_registers(context);
  if (seen.before.has(place, registers)) return spin(place, false);
  if (seen.calls != calls_so_far()) {
    seen.calls = calls_so_far();
    seen.now.start_anew();
  }
  seen.now.see(place, registers);
  const bool waits = seen.now.waits();
  if (waits) seen.before = seen.now;
  if (waits || impatient) spin(place, waits);
}

void hand_on(int number, siginfo_t* info, void* context) {
  if ((programs_own.sa_flags & SA_SIGINFO) != 0) {
    programs_own.sa_sigaction(number, info, context);
  } else if (programs_own.sa_handler != SIG_DFL && programs_own.sa_handler != SIG_IGN) {
    programs_own.sa_handler(number);
  }
}

void on_look(int number, siginfo_t* info, void* context) {
  const int value = info->si_value.sival_int;
  const bool ours = info->si_code == SI_QUEUE && (value == kLook || value == kImpatient);
  if (!ours) return hand_on(number, info, context);
  if (in_own_code()) look(context, value == kImpatient);
}

}  // namespace

void be_watched() {
  struct sigaction action {};
  action.sa_sigaction = on_look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  HEDDLE_SYSTEM(sigaction)(kLookSignal, &action, &programs_own);
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (number != kLookSignal || !simulated()) return HEDDLE_SYSTEM(sigaction)(number, action, old);
  const struct sigaction before = programs_own;
  if (action != nullptr) programs_own = *action;
  if (old != nullptr) *old = before;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (number != kLookSignal || !simulated()) return HEDDLE_SYSTEM(signal)(number, handler);
  const sighandler_t before = programs_own.sa_handler;
  programs_own = {};
  programs_own.sa_handler = handler;
  return before;
}
}
