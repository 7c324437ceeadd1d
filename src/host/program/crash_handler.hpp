// Faults in the code of ranks, and signals that end the simulator.
#pragma once

#include <memory>

namespace heddle::host {

/// As long as it lives, faults in the code of ranks end the run with a CrashError, and guarded
/// copies find out about memory that is not there. Faults elsewhere end the process, as ever.
/// Signals that end programs, such as that of Ctrl-C, end the run with a StopError; a second one
/// ends the process at once.
class CrashHandler {
 public:
  CrashHandler();
  ~CrashHandler();
  CrashHandler(const CrashHandler&) = delete;
  CrashHandler& operator=(const CrashHandler&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
