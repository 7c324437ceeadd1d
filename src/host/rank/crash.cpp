#include "host/rank/crash.hpp"

#include <fmt/core.h>
#include <signal.h>

#include "core/units.hpp"
#include "host/rank/place_name.hpp"
#include "host/rank/signal_name.hpp"

namespace heddle::host {
namespace {

volatile sig_atomic_t stop = 0;

std::string story(const Crash& crash) {
  switch (crash.cause) {
    case Crash::Cause::overflow:
      return "has overflowed its stack: give ranks more";
    case Crash::Cause::hang:
      return fmt::format("has computed for more than {} of processor time without a call{}",
                         format_time(crash.limit),
                         crash.place == nullptr ? "" : ", in " + place_name(crash.place));
    case Crash::Cause::signal:
      return "was ended by " + signal_name(crash.signal);
    case Crash::Cause::process:
      return "crashed with " + signal_name(crash.signal);
    case Crash::Cause::stopped:
    case Crash::Cause::fault:
      break;
  }
  std::string text = "crashed with " + signal_name(crash.signal);
  if (crash.signal == SIGSEGV || crash.signal == SIGBUS) {
    text += fmt::format(" at address {}", crash.address);
  }
  if (crash.place != nullptr) text += ", in " + place_name(crash.place);
  if (crash.caller != nullptr) text += ", called from " + place_name(crash.caller);
  return text;
}

}  // namespace

CrashError::CrashError(const std::string& who, const Crash& crash)
    : FiberFailure(who + " " + story(crash)),
      cause_(crash.cause),
      status_(crash.cause == Crash::Cause::hang || crash.cause == Crash::Cause::overflow
                  ? 1
                  : 128 + crash.signal) {}

AbortError::AbortError(const std::string& who, const char* call, int status)
    : FiberFailure(fmt::format("{} ended the job with {}({})", who, call, status)),
      status_(status & 0xff) {}

AbortError::AbortError(const std::string& problem, int status)
    : FiberFailure(problem), status_(status & 0xff) {}

StopError::StopError(Time now, int signal)
    : FiberFailure(
          fmt::format("the run was ended by {} at {}", signal_name(signal), format_time(now))),
      signal_(signal) {}

int stop_signal() {
  return stop;
}

void set_stop_signal(int signal) {
  stop = signal;
}

}  // namespace heddle::host
