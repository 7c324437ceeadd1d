// A process that Heddle starts, and what it writes.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/libc/streams.hpp"

namespace heddle::processes {

/// What is to be started.
struct ChildConfig {
  std::string program;                            ///< Its file.
  std::vector<std::string> arguments;             ///< With its name.
  std::vector<std::string> environment;           ///< "NAME=VALUE".
  std::atomic<std::uint32_t>* process = nullptr;  ///< Shared memory for its number.
  pid_t group = 0;     ///< The process group to join; 0: begins a new one.
  bool input = false;  ///< Gets the standard input; else it finds none.
};

/// How a process ended.
struct Ending {
  int status = 0;  ///< What it answered,
  int signal = 0;  ///< or what ended it.
};

/// One process, from its start until it is known to have ended. Those that have not ended when this
/// does are killed, with all of their group.
class Child {
 public:
  /// Throws RunError.
  explicit Child(const ChildConfig& config);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return id_; }
  pid_t group() const { return group_; }
  /// How it has ended, or nothing.
  std::optional<Ending> ending();
  /// Hands on what it has written. `rank` is who it is.
  void drain(const host::Rank& rank);
  /// Hands on lines without an end.
  void finish_lines(const host::Rank& rank);
  void signal(int number) const;

 private:
  using Pipe = std::array<int, 2>;  ///< To read, to write.

  [[noreturn]] static void become(const ChildConfig& config, const std::array<Pipe, 2>& pipes);
  void drain(const host::Rank& rank, host::Stream stream);

  pid_t id_ = 0;
  pid_t group_ = 0;
  std::array<int, 2> outputs_{-1, -1};  ///< By stream, to read from.
  host::PartialLines lines_;
  std::optional<Ending> ending_;
};

/// What a thread does that does not call. The kernel holds one that reads from a disk, say, or that
/// a debugger has stopped.
enum class Activity : std::uint8_t { running, asleep, held, gone };
/// Of a thread of any process; 0 is one that is about to start.
Activity activity_of(std::uint32_t thread);

}  // namespace heddle::processes
