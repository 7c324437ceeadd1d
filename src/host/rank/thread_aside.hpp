// Code of a thread that runs beside the simulator.
#pragma once

#include "core/fiber.hpp"
#include "core/time.hpp"
#include "host/rank/side_worth.hpp"
#include "host/rank/thread_looks.hpp"
#include "host/rank/thread_site.hpp"
#include "host/rank/thread_work.hpp"

namespace heddle::host {

/// What a thread computes between its calls, on another thread of this computer: ahead of its turn
/// if computation takes no time or a known one, else while events go on.
class ThreadAside final : public AsideTask {
 public:
  ThreadAside(ThreadSite& site, ThreadWork& work, const ThreadLooks& looks);
  ThreadAside(const ThreadAside&) = delete;
  ThreadAside& operator=(const ThreadAside&) = delete;

  /// From then on nothing changes when it goes on that ring() or ring_in() lets go on, nor what it
  /// finds then; what it does then waits for its turn if others may notice.
  void may_begin(RunAhead::From from);
  /// Its own code follows, which may run elsewhere.
  void leave();

  void gone_aside() override;
  void coming_back() override;
  void come_back() override;
  Time aside_until(Time computed) override;

 private:
  /// Whether stretches of its code may run beside the simulator now.
  bool possible() const;
  /// Computes while events go on.
  void depart();

  ThreadSite& site_;
  ThreadWork& work_;
  const ThreadLooks& looks_;
  SideWorth worth_;
  Time since_;  ///< By the processor time of the thread that it runs on.
  Time taken_;  ///< Of the last stretch.
};

}  // namespace heddle::host
