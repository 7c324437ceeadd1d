#include "host/program/loading/raw_system_calls.hpp"

#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "host/libc/real_function.hpp"
#include "host/program/loading/elf_file.hpp"
#include "host/rank/futex.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

bool runs_program(const Rank* rank) {
  return rank != nullptr && rank->process() != nullptr;
}

using Arguments = std::array<long, 6>;

/// Makes a call for a rank: its answer, as the kernel gives it.
long make_call(long call, const Arguments& arguments) {
  if (call == SYS_futex && runs_program(current_rank())) return futex(arguments);
  const long answer = real_function<decltype(::syscall)>("syscall")(
      call, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  return answer == -1 ? -errno : answer;
}

struct sigaction action_before {};

#if defined(__x86_64__)
// The kernel makes a signal of every call that is not the C library's.

constexpr int kSignal = SIGSYS;

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

void on_call(int, siginfo_t* info, void* context) {
  const int saved = errno;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RAX] =
      make_call(info->si_syscall, {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                   registers[REG_R10], registers[REG_R8], registers[REG_R9]});
  errno = saved;
}
#elif defined(__aarch64__)
// The kernel shows no calls, but all instructions are words: those that call are replaced in the
// copy of a library that is loaded.

constexpr int kSignal = SIGTRAP;
constexpr std::uint32_t kCall = 0xd4000001;   // svc #0
constexpr std::uint32_t kBreak = 0xd4290880;  // brk #0x4844

bool dispatch(bool) {
  return true;
}

void on_call(int signal, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  if (info->si_code != TRAP_BRKPT || *static_cast<std::uint32_t*>(instruction(context)) != kBreak) {
    return action_before.sa_sigaction(signal, info, context);
  }
  const int saved = errno;
  Arguments arguments;
  std::copy_n(registers.regs, arguments.size(), arguments.begin());
  registers.regs[0] =
      static_cast<unsigned long long>(make_call(static_cast<long>(registers.regs[8]), arguments));
  registers.pc += sizeof kBreak;
  errno = saved;
}
#endif

}  // namespace

bool RawSystemCalls::visible() {
  return dispatch(true) && dispatch(false);
}

void RawSystemCalls::show([[maybe_unused]] ElfFile& library) {
#if defined(__aarch64__)
  library.replace_instruction(kCall, kBreak);
#endif
}

RawSystemCalls::RawSystemCalls() {
  // On the stack of the fiber, which may be left in the middle of the handler for another one.
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(kSignal, &action, &action_before);
  dispatch(true);
}

RawSystemCalls::~RawSystemCalls() {
  dispatch(false);
  sigaction(kSignal, &action_before, nullptr);
}

}  // namespace heddle::host
