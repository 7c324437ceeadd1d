// A thread of a rank: code that runs on a fiber, and how it spends simulated time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/fiber.hpp"
#include "host/rank/thread_account.hpp"
#include "host/rank/thread_aside.hpp"
#include "host/rank/thread_calls.hpp"
#include "host/rank/thread_looks.hpp"
#include "host/rank/thread_site.hpp"
#include "host/rank/thread_waits.hpp"
#include "host/rank/thread_work.hpp"

namespace heddle::host {

/// What a thread does that the program has started.
class ThreadBody {
 public:
  /// On the thread's fiber.
  virtual void run() = 0;
  /// The thread's code will not run again; called from the event loop.
  virtual void ended() = 0;

 protected:
  ~ThreadBody() = default;
};

/// One thread. A rank has one from the beginning, whose end is the rank's. What it does with its
/// time its parts know.
class Thread final : public ThreadSite, private FiberTask {
 public:
  Thread(RankSite& rank, std::uint32_t number);

  /// Its code starts now, after what is already due in this instant. Without a body it runs the
  /// rank.
  void start(FiberScheduler& scheduler, ThreadBody* body = nullptr, const FiberPlace& place = {});

  /// A number among all threads of the job, none of which is a number that the kernel gives to
  /// threads.
  int id() const;
  /// "rank 3", "rank 3, thread 1".
  std::string name() const override;

  /// How it waits, and who rings it.
  ThreadWaits& waits() { return waits_; }
  /// How it looks for something again and again.
  ThreadLooks& looks() { return looks_; }
  const ThreadLooks& looks() const { return looks_; }
  /// What its computation costs.
  ThreadWork& work() { return work_; }
  /// The calls of ours that it makes.
  ThreadCalls& calls() { return calls_; }
  /// Where its time has gone.
  ThreadAccount& account() { return account_; }
  const ThreadAccount& account() const { return account_; }
  /// What it has computed before a call is over.
  void call_begins();
  /// What of its code runs beside the simulator; null: nothing does.
  ThreadAside* aside() override { return aside_.get(); }

 private:
  void run(Fiber& fiber) override;
  void foresee() const override;
  void resumed() override;
  void paused() override;
  void ended() override;
  bool unwinds() const override;

  int serial_ = 0;  ///< Among those of the job that programs have started.
  ThreadBody* body_ = nullptr;
  std::unique_ptr<ThreadAside> aside_;
  ThreadCalls calls_;
  ThreadAccount account_;
  ThreadWaits waits_;
  ThreadWork work_;
  ThreadLooks looks_;
};

inline void ThreadCalls::begin(const Call& call) {
  if (call_ != nullptr) return;
  call_ = &call;
  ++made_;
  if (told_) thread_.call_begins();
}

inline void ThreadCalls::end(const Call& call) {
  if (call_ != &call) return;
  call_ = nullptr;
  if (take_time_) thread_.work().begin_stretch();
  if (look_due_) thread_.looks().watch_soon();
  if (ThreadAside* const aside = thread_.aside()) [[unlikely]] {
    aside->leave();
  }
}

inline void ThreadCalls::abandon() {
  if (call_ != nullptr) thread_.work().begin_stretch();
  call_ = nullptr;
}

/// The thread whose code is running; null outside of ranks, and for threads of the host that
/// libraries have started.
Thread* current_thread();
/// Has `thread` taken for the one whose code is running (null: none); answers which was. For code
/// that is not a rank's but runs on its fiber.
Thread* set_running(Thread* thread);

}  // namespace heddle::host
