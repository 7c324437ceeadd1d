#include "own_signals.hpp"

#include <errno.h>

#include "connection.hpp"

namespace heddle::preload {
namespace {

/// What the program wants done with a signal of ours.
struct Owned {
  int number;
  bool ours;
  struct sigaction programs;
};
Owned owned[] = {{SIGURG, false, {}}, {SIGSEGV, false, {}}};

/// Null if it is not one of ours.
struct sigaction* programs_action(int number) {
  for (Owned& each : owned) {
    if (each.number == number && each.ours) return &each.programs;
  }
  return nullptr;
}

void do_as_usual(int number) {
  // A fault comes again as soon as the handler is left, and ends the process then.
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  if (number == SIGSEGV) HEDDLE_SYSTEM(sigaction)(number, &usual, nullptr);
}

}  // namespace

void own_signal(int number, SignalHandler handler, int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  for (Owned& each : owned) {
    if (each.number != number) continue;
    each.ours = true;
    HEDDLE_SYSTEM(sigaction)(number, &action, &each.programs);
  }
}

void hand_on(int number, siginfo_t* info, void* context) {
  const struct sigaction action = *programs_action(number);
  if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction(number, info, context);
  if (action.sa_handler == SIG_DFL) return do_as_usual(number);
  if (action.sa_handler != SIG_IGN) action.sa_handler(number);
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  struct sigaction* const own = programs_action(number);
  if (own == nullptr) return HEDDLE_SYSTEM(sigaction)(number, action, old);
  const struct sigaction before = *own;
  if (action != nullptr) *own = *action;
  if (old != nullptr) *old = before;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction* const own = programs_action(number);
  if (own == nullptr) return HEDDLE_SYSTEM(signal)(number, handler);
  const sighandler_t before = own->sa_handler;
  *own = {};
  own->sa_handler = handler;
  return before;
}
}
