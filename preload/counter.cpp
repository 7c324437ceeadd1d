// Instructions that read the processor's counter fault, and what they read is simulated. Programs
// that are started by others of this process must not fault: the kernel hands that on to them.
#include "counter.hpp"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "connection.hpp"
#include "host/rank/counter_instruction.hpp"
#include "own_signals.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

bool counts_simulated = false;  ///< Whether simulate_counter() was called.

/// What is started meanwhile can read the counter.
class ReadableCounter {
 public:
  ReadableCounter() { set(PR_TSC_ENABLE); }
  ~ReadableCounter() { set(PR_TSC_SIGSEGV); }
  ReadableCounter(const ReadableCounter&) = delete;
  ReadableCounter& operator=(const ReadableCounter&) = delete;

 private:
  void set(int state) const {
    const int saved = errno;
    if (counts_simulated && simulated()) prctl(PR_SET_TSC, state, 0, 0, 0);
    errno = saved;
  }
};

void on_fault(int number, siginfo_t* info, void* context) {
  if (!host::is_counter_instruction(*info, context)) return hand_on(number, info, context);
  const int saved = errno;
  const std::int64_t now = simulated_ns();
  errno = saved;
  host::answer_counter_instruction(context, host::simulated_counter(now));
}

/// The arguments of execl(3) and its like, as execv(3) has them.
template <class Use>
int with_words(const char* first, va_list rest, Use use) {
  constexpr int kMost = 4096;
  char* words[kMost] = {const_cast<char*>(first)};
  int count = 0;
  while (words[count] != nullptr && ++count < kMost) words[count] = va_arg(rest, char*);
  if (count == kMost) {
    errno = E2BIG;
    return -1;
  }
  return use(words);
}

}  // namespace

void simulate_counter() {
  counts_simulated = true;
  own_signal(SIGSEGV, on_fault, SA_ONSTACK | SA_NODEFER);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}

void read_real_counter() {
  if (counts_simulated) prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int execve(const char* path, char* const* words, char* const* variables) noexcept {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(execve)(path, words, variables);
}
int execv(const char* path, char* const* words) noexcept {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(execv)(path, words);
}
int execvp(const char* name, char* const* words) noexcept {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(execvp)(name, words);
}
int execvpe(const char* name, char* const* words, char* const* variables) noexcept {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(execvpe)(name, words, variables);
}
int execl(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const int status = with_words(first, rest, [&](char** words) { return execv(path, words); });
  va_end(rest);
  return status;
}
int execlp(const char* name, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const int status = with_words(first, rest, [&](char** words) { return execvp(name, words); });
  va_end(rest);
  return status;
}
int system(const char* command) {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(system)(command);
}
FILE* popen(const char* command, const char* mode) {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(popen)(command, mode);
}
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* words, char* const* variables) {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(posix_spawn)(process, path, actions, attributes, words, variables);
}
int posix_spawnp(pid_t* process, const char* name, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* words, char* const* variables) {
  const ReadableCounter readable;
  return HEDDLE_SYSTEM(posix_spawnp)(process, name, actions, attributes, words, variables);
}
}
