#include "cli/held_signals.hpp"

#include <string.h>

#include <ctime>
#include <string>

namespace heddle::cli {
namespace {

std::string name_of(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
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
}

HeldSignals::~HeldSignals() {
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
