#include "host/processor_counter.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>

#include "host/rank.hpp"
#include "host/registers.hpp"
#include "host/thread.hpp"

namespace heddle::host {

#if defined(__x86_64__)
namespace {

/// What lets the time of a look pass. It comes between the fault, whose handler cannot leave its
/// stack, and the second try of the instruction.
int charging_signal() {
  return SIGRTMAX - 1;
}

/// Bytes of the instruction, or zero if it is another.
int counter_instruction(const void* place) {
  const auto* bytes = static_cast<const unsigned char*>(place);
  if (bytes[0] != 0x0f) return 0;
  if (bytes[1] == 0x31) return 2;                       // rdtsc
  return bytes[1] == 0x01 && bytes[2] == 0xf9 ? 3 : 0;  // rdtscp
}

/// Of the real machine, for code that is not a rank's.
std::uint64_t real_counter() {
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  const std::uint64_t value = __builtin_ia32_rdtsc();
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  return value;
}

void on_charge(int, siginfo_t*, void*) {
  if (Thread* thread = current_thread()) thread->charge_counter();
}

void answer(void* context, std::uint64_t value) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RIP] += counter_instruction(instruction(context));
  registers[REG_RAX] = static_cast<long long>(value & 0xffffffff);
  registers[REG_RDX] = static_cast<long long>(value >> 32);
}

}  // namespace

bool reads_counter(void* context) {
  // Whatever faults is there to be read, unless it was a jump to nowhere: then the address is it.
  const void* place = instruction(context);
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  constexpr long long kGeneralProtection = 13;
  return machine.gregs[REG_TRAPNO] == kGeneralProtection && counter_instruction(place) != 0;
}

void answer_counter(void* context) {
  Thread* thread = current_thread();
  if (thread == nullptr || !thread->rank().in_own_code()) return answer(context, real_counter());
  if (thread->take_counter_charge()) {
    answer(context, static_cast<std::uint64_t>(thread->now().ps() / 1000));
    return;
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
#else
ReadableCounter::ReadableCounter() = default;
ReadableCounter::~ReadableCounter() = default;
struct ProcessorCounter::State {};
ProcessorCounter::ProcessorCounter() = default;
ProcessorCounter::~ProcessorCounter() = default;
bool reads_counter(void*) {
  return false;
}
void answer_counter(void*) {}
#endif

}  // namespace heddle::host
