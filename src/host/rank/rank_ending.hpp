// The end of a rank.
#pragma once

#include <string>

#include "host/rank/crash.hpp"

namespace heddle::host {

class Rank;

/// How one rank ends. Unless it comes back from its program, the fiber on which it ends goes no
/// further, and what is on the stack of that is not destroyed.
class RankEnding {
 public:
  explicit RankEnding(Rank& rank) : rank_(rank) {}
  RankEnding(const RankEnding&) = delete;
  RankEnding& operator=(const RankEnding&) = delete;

  /// It has come back from its program with this status.
  void finish(int status);
  /// Ends the rank.
  [[noreturn]] void exit(int status);
  /// Ends the rank, in a handler of a signal perhaps, and with it the run.
  [[noreturn]] void crash(const Crash& crash);
  /// Ends the rank and the whole job with this status: the run ends with an AbortError that names
  /// `call`, which must be a literal.
  [[noreturn]] void abort_job(const char* call, int status);
  /// The same for a call that went wrong, with what is to be said of it and status 1.
  [[noreturn]] void fail_job(std::string problem);
  /// Whether one of its threads has ended it.
  bool over() const { return over_ || crashed_; }

  /// The thread that ended the rank is gone: says what went wrong, if anything did, or gives back
  /// what is left of the rank. From the event loop.
  void complete();

 private:
  [[noreturn]] void end_with(const char* call, int status, std::string problem);
  void note_end();
  [[noreturn]] void stop();
  /// The rank, and where it runs.
  std::string who() const;
  /// Throws if the rank crashed, or aborted the job.
  void check() const;

  Rank& rank_;
  bool crashed_ = false;
  bool over_ = false;
};

}  // namespace heddle::host
