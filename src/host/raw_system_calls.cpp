#include "host/raw_system_calls.hpp"

#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "host/futex.hpp"
#include "host/libc/rank_call.hpp"

namespace heddle::host {
namespace {

// Of linux/prctl.h, where that is recent enough.
constexpr int kDispatch = 59;  // PR_SET_SYSCALL_USER_DISPATCH
constexpr unsigned long kOff = 0;
constexpr unsigned long kOn = 1;

/// Code in memory.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};

int find_c_library(dl_phdr_info* info, std::size_t, void* found) {
  if (std::string_view(info->dlpi_name).find("/libc.so") == std::string_view::npos) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    *static_cast<CodeRange*>(found) = {info->dlpi_addr + segment.p_vaddr, segment.p_memsz};
    return 1;
  }
  return 0;
}

CodeRange c_library() {
  CodeRange range;
  dl_iterate_phdr(find_c_library, &range);
  return range;
}

bool dispatch(bool on) {
  const CodeRange range = on ? c_library() : CodeRange{};
  if (on && range.size == 0) return false;
  return prctl(kDispatch, on ? kOn : kOff, range.begin, range.size, nullptr) == 0;
}

#if defined(__x86_64__)
/// Makes the call that a context is about to make, and leaves its answer there.
void make_call(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  const std::array<long, 6> arguments = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                         registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  const long number = registers[REG_RAX];
  if (number == SYS_futex && current_process() != nullptr) {
    registers[REG_RAX] = futex(arguments);
    return;
  }
  const long answer = real_function<decltype(::syscall)>("syscall")(
      number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  registers[REG_RAX] = answer == -1 ? -errno : answer;
}
#else
void make_call(ucontext_t&) {}
#endif

void on_call(int, siginfo_t* info, void* context) {
  const int saved = errno;
#if defined(__x86_64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = info->si_syscall;
#endif
  make_call(*static_cast<ucontext_t*>(context));
  errno = saved;
}

}  // namespace

struct RawSystemCalls::State {
  struct sigaction old_action;
};

bool RawSystemCalls::visible() {
#if defined(__x86_64__)
  return dispatch(true) && dispatch(false);
#else
  return false;
#endif
}

RawSystemCalls::RawSystemCalls() : state_(std::make_unique<State>()) {
  // On the stack of the fiber, which may be left in the middle of the handler for another one.
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, &state_->old_action);
  dispatch(true);
}

RawSystemCalls::~RawSystemCalls() {
  dispatch(false);
  sigaction(SIGSYS, &state_->old_action, nullptr);
}

}  // namespace heddle::host
