// The threads that the program of a rank has started, and what it keeps for each.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/time.hpp"

namespace heddle::host {

class Rank;
class Thread;
struct ExitHandler;

/// Threads of one process: as POSIX has them, but that they are fibers, with thread-local variables
/// of their own, which take turns in simulated time.
class ProgramThreads {
 public:
  using Function = void* (*)(void*);

  ProgramThreads(Rank& rank, bool executable_stacks);
  ~ProgramThreads();

  // As the functions of those names; they answer an error number. Threads ask for themselves.
  int create(pthread_t& handle, const pthread_attr_t* attributes, Function function,
             void* argument);
  int join(pthread_t handle, void** result, Time deadline);
  int detach(pthread_t handle);
  /// Ends the running thread; the first one waits for the others and ends the process.
  [[noreturn]] void exit(void* result);
  /// Whether there are any, beside that which a rank has from the beginning.
  bool any() const { return !threads_.empty(); }
  /// A handler for the end of the running thread.
  void at_exit(const ExitHandler& handler);
  /// Runs those of the running thread.
  void run_handlers();

  // Keys, whose numbers are none of the C library's own.
  static constexpr pthread_key_t kFirstKey = 1U << 16;
  int create_key(pthread_key_t& key, void (*destructor)(void*));
  int delete_key(pthread_key_t key);
  int set(pthread_key_t key, const void* value);
  void* get(pthread_key_t key);

 private:
  class ProgramThread;
  /// What is kept for each thread, the first one included.
  struct Locals {
    std::vector<void*> values;  ///< By key.
    std::vector<ExitHandler> handlers;
  };
  struct Key {
    bool used = false;
    void (*destructor)(void*) = nullptr;
  };

  ProgramThread* find(pthread_t handle) const;
  Locals& locals();
  /// Runs what is to run at the end of a thread that is not the end of the process.
  void finish_thread();
  bool run_destructors(Locals& locals);
  /// A thread's code is over; it may be forgotten as soon as nobody can ask for it.
  void ended(ProgramThread& thread);
  void forget(ProgramThread& thread);

  Rank& rank_;
  bool executable_stacks_;
  std::map<pthread_t, std::unique_ptr<ProgramThread>> threads_;
  std::map<const Thread*, Locals> locals_;
  std::vector<Key> keys_;
  std::uint32_t started_ = 0;
};

}  // namespace heddle::host
