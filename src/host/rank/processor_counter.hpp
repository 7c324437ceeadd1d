// The processor's own clock, which programs read without a call.
#pragma once

#include <signal.h>

#include <memory>

namespace heddle::host {

/// As long as it lives, instructions that read the processor's counter fault where the kernel can
/// arrange it. The fault's handler then answers with simulated time, in nanoseconds, to ranks.
class ProcessorCounter {
 public:
  ProcessorCounter();
  ~ProcessorCounter();
  ProcessorCounter(const ProcessorCounter&) = delete;
  ProcessorCounter& operator=(const ProcessorCounter&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// As long as it lives, the counter can be read: children would be killed for it otherwise.
class ReadableCounter {
 public:
  ReadableCounter();
  ~ReadableCounter();
  ReadableCounter(const ReadableCounter&) = delete;
  ReadableCounter& operator=(const ReadableCounter&) = delete;

 private:
  int before_ = 0;
};

/// Whether what faulted is such an instruction, and what it is answered; for handlers of signals.
bool reads_counter(const siginfo_t& info, const void* context);
void answer_counter(void* context);

}  // namespace heddle::host
