#include "cli/held_signals.hpp"

#include <string.h>
#include <sys/time.h>

#include <ctime>
#include <string>

namespace heddle::cli {
namespace {

std::string name_of(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

/// Seconds.
constexpr int kPatience = 5;

/// A held signal that was there at the last look, too, ends the program: nobody has looked for it
/// in the time between.
void on_look(int) {
  static volatile sig_atomic_t waiting = 0;
  sigset_t pending;
  sigpending(&pending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (sigismember(&pending, signal) != 1) continue;
    if (waiting != signal) {
      waiting = signal;
      return;
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
  }
  waiting = 0;
}

void look_every(int seconds) {
  const itimerval interval{{seconds, 0}, {seconds, 0}};
  setitimer(ITIMER_REAL, &interval, nullptr);
}

}  // namespace

Interrupted::Interrupted(int signal)
    : RunError("the run was ended by " + name_of(signal)), signal_(signal) {}

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    // What is ignored, as in a job of nohup, stays so.
    if (action.sa_handler != SIG_IGN) sigaddset(&held_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &held_, &before_);
  struct sigaction action {};
  action.sa_handler = on_look;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &old_action_);
  look_every(kPatience);
}

HeldSignals::~HeldSignals() {
  look_every(0);
  sigaction(SIGALRM, &old_action_, nullptr);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void HeldSignals::check() {
  const timespec at_once{};
  const int signal = sigtimedwait(&held_, nullptr, &at_once);
  if (signal <= 0) return;
  seen_ = signal;
  throw Interrupted(signal);
}

}  // namespace heddle::cli
