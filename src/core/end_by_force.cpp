#include "core/end_by_force.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {
namespace {

volatile sig_atomic_t ending = 0;  ///< By this signal.

/// The kernel's own end of a process by a signal, which has no handler then and is not blocked. By
/// system calls: the C library's functions may have been taken over by simulated programs.
void on_time_up(int) {
  constexpr std::size_t kSetSize = sizeof(std::uint64_t);
  const std::array<std::uint64_t, 4> by_default{};
  const std::uint64_t set = std::uint64_t{1} << (ending - 1);
  syscall(SYS_rt_sigaction, ending, by_default.data(), nullptr, kSetSize);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, nullptr, kSetSize);
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), ending);
}

/// One for the same reason, too; it may be made in a handler.
void set_timer(Time after) {
  const itimerval once{{}, {after.ps() / 1'000'000'000'000, after.ps() / 1'000'000 % 1'000'000}};
  syscall(SYS_setitimer, ITIMER_REAL, &once, nullptr);
}

}  // namespace

void prepare_end_by_force() {
  struct sigaction action {};
  action.sa_handler = on_time_up;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGALRM, &action, nullptr);
}

void end_by_force(int signal, Time grace) {
  ending = signal;
  set_timer(grace);
}

void forgo_end_by_force() {
  set_timer(Time::zero());
}

}  // namespace heddle
