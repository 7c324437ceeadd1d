// Code of a thread that runs beside the simulator.
#pragma once

#include <cstdint>

#include "core/fiber.hpp"
#include "core/time.hpp"
#include "host/rank/stretches.hpp"
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

  /// Its own code follows, which may run elsewhere, and is over.
  void leave();
  void stretch_ends();

  void gone_aside() override;
  void coming_back() override;
  void come_back() override;
  Time aside_until(Time computed) override;
  bool ends_wait_early() override;
  bool early_wait_is_over() override;

 private:
  /// Whether stretches of its code may run beside the simulator now.
  bool possible() const;
  /// Whether the next one takes long, as far as can be told.
  bool expects_long() const;
  /// Computes while events go on.
  void depart();

  ThreadSite& site_;
  ThreadWork& work_;
  const ThreadLooks& looks_;
  Stretches stretches_;      ///< Where they are not measured anyway.
  std::uint64_t began_ = 0;  ///< The last, by the processor's counter; zero: it is over.
  Time since_;               ///< By the processor time of the thread that it runs on.
  Time taken_;               ///< Of the last stretch.
};

}  // namespace heddle::host
