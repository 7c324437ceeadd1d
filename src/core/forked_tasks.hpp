// Independent tasks on all cores, each in a process of its own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"

namespace heddle {

/// Runs tasks in child processes that are copies of this one: nothing they do shows here but the
/// bytes they result in, so they may use whatever is not made for several threads. To be used where
/// the process has one thread only. More processes than there may be tasks at a time are prepared
/// and wait; a task that is through lets the next one begin by itself and where it was, so that its
/// core has work whatever this process does meanwhile.
class ForkedTasks {
 public:
  /// What task `number` results in. What it throws makes the task fail.
  using Task = std::function<std::string(std::size_t number)>;

  /// For `count` tasks, at most `at_once` at a time, which start in the order of their numbers.
  ForkedTasks(Task task, std::size_t count, std::size_t at_once);
  /// Ends those that are still running.
  ~ForkedTasks();
  ForkedTasks(const ForkedTasks&) = delete;
  ForkedTasks& operator=(const ForkedTasks&) = delete;

  /// Starts what may start and waits until some task is done, but at most a fraction of a second.
  /// False if all are done.
  bool wait();
  std::size_t done() const { return done_; }
  /// Nothing if the task is not done or has failed, which includes that it was killed.
  const std::optional<std::string>& result(std::size_t number) const { return results_[number]; }

  /// From now on a task that has more than this in memory is ended, within a fraction of a second.
  void limit_memory(Bytes most) { most_memory_ = most; }
  /// How a task came to its end, and what it took.
  struct Ending {
    std::size_t number = 0;
    std::optional<std::string> result = {};  ///< As result(), which has it no longer.
    int signal = 0;                          ///< What ended it, or 0.
    bool too_large = false;                  ///< It had more in memory than it may.
    double processor_seconds = 0;
    Bytes memory = {};  ///< The most that it had at a time.
  };
  /// The tasks that came to their ends since the last call.
  std::vector<Ending> take_endings();

  /// How many tasks can run at once on this computer: the cores that this process may use.
  static std::size_t cores();

 private:
  struct Child {
    pid_t process;
    int socket;  ///< Has the result.
    std::size_t number;
    std::string bytes = {};
    bool too_large = false;
  };
  class Turns;
  void start();
  [[noreturn]] void be_child(int socket, std::size_t number);
  void start_some();
  static bool read_some(Child& child);
  void end_large_ones();
  void end(Child& child);

  Task task_;
  std::size_t most_;  ///< Processes, with those that wait for their turns.
  std::unique_ptr<Turns> turns_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  Bytes most_memory_ = Bytes(INT64_MAX);
  std::chrono::steady_clock::time_point measured_;  ///< When somebody last looked at their memory.
  std::vector<Ending> endings_;
  std::vector<Child> running_;
  std::vector<std::optional<std::string>> results_;
};

}  // namespace heddle
