// Ctrl-C while results are worth keeping.
#pragma once

#include <csignal>

#include "core/error.hpp"

namespace heddle::cli {

/// Somebody asked the program to end; what was done by then has been reported.
class Interrupted : public RunError {
 public:
  explicit Interrupted(int signal);
  /// What it was asked with, and should end with.
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// While it lives, the signals that ask a program to end wait until check() sees them, so that
/// nothing that is done is lost. One that it has not seen ends the program afterwards, and one that
/// it does not look for within seconds ends it at once. Processes that are started meanwhile hold
/// them, too, for the one that started them to end.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Throws Interrupted if one has come.
  void check();
  /// The one that check() saw, or 0.
  int seen() const { return seen_; }

 private:
  sigset_t held_;
  sigset_t before_;
  struct sigaction old_action_ {};
  int seen_ = 0;
};

}  // namespace heddle::cli
