// The traced calls as numbers, and arguments as plain words whatever their type.
#pragma once

#include "mpi.hpp"

#include <cstdint>
#include <type_traits>

// Large counts came with MPI-4.
#if MPI_VERSION >= 4
#define COUNTED(arity, name, letters) CALL(arity, name, letters) CALL(arity, name##_c, letters)
#else
#define COUNTED(arity, name, letters) CALL(arity, name, letters)
#endif

namespace heddle_trace {

enum class CallId : std::uint16_t {
#define CALL(arity, name, letters) name,
#include "calls.def"
#undef CALL
};

struct CallInfo {
  const char* name;     ///< Without MPI_.
  const char* letters;  ///< One per argument; calls.def says what they mean.
};

inline constexpr CallInfo kCalls[] = {
#define CALL(arity, name, letters) {#name, letters},
#include "calls.def"
#undef CALL
};
inline constexpr unsigned kCallCount = sizeof(kCalls) / sizeof(kCalls[0]);

/// An argument of any type of up to 64 bits, and back. Handles are numbers in one MPI and
/// pointers in another.
using Word = std::uint64_t;

template <class T>
Word to_word(T value) {
  static_assert(sizeof(T) <= sizeof(Word));
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<Word>(value);
  } else {
    return static_cast<Word>(static_cast<std::int64_t>(value));
  }
}

template <class T>
T from_word(Word word) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(word);
  } else {
    return static_cast<T>(static_cast<std::int64_t>(word));
  }
}

}  // namespace heddle_trace
