// A timer that looks at a run while it runs.
#pragma once

#include <memory>

#include "host/rank/processor_use.hpp"

namespace heddle::host {

/// Who wants to know that time goes by.
class Ticked {
 public:
  /// In a signal's handler, whatever it interrupts: must not allocate memory, nor look at a clock
  /// but by a system call.
  virtual void tick() = 0;

 protected:
  ~Ticked() = default;
};

/// As long as it lives, it tells every few milliseconds of this thread's processor time whose own
/// code is running. There is at most one.
class Ticker {
 public:
  /// Both must outlive it; `ticked` may be null.
  Ticker(ProcessorUse& use, Ticked* ticked);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
