// The process of a rank that runs a loaded program, as ranks see it.
#pragma once

#include <cstddef>

namespace heddle::host {

class OwnStreams;

/// What a rank has of its own in the C library. Ranks keep it and say when its turn is; what is in
/// it only those know that stand in front of that library.
class HostedProcess {
 public:
  virtual ~HostedProcess() = default;

  /// So much of it, from its beginning, is needed for every turn of its rank.
  static constexpr std::size_t kTurn = 128;

  /// Puts the process's variables where the C library has them, and takes them away again.
  virtual void enter() = 0;
  virtual void leave() = 0;
  /// Its rank's code has stopped for a while: takes over what that has written.
  virtual void paused() = 0;
  /// Whether its output is being written; asked by handlers of signals, too.
  virtual bool writing() const = 0;
  /// Writes what the rank has written of a line that it has not ended.
  virtual void flush_lines() = 0;

  /// As exit(3): handlers, then destructors, then the end. Nothing is unwound.
  [[noreturn]] virtual void exit(int status) = 0;
  /// As by a signal: ends the whole run, with an error that names the rank.
  [[noreturn]] virtual void kill(int signal) = 0;
  /// What it has of its own of the standard streams.
  virtual OwnStreams& streams() = 0;

  /// Whether the program has anything to do with signals, or somebody has sent it one.
  bool uses_signals() const { return uses_signals_; }
  /// Runs handlers of signals that have come; true if any ran.
  bool handle_signals() { return uses_signals_ && deliver_signals(); }

 protected:
  void use_signals() { uses_signals_ = true; }
  virtual bool deliver_signals() = 0;

 private:
  bool uses_signals_ = false;
};

}  // namespace heddle::host
