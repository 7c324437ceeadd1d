// What ranks run.
#pragma once

#include <functional>
#include <utility>

#include "core/address_space.hpp"
#include "core/time.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/rank/poll_policy.hpp"

namespace heddle::host {

class Rank;

/// What the ranks run.
class Program {
 public:
  virtual ~Program() = default;
  /// Runs one rank from beginning to end, on the rank's own fiber, and answers its exit status.
  virtual int run(Rank& rank) = 0;
  /// The memory of a rank; asked once, before it runs.
  virtual AddressSpace& memory(Rank& rank) = 0;
  /// What finds the thread-local variables of a rank's code, if those are its own; else null.
  virtual void* thread_pointer(Rank&) { return nullptr; }
  /// The rank's code runs next, and another's ran before; that one has left.
  virtual void enter(Rank&) {}
  virtual void leave(Rank&) {}
  /// The rank's code will not run again.
  virtual void ended(Rank&) {}
  /// Whether each rank has something else at this address, in its turn.
  virtual bool swaps(const void*) const { return false; }
  /// Whether the stacks of ranks that have not ended can be unwound.
  virtual bool unwinds() const { return true; }
  /// What the clock shows that the computation of the running thread is measured by.
  virtual Time processor_time() const;
  /// How carefully looks in vain are carried out.
  virtual PollPolicy::Effort poll_effort() const { return {}; }
};

/// A program that is a function of ours, for tests: all ranks share the simulator's memory.
class FunctionProgram final : public Program {
 public:
  explicit FunctionProgram(std::function<int(Rank&)> body) : body_(std::move(body)) {}
  int run(Rank& rank) override { return body_(rank); }
  AddressSpace& memory(Rank&) override { return memory_; }

 private:
  std::function<int(Rank&)> body_;
  GuardedMemory memory_;
};

}  // namespace heddle::host
