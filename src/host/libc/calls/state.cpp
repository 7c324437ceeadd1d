// Functions that remember something from call to call: for each rank what it left.
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/program/hosted_program.hpp"
#include "host/program/loading/loaded_program.hpp"

using namespace heddle::host;

namespace {

const LoadedProgram& program_of(Process& process) {
  return process.program().loaded(*current_rank());
}

}  // namespace

extern "C" {

int rand() noexcept {
  Process* process = current_process();
  return process == nullptr ? HEDDLE_REAL(rand)() : process->library().random().next();
}

void srand(unsigned int seed) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(srand)(seed);
  process->library().random().seed(seed);
}

long random() noexcept {
  Process* process = current_process();
  return process == nullptr ? HEDDLE_REAL(random)() : process->library().random().next();
}

void srandom(unsigned int seed) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(srandom)(seed);
  process->library().random().seed(seed);
}

char* initstate(unsigned int seed, char* state, size_t size) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(initstate)(seed, state, size);
  return process->library().random().use_state(seed, state, size);
}

char* setstate(char* state) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(setstate)(state);
  return process->library().random().use_state(state);
}

double drand48() noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(drand48)();
  double value = 0;
  drand48_r(&process->library().random().state48(), &value);
  return value;
}

long lrand48() noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(lrand48)();
  long value = 0;
  lrand48_r(&process->library().random().state48(), &value);
  return value;
}

long mrand48() noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(mrand48)();
  long value = 0;
  mrand48_r(&process->library().random().state48(), &value);
  return value;
}

void srand48(long seed) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(srand48)(seed);
  srand48_r(seed, &process->library().random().state48());
}

unsigned short* seed48(unsigned short seed[3]) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(seed48)(seed);
  unsigned short* old = process->library().random().old48();
  memcpy(old, process->library().random().state48().__x, sizeof(unsigned short) * 3);
  seed48_r(seed, &process->library().random().state48());
  return old;
}

char* strtok(char* text, const char* delimiters) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(strtok)(text, delimiters);
  return strtok_r(text, delimiters, &process->library().strtok_place());
}

int getopt(int argc, char* const* argv, const char* accepted) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(getopt)(argc, argv, accepted);
  const WithVariables shared(program_of(*process));
  return process->library().getopt().next(argc, argv, accepted, nullptr, nullptr,
                                          LongOptions::none);
}

int getopt_long(int argc, char* const* argv, const char* accepted, const struct option* options,
                int* index) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(getopt_long)(argc, argv, accepted, options, index);
  const WithVariables shared(program_of(*process));
  return process->library().getopt().next(argc, argv, accepted, options, index,
                                          LongOptions::with_two_dashes);
}

int getopt_long_only(int argc, char* const* argv, const char* accepted,
                     const struct option* options, int* index) noexcept {
  Process* process = current_process();
  if (process == nullptr) {
    return HEDDLE_REAL(getopt_long_only)(argc, argv, accepted, options, index);
  }
  const WithVariables shared(program_of(*process));
  return process->library().getopt().next(argc, argv, accepted, options, index,
                                          LongOptions::with_one_dash_too);
}

int setenv(const char* name, const char* value, int overwrite) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(setenv)(name, value, overwrite);
  if (name == nullptr || *name == '\0' || strchr(name, '=') != nullptr) {
    errno = EINVAL;
    return -1;
  }
  const WithVariables shared(program_of(*process));
  process->library().environment().set(name, value, overwrite != 0);
  return 0;
}

int putenv(char* text) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(putenv)(text);
  const WithVariables shared(program_of(*process));
  if (strchr(text, '=') == nullptr) {
    process->library().environment().unset(text);
  } else {
    process->library().environment().put(text);
  }
  return 0;
}

int unsetenv(const char* name) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(unsetenv)(name);
  if (*name == '\0' || strchr(name, '=') != nullptr) {
    errno = EINVAL;
    return -1;
  }
  const WithVariables shared(program_of(*process));
  process->library().environment().unset(name);
  return 0;
}

int clearenv() noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(clearenv)();
  const WithVariables shared(program_of(*process));
  process->library().environment().clear();
  return 0;
}
}
