// Signals and timers of one hosted process, in simulated time.
#pragma once

#include <signal.h>
#include <sys/time.h>

#include <cstdint>
#include <map>
#include <string>

#include "core/simulation.hpp"

namespace heddle::host {

class Rank;
struct Crash;

/// A set of signals, bit n-1 for signal n.
using SignalSet = std::uint64_t;
constexpr SignalSet signal_bit(int signal) {
  return SignalSet{1} << (signal - 1);
}
inline constexpr int kMaxSignal = 64;

/// What happens to a process when a signal comes, which ones wait, and the timer that sends
/// SIGALRM. Handlers run as ordinary calls on the rank's stack, when it gets to run after the
/// signal was sent.
class Signals {
 public:
  explicit Signals(Rank& rank);
  ~Signals();

  /// As sigaction(2), for signals that exist.
  void action(int signal, const struct sigaction* change, struct sigaction* old);
  /// Sends a signal to this process; a rank that waits or sleeps is interrupted.
  void send(int signal);
  /// Runs what is due for signals that have come and are not blocked; true if a handler ran.
  /// Called on the rank's fiber. A signal that ends the process does not return.
  bool deliver();
  /// Calls the handler of a real fault at once, in the signal's own context; false if there is
  /// none, or none that could run because there is no stack left for it. `crash` is what becomes
  /// of the rank without.
  bool call_handler(const Crash& crash, siginfo_t* info, void* context);
  /// The fault whose handler is running, or null: what has really happened to a process that ends
  /// itself by the same signal then.
  const Crash* fault() const { return fault_; }
  /// Whether a handler is running.
  bool handling() const { return handlers_ > 0; }
  /// The program jumps out of all handlers that are running; `restore`: and has the mask back that
  /// it had before.
  void abandon_handlers(bool restore);
  SignalSet blocked() const { return blocked_; }
  void block(SignalSet set) { blocked_ = set; }
  SignalSet pending() const { return pending_; }

  /// Sends SIGALRM after `first` (zero: never), then every `interval` (zero: once). Answers what
  /// the timer was set to before.
  struct Timer {
    Time first;
    Time interval;
  };
  Timer set_timer(Timer timer);
  Timer timer() const;

 private:
  void expire();
  bool handle(int signal);
  void call(int signal, const struct sigaction& action);
  /// Before and after a handler runs.
  void begin_handler();
  void end_handler() { handlers_ -= handlers_ > 0 ? 1 : 0; }

  Rank& rank_;
  std::map<int, struct sigaction> actions_;  ///< Where they are not the default.
  SignalSet blocked_ = 0;
  SignalSet pending_ = 0;
  std::uint32_t handlers_ = 0;     ///< How many are running, one in the other.
  SignalSet blocked_outside_ = 0;  ///< What was blocked before the outermost.
  const Crash* fault_ = nullptr;
  EventSource source_;
  Time due_;
  Time interval_;
  MemberEvent<Signals, &Signals::expire> expiry_{*this};
};

SignalSet signals_of(const sigset_t& set);
void fill(sigset_t& set, SignalSet signals);

}  // namespace heddle::host
