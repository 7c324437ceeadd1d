#include "host/rank/processor_counter.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "host/rank/counter_instruction.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/thread.hpp"

namespace heddle::host {
namespace {

/// What lets the time of a look pass. It comes between the fault, whose handler cannot leave its
/// stack, and the second try of the instruction.
int charging_signal() {
  return SIGRTMAX - 1;
}

void on_charge(int, siginfo_t*, void*) {
  if (Thread* thread = current_thread()) thread->looks().charge_counter();
}

/// For code that is not a rank's.
void answer_with_real(void* context) {
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  const CounterReading reading = real_counter();
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  answer_counter_instruction(context, reading);
}

}  // namespace

bool reads_counter(const siginfo_t& info, const void* context) {
  return is_counter_instruction(info, context);
}

void answer_counter(void* context) {
  Thread* thread = current_thread();
  if (thread == nullptr || !thread->rank().in_own_code()) return answer_with_real(context);
  if (thread->looks().take_counter_charge()) {
    const std::int64_t now = thread->now().ps() / 1000;
    return answer_counter_instruction(context, simulated_counter(now));
  }
  // Not here, where the stack is the handler's, but as soon as that returns.
  const std::uint64_t mask = std::uint64_t{1} << (charging_signal() - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, nullptr, sizeof mask);
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), charging_signal());
}

struct ProcessorCounter::State {
  struct sigaction old_action {};
};

ProcessorCounter::ProcessorCounter() : state_(std::make_unique<State>()) {
  struct sigaction action {};
  action.sa_sigaction = on_charge;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(charging_signal(), &action, &state_->old_action);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

ProcessorCounter::~ProcessorCounter() {
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  sigaction(charging_signal(), &state_->old_action, nullptr);
}

ReadableCounter::ReadableCounter() {
  prctl(PR_GET_TSC, &before_);
  if (before_ == PR_TSC_SIGSEGV) prctl(PR_SET_TSC, PR_TSC_ENABLE);
}

ReadableCounter::~ReadableCounter() {
  if (before_ == PR_TSC_SIGSEGV) prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

}  // namespace heddle::host
