// What the simulator and the process of a rank share: memory in which the process asks and the
// simulator answers. Compiled into both, and so free of everything else.
#pragma once

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::processes {

/// Threads of a process that may have called the simulator at a time.
inline constexpr std::uint32_t kSlots = 32;
/// Bytes of the arguments of a call: lists of 65,536 pieces of memory fit.
inline constexpr std::size_t kRoom = (1 << 20) + (64 << 10);
/// The variable of the environment that says where a process finds its channel: "FD:RANK".
inline constexpr const char* kChannelVariable = "HEDDLE_CHANNEL";
/// The one that says how many seconds nodes have been up when simulated time begins.
inline constexpr const char* kUptimeVariable = "HEDDLE_UPTIME";

/// The signal by which a thread that has long not called is asked where it is. Whoever has no
/// handler for it ignores it. It comes with one of the values.
inline constexpr int kLookSignal = SIGURG;
inline constexpr int kLook = 0x6865646c;      ///< Does it wait for something in its memory?
inline constexpr int kImpatient = kLook + 1;  ///< It is taken to.

/// Whose turn it is. Memory that nobody has touched says that a slot is free. While it is the
/// simulator's, the thread can be sent on an errand.
enum class Turn : std::uint32_t { free, process, simulator, errand, errand_begun };

/// Waits until the word may not be `value` any longer, at most `limit` if there is one. For words
/// in shared memory.
inline void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value,
                       const timespec* limit = nullptr) {
  syscall(SYS_futex, &word, FUTEX_WAIT, value, limit, nullptr, 0);
}
inline void wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

/// What a thread that waits for an answer can do meanwhile: move memory between its process and
/// another one.
struct Errand {
  std::uint32_t other;  ///< The other process, as the kernel calls it.
  bool writes;          ///< Into the other process, not from it.
  bool done;            ///< Completely.
  void* own;            ///< An address of its own process,
  void* others;         ///< and of the other one.
  std::size_t size;
};
/// One thread of the process, and the call that it makes; its arguments are in the slot's room.
struct alignas(64) Slot {
  std::atomic<std::uint32_t> turn;     ///< A Turn; the process waits here.
  std::atomic<std::uint32_t> waiting;  ///< Whether it sleeps.
  std::atomic<std::uint32_t> thread;   ///< As the kernel calls it.
  std::uint32_t call;                  ///< A CallNumber.
  std::int64_t looks;                  ///< At the clock, since the last call.
  std::int64_t processor_ns;           ///< Of the thread, if that is measured.
  std::uint64_t answer;                ///< The bytes of what the call answers.
  Errand errand;
};

/// What the simulator tells a process when it begins.
struct Circumstances {
  std::int64_t epoch;          ///< Calendar time at simulated time zero, in seconds.
  std::int64_t clock_cost_ps;  ///< Of a look at the clock.
  std::int32_t process;        ///< The simulated number of the process.
  std::uint32_t cores;         ///< That the rank finds.
  bool measured;               ///< The processor time of threads is wanted with each call.
  bool counts;                 ///< The processor's counter is read, and so simulated.
  bool local_clock;            ///< Looks at the clock may be told of later, all together.
  char host_name[256];
};

/// All of one rank.
struct Channel {
  std::atomic<std::uint32_t> calls;       ///< Counts; the simulator waits here.
  std::atomic<std::uint32_t> waiting;     ///< Whether it sleeps.
  std::atomic<std::uint32_t> process;     ///< The one that is the rank, as the kernel calls it.
  std::atomic<std::uint32_t> slots_used;  ///< None from this one on.
  std::atomic<std::int64_t> now_ps;       ///< When the process was last answered.
  Circumstances circumstances;
  Slot slots[kSlots];
  alignas(4096) std::byte rooms[kSlots][kRoom];
};

inline bool is(const Slot& slot, Turn turn) {
  return slot.turn.load(std::memory_order_acquire) == static_cast<std::uint32_t>(turn);
}
/// Sleeps until a thread of the process may have called, `slot`'s in particular, at most `limit`.
inline void wait_for_call(Channel& channel, const Slot& slot, const timespec& limit) {
  const std::uint32_t seen = channel.calls.load();
  channel.waiting.store(1);
  if (!is(slot, Turn::simulator)) wait_while(channel.calls, seen, &limit);
  channel.waiting.store(0);
}
/// Says that a thread of the process has called.
inline void tell_simulator(Channel& channel) {
  channel.calls.fetch_add(1);
  if (channel.waiting.load() != 0) wake(channel.calls);
}
/// Hands a word over to who waits for it.
inline void give(std::atomic<std::uint32_t>& word, std::atomic<std::uint32_t>& waiting,
                 std::uint32_t value) {
  word.store(value);
  if (waiting.load() != 0) wake(word);
}

}  // namespace heddle::processes
