// Turns calls into records.
#pragma once

#include <ctime>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "calls.hpp"
#include "communicators.hpp"
#include "requests.hpp"
#include "trace_file.hpp"

namespace heddle_trace {

/// Nanoseconds of a clock that never goes back.
inline std::int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

/// MPI functions that the MPI calls for its own purposes are no calls of the program.
class Scope {
 public:
  Scope() { ++depth_; }
  ~Scope() { --depth_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  bool nested() const { return depth_ > 1; }

 private:
  static thread_local int depth_;
};

/// The one object of the library: MPI's interface leaves no place to keep another. Safe for
/// threads.
class Recorder {
 public:
  static Recorder& instance();

  /// Keeps what the call will overwrite, and gives it statuses to fill where the program wants
  /// none.
  void before(CallId id, Word* words);
  /// Records a call that lasted from `start` to `end`.
  void after(CallId id, const Word* words, std::int64_t start, std::int64_t end, bool success);
  /// Writes what is still in memory.
  void flush();

 private:
  class Record;
  struct Scratch;

  Recorder() = default;
  static Scratch& scratch();
  void open(std::int64_t time);
  void open_late();
  void write(CallId id, const Word* words, std::int64_t start, std::int64_t end);
  void write_failure(CallId id, std::int64_t start, std::int64_t end);
  void write_times(unsigned call, std::int64_t start, std::int64_t end);

  std::mutex mutex_;
  TraceFile file_;
  Communicators communicators_;
  Requests requests_;
  std::unordered_map<Word, std::uint64_t> windows_;   ///< Communicator of each window.
  std::unordered_map<Word, std::uint64_t> messages_;  ///< Of each message matched by Mprobe.
  std::int64_t last_ = 0;
  bool opened_ = false;
};

}  // namespace heddle_trace
