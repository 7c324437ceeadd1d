// A rank: one process of a simulated job.
#pragma once

#include <cstdint>

#include "core/address_space.hpp"
#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "host/rank/rank_ending.hpp"
#include "host/rank/rank_id.hpp"
#include "host/rank/rank_site.hpp"
#include "host/rank/rank_threads.hpp"

namespace heddle::host {

class Job;

/// One process of the job; made by Job, valid as long as it. Calls that it makes wait, look and
/// compute in the thread that makes them: thread().waits() and so on.
class Rank final : public RankSite {
 public:
  Rank(Job& job, Program& program, RankId id, NodeId node, std::uint32_t local);

  Job& job() const { return job_; }
  Time now() const { return threads_.first().now(); }
  RankThreads& threads() { return threads_; }
  const RankThreads& threads() const { return threads_; }
  /// The one whose code is running or ran last.
  Thread& thread() const { return threads_.running(); }
  /// Of the first thread: its fiber, which has ended when the rank has, and where its time has
  /// gone.
  Fiber& fiber() const { return threads_.first().fiber(); }
  const ThreadAccount& account() const { return threads_.first().account(); }
  /// How it ends.
  RankEnding& ending() { return ending_; }
  /// Whether it runs the program's code, rather than a call of ours or the writing of its output.
  bool in_own_code() const;

  /// Its first thread starts, in this memory.
  void start(FiberScheduler& scheduler, AddressSpace& memory);

  // From its threads.

  Rank& self() override { return *this; }
  void run() override;
  void foresee() const override;
  void resumed(Thread& thread) override;
  bool over() const override { return ending_.over(); }
  void ended() override;

 private:
  Job& job_;
  RankThreads threads_;
  RankEnding ending_;
};

/// The rank whose code is running; null outside of ranks. C interfaces need it.
Rank* current_rank();

/// Marks the time a rank spends in a call of ours: its computation up to here is charged (the rank
/// sleeps for it, if computation costs time), and what follows until the end of the call is not.
/// Every call that a program makes to a simulated interface begins with one.
class Call {
 public:
  explicit Call(Rank& rank) : thread_(rank.thread()) { thread_.calls().begin(*this); }
  ~Call() { thread_.calls().end(*this); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  const Thread& thread() const { return thread_; }
  /// Whether it is not inside of another of its thread.
  bool outermost() const { return thread_.calls().is_outermost(*this); }

 private:
  Thread& thread_;
};

}  // namespace heddle::host
