// Children that the C library starts: real processes, which may read the real processor's counter.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/processor_counter.hpp"

using namespace heddle::host;

extern "C" {

int system(const char* command) {
  const ReadableCounter readable;
  return HEDDLE_REAL(system)(command);
}

FILE* popen(const char* command, const char* mode) {
  const ReadableCounter readable;
  return HEDDLE_REAL(popen)(command, mode);
}

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
  const ReadableCounter readable;
  return HEDDLE_REAL(posix_spawn)(child, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[],
                 char* const environment[]) {
  const ReadableCounter readable;
  return HEDDLE_REAL(posix_spawnp)(child, file, actions, attributes, arguments, environment);
}
}
