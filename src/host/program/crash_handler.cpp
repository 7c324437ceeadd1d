#include "host/program/crash_handler.hpp"

#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "core/end_by_force.hpp"
#include "host/libc/real_function.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/program/process.hpp"
#include "host/rank/code/code_traps.hpp"
#include "host/rank/crash.hpp"
#include "host/rank/job.hpp"
#include "host/rank/place_name.hpp"
#include "host/rank/processor_counter.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

constexpr std::array<int, 6> kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr std::array<int, 3> kStops = {SIGINT, SIGTERM, SIGHUP};

/// The stack pointer, or what the faulting instruction touched right below it: calls and pushes
/// move it only afterwards, and functions that call none may use memory below it.
void* end_of_stack(const siginfo_t& info, void* context) {
  constexpr std::ptrdiff_t kNear = 512;
  auto* pointer = static_cast<std::byte*>(stack_pointer(context));
  const bool below = info.si_addr < pointer && info.si_addr >= pointer - kNear;
  return below ? info.si_addr : pointer;
}

/// Ends the real process, whose functions for that are the programs' simulated ones.
void give_up(int signal) {
  real_function<decltype(::signal)>("signal")(signal, SIG_DFL);
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), signal);
}

/// Where functions return to, from the innermost on.
using Frames = std::array<void*, 64>;

void fill(void* frames) {
  auto& them = *static_cast<Frames*>(frames);
  backtrace(them.data(), static_cast<int>(them.size()));
}

/// Where the program's own innermost code calls the library that there is a fault in, or null. A
/// stack may be broken, and that of a fiber has a beginning that not everybody finds: what was
/// found by then counts.
const void* caller_of(const void* place) {
  if (is_programs(place)) return nullptr;
  Frames frames{};
  guarded_call(fill, &frames);
  const auto found = std::find_if(frames.begin(), frames.end(), is_programs);
  // A call that does not return may be the last of its function: what follows is another's.
  return found == frames.end() ? nullptr : static_cast<std::byte*>(*found) - 1;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  // Code that runs ahead of its turn fails in its turn.
  FiberLead::come_back();
  if (const StopPlace* guard = guard_of_copy()) return go_on_at(*guard, context);
  if (signal == SIGSEGV && reads_counter(*info, context)) return answer_counter(context);
  Rank* rank = current_rank();
  if (rank == nullptr || rank->process() == nullptr) return give_up(signal);
  const bool overflow =
      signal == SIGSEGV && rank->thread().fiber().context().overflows(end_of_stack(*info, context));
  const void* place = CodeTraps::instance().original(instruction(context));
  const Crash crash{overflow ? Crash::Cause::overflow : Crash::Cause::fault,
                    signal,
                    info->si_addr,
                    place,
                    overflow ? nullptr : caller_of(place),
                    Time::zero()};
  if (!process_of(*rank)->signals().call_handler(crash, info, context)) rank->ending().crash(crash);
}

/// An error of the simulator's own has come out of a call into code that knows nothing of it.
void on_terminate() {
  Rank* rank = current_rank();
  const std::exception_ptr error = std::current_exception();
  if (rank == nullptr || rank->process() == nullptr || !error) std::abort();
  std::string problem;
  try {
    std::rethrow_exception(error);
  } catch (const RunError& known) {
    problem = rank->name() + ": " + known.what();
  } catch (...) {
    // The program's own ends it as anywhere else.
    __gnu_cxx::__verbose_terminate_handler();
  }
  rank->ending().fail_job(std::move(problem));
}

std::array<struct sigaction, kStops.size()> old_stops;  ///< What they did before the first run.
std::atomic<std::int64_t> stopped_at = 0;               ///< In milliseconds, of some beginning.

/// A system call, because clock_gettime is the programs' simulated one.
std::int64_t real_milliseconds() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// How long the run may take to end, and then what is left to write.
constexpr Time kTimeToEnd = Time::s(5);
constexpr Time kTimeToWrite = Time::s(60);

/// Ends a rank in the middle of its own code; elsewhere the event loop looks before it goes on with
/// a rank. Whatever it is busy with, the process does not outlive that for long. Who asks again
/// later wants it to end at once; but `timeout`, for one, sends its signal to the process and to
/// the group of the process, which is to ask once.
void on_stop(int signal, siginfo_t*, void*) {
  constexpr std::int64_t kOnce = 500;
  if (stop_signal() != 0) {
    if (real_milliseconds() - stopped_at >= kOnce) give_up(signal);
    return;
  }
  stopped_at = real_milliseconds();
  end_by_force(signal, kTimeToEnd);
  set_stop_signal(signal);
  Rank* rank = current_rank();
  if (rank != nullptr && rank->in_own_code()) {
    rank->ending().crash({Crash::Cause::stopped, signal, nullptr, nullptr, nullptr, Time::zero()});
  }
}

struct sigaction handler_of(void (*function)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = function;
  // Handlers do not return when they end a rank, so nothing may stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  return action;
}

}  // namespace

struct CrashHandler::State {
  std::array<std::byte, 64 * 1024> stack;
  stack_t old_stack;
  std::array<struct sigaction, kFaults.size()> old_actions;
  std::terminate_handler old_terminate = std::set_terminate(on_terminate);
};

CrashHandler::CrashHandler() : state_(std::make_unique<State>()) {
  const stack_t stack{state_->stack.data(), 0, state_->stack.size()};
  sigaltstack(&stack, &state_->old_stack);
  const struct sigaction fault = handler_of(on_fault);
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    sigaction(kFaults[i], &fault, &state_->old_actions[i]);
  }
  set_stop_signal(0);
  prepare_end_by_force();
  const struct sigaction stopping = handler_of(on_stop);
  for (std::size_t i = 0; i < kStops.size(); ++i) {
    struct sigaction before {};
    sigaction(kStops[i], nullptr, &before);
    if (before.sa_sigaction != on_stop) old_stops[i] = before;
    if (before.sa_handler != SIG_IGN) sigaction(kStops[i], &stopping, nullptr);
  }
}

CrashHandler::~CrashHandler() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    sigaction(kFaults[i], &state_->old_actions[i], nullptr);
  }
  // The same request may come once more while what is left of the run is put away.
  for (std::size_t i = 0; i < kStops.size() && stop_signal() == 0; ++i) {
    sigaction(kStops[i], &old_stops[i], nullptr);
  }
  if (stop_signal() != 0) end_by_force(stop_signal(), kTimeToWrite);
  sigaltstack(&state_->old_stack, nullptr);
  std::set_terminate(state_->old_terminate);
}

}  // namespace heddle::host
