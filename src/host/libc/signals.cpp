#include "host/libc/signals.hpp"

#include <bit>
#include <cstring>

#include "host/rank/crash.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {
namespace {

bool ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

}  // namespace

Signals::Signals(Rank& rank) : rank_(rank), source_(rank.job().simulation().new_source()) {}

Signals::~Signals() {
  rank_.job().simulation().cancel(expiry_);
}

void Signals::action(int signal, const struct sigaction* change, struct sigaction* old) {
  const auto it = actions_.find(signal);
  if (old != nullptr) {
    if (it != actions_.end()) {
      *old = it->second;
    } else {
      std::memset(old, 0, sizeof *old);
    }
  }
  if (change != nullptr) actions_[signal] = *change;
}

void Signals::send(int signal) {
  pending_ |= signal_bit(signal);
  if ((signal_bit(signal) & ~blocked_) != 0) rank_.threads().first().waits().interrupt();
}

bool Signals::deliver() {
  bool handled = false;
  while (const SignalSet due = pending_ & ~blocked_) {
    const int signal = std::countr_zero(due) + 1;
    pending_ &= ~signal_bit(signal);
    handled |= handle(signal);
  }
  return handled;
}

bool Signals::handle(int signal) {
  const auto it = actions_.find(signal);
  const bool is_default = it == actions_.end() || it->second.sa_handler == SIG_DFL;
  if (is_default && !ignored_by_default(signal)) rank_.process()->kill(signal);
  if (is_default || it->second.sa_handler == SIG_IGN) return false;
  const struct sigaction action = it->second;
  call(signal, action);
  return true;
}

void Signals::begin_handler() {
  if (handlers_++ == 0) blocked_outside_ = blocked_;
}

void Signals::abandon_handlers(bool restore) {
  handlers_ = 0;
  fault_ = nullptr;
  if (restore) blocked_ = blocked_outside_;
}

void Signals::call(int signal, const struct sigaction& action) {
  const SignalSet blocked_before = blocked_;
  begin_handler();
  blocked_ |= signals_of(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) blocked_ |= signal_bit(signal);
  if ((action.sa_flags & SA_RESETHAND) != 0) actions_.erase(signal);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    siginfo_t info{};
    info.si_signo = signal;
    action.sa_sigaction(signal, &info, nullptr);
  } else {
    action.sa_handler(signal);
  }
  end_handler();
  blocked_ = blocked_before;
}

bool Signals::call_handler(const Crash& crash, siginfo_t* info, void* context) {
  const auto it = actions_.find(crash.signal);
  if (it == actions_.end()) return false;
  const struct sigaction action = it->second;
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return false;
  if (crash.cause == Crash::Cause::overflow && (action.sa_flags & SA_ONSTACK) == 0) return false;
  begin_handler();
  fault_ = &crash;
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(crash.signal, info, context);
  } else {
    action.sa_handler(crash.signal);
  }
  fault_ = nullptr;
  end_handler();
  return true;
}

Signals::Timer Signals::timer() const {
  if (!expiry_.scheduled()) return {};
  return {due_ - rank_.now(), interval_};
}

Signals::Timer Signals::set_timer(Timer timer) {
  const Timer before = this->timer();
  Simulation& simulation = rank_.job().simulation();
  simulation.cancel(expiry_);
  interval_ = timer.interval;
  if (timer.first > Time::zero()) {
    due_ = rank_.now() + timer.first;
    simulation.schedule(expiry_, due_, source_, kProgram);
  }
  return before;
}

void Signals::expire() {
  if (interval_ > Time::zero()) {
    due_ += interval_;
    rank_.job().simulation().schedule(expiry_, due_, source_, kProgram);
  }
  send(SIGALRM);
}

SignalSet signals_of(const sigset_t& set) {
  SignalSet bits = 0;
  for (int s = 1; s <= kMaxSignal; ++s) {
    if (sigismember(&set, s) == 1) bits |= signal_bit(s);
  }
  return bits;
}

void fill(sigset_t& set, SignalSet signals) {
  sigemptyset(&set);
  for (int s = 1; s <= kMaxSignal; ++s) {
    if ((signals & signal_bit(s)) != 0) sigaddset(&set, s);
  }
}

}  // namespace heddle::host
