// Ends of a process.
#include <stdlib.h>
#include <unistd.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/program/hosted_program.hpp"

namespace heddle::host {
namespace {

using Ending = Process::Ending;

/// Whether all that code of a program has called at its end comes to Process::at_exit().
bool keeps_its_ends(const HostedProgram& program) {
  return !program.opens_libraries() && !program.registers_forks();
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept;
void __cxa_finalize(void* library);
int __cxa_thread_atexit(void (*function)(void*), void* object, void* library) noexcept;
int __cxa_at_quick_exit(void (*function)(void*), void* library) noexcept;
/// What the compiler hands to them for the simulator's own objects.
extern void* __dso_handle __attribute__((visibility("hidden")));

void exit(int status) noexcept {
  Process* process = current_process();
  if (process == nullptr) HEDDLE_REAL(exit)(status);
  process->exit(status);
}

void _exit(int status) {
  Process* process = current_process();
  if (process == nullptr || !in_simulator()) HEDDLE_REAL(_exit)(status);
  process->exit_now(status);
}

void _Exit(int status) noexcept {
  _exit(status);
}

void quick_exit(int status) noexcept {
  Process* process = current_process();
  if (process == nullptr) HEDDLE_REAL(quick_exit)(status);
  process->quick_exit(status);
}

/// What atexit() and the constructors of C++ objects come down to.
int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept {
  Process* process = current_process();
  // Objects of the simulator's that a rank's call happens to make first outlive that rank.
  if (process == nullptr || library == &__dso_handle) {
    return HEDDLE_REAL(__cxa_atexit)(function, argument, library);
  }
  process->at_exit(Ending::normal, {function, nullptr, argument});
  return 0;
}

/// What a program and its libraries ask for at the end of a rank. The C library would look for them
/// in all that the simulator has to destroy at its own.
void __cxa_finalize(void* library) {
  Process* process = current_process();
  if (process != nullptr && keeps_its_ends(process->program())) return;
  HEDDLE_REAL(__cxa_finalize)(library);
}

int __cxa_thread_atexit(void (*function)(void*), void* object, void* library) noexcept {
  Process* process = current_process();
  if (process == nullptr || library == &__dso_handle) {
    return HEDDLE_REAL(__cxa_thread_atexit)(function, object, library);
  }
  process->threads().at_exit({function, nullptr, object});
  return 0;
}

int __cxa_at_quick_exit(void (*function)(void*), void* library) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(__cxa_at_quick_exit)(function, library);
  process->at_exit(Ending::quick, {function, nullptr, nullptr});
  return 0;
}

int on_exit(void (*function)(int, void*), void* argument) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(on_exit)(function, argument);
  process->at_exit(Ending::normal, {nullptr, function, argument});
  return 0;
}
}
