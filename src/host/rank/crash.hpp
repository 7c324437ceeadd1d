// What is said of ranks that crash, and of those that never come back.
#pragma once

#include <cstdint>
#include <string>

#include "core/fiber.hpp"
#include "core/time.hpp"

namespace heddle::host {

/// How a rank came to a bad end.
struct Crash {
  enum class Cause : std::uint8_t {
    fault,     ///< The processor or abort() stopped it.
    signal,    ///< A signal that it did not handle.
    overflow,  ///< Its stack was too small.
    hang,      ///< It computed for too long.
    stopped,   ///< Somebody ended the simulator.
    process,   ///< Its process was ended by a signal, which is all that is known.
  };
  Cause cause = Cause::fault;
  int signal = 0;
  const void* address = nullptr;  ///< That it touched.
  const void* place = nullptr;    ///< The instruction.
  const void* caller = nullptr;   ///< Where the program called the library that it is in.
  Time limit = {};                ///< Of processor time, for a hang.
};

/// A rank has crashed: the run is over.
class CrashError : public FiberFailure {
 public:
  /// `who` is the rank, "rank 3 (node 1)".
  CrashError(const std::string& who, const Crash& crash);
  /// What a shell would say of the process: 128 + the signal; 1 where there was none.
  int status() const { return status_; }
  Crash::Cause cause() const { return cause_; }

 private:
  Crash::Cause cause_;
  int status_;
};

/// A rank has ended the whole job, as heddle_abort() and MPI_Abort() do: the run is over.
class AbortError : public FiberFailure {
 public:
  /// `call` is what the program called; `status` is what the job ends with, as of exit().
  AbortError(const std::string& who, const char* call, int status);
  /// The same in words of its own.
  AbortError(const std::string& problem, int status);
  int status() const { return status_; }

 private:
  int status_;
};

/// Somebody has ended the simulator while ranks ran, as with Ctrl-C.
class StopError : public FiberFailure {
 public:
  StopError(Time now, int signal);
  /// What it was ended with, and should end with.
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// The signal that asks the simulator to end, or zero.
int stop_signal();
/// From a signal's handler, too.
void set_stop_signal(int signal);

}  // namespace heddle::host
