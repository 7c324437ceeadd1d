// The connection of this process, which is a rank, to the simulator.
#pragma once

#include <dlfcn.h>

#include <cstring>
#include <type_traits>

#include "processes/calls.hpp"
#include "processes/channel.hpp"
#include "processes/packing.hpp"

namespace heddle::preload {

using processes::Array;
using processes::CallNumber;

/// Whether code of this thread sees the simulated machine: the process is a rank, and the thread is
/// none that a launcher's library has started for itself.
bool simulated();
/// Whether this thread is known to the simulator and not in a call. For handlers of signals.
bool in_own_code();
/// How often this thread has called.
std::uint32_t calls_so_far();
/// As simulated(); makes the process the rank if nobody else has begun to be.
bool simulated_or_joined();
/// What the simulator has said. Only where simulated().
const processes::Circumstances& circumstances();

/// The slot of a call, from its beginning to its end.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  processes::Room room() const;
  /// Has the simulator do the call whose arguments are in the room; answers the bytes of its
  /// answer.
  std::uint64_t take(CallNumber call);

 private:
  std::uint32_t number_;
  bool nested_;  ///< A signal handler calls while its thread does.
};

/// Has the simulator carry out a call; `lacking` is the answer where there is none, or the
/// arguments are too many.
template <class Result, class... Arguments>
Result call_or(Result lacking, CallNumber number, const Arguments&... arguments) {
  if (!simulated_or_joined()) return lacking;
  Turn turn;
  processes::Room room = turn.room();
  if (!(processes::pack(room, arguments) && ... && true)) return lacking;
  const std::uint64_t answer = turn.take(number);
  room = turn.room();
  (processes::unpack(room, arguments), ...);
  Result result;
  std::memcpy(&result, &answer, sizeof result);
  return result;
}

/// One object, or null.
template <class T>
Array<T> one(T* object) {
  return {object, 1};
}
inline Array<const char> text(const char* string) {
  return {string, string == nullptr ? 0 : std::strlen(string) + 1};
}

/// Simulated time after the cost of looking at the clock, in ps.
std::int64_t look_at_clock();

/// A thread is about to be started: what its function is to be called with (begin_thread).
struct StartedThread {
  void* (*function)(void*);
  void* argument;
  bool service;        ///< A launcher's library has started it for itself.
  std::uint32_t slot;  ///< Taken for it, or kSlots.
};
std::uint32_t take_slot();
void free_slot(std::uint32_t slot);
void* begin_thread(void* started);

/// The function of the system's that one of ours stands in front of.
#define HEDDLE_SYSTEM(NAME)                                                               \
  ([] {                                                                                   \
    static auto* const real = reinterpret_cast<decltype(&NAME)>(dlsym(RTLD_NEXT, #NAME)); \
    return real;                                                                          \
  }())

}  // namespace heddle::preload
