// Functions of the C library that ours stand in front of.
#pragma once

#include <dlfcn.h>

#include "host/rank/unchecked.hpp"

namespace heddle::host {

/// The function that ours stands in front of, of the same type.
template <class Function>
HEDDLE_UNCHECKED Function* real_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// HEDDLE_REAL(getpid)() calls the C library's own.
#define HEDDLE_REAL(NAME)                                                           \
  ([] {                                                                             \
    static auto* const real = ::heddle::host::real_function<decltype(NAME)>(#NAME); \
    return real;                                                                    \
  }())

}  // namespace heddle::host
