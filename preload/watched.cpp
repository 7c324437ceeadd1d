// When a thread has not called for a while, the simulator sends it a signal. A loop whose registers
// are the same whenever it is seen changes nothing, so it waits: it calls from the handler, and
// goes on when something may have changed. Programs may have a use of their own for the signal.
#include "watched.hpp"

#include <errno.h>
#include <signal.h>

#include "connection.hpp"
#include "host/rank/registers.hpp"
#include "host/rank/sightings.hpp"
#include "own_signals.hpp"

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

void on_look(int number, siginfo_t* info, void* context) {
  const int value = info->si_value.sival_int;
  const bool ours = info->si_code == SI_QUEUE && (value == kLook || value == kImpatient);
  if (!ours) return hand_on(number, info, context);
  if (in_own_code()) look(context, value == kImpatient);
}

}  // namespace

void be_watched() {
  own_signal(kLookSignal, on_look, SA_RESTART);
}

}  // namespace heddle::preload
