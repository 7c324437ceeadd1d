// Events on their way to the processes.
#pragma once

#include "core/containers/pool.hpp"
#include "nic/bus.hpp"
#include "nic/software.hpp"
#include "platform/platform.hpp"

namespace heddle::nic {

/// Writes events to the memory of processes.
class EventWriter {
 public:
  EventWriter(Clock& clock, const platform::Platform& platform, Bus& bus, Software& software);
  ~EventWriter();

  /// Writes the events one after the other, then runs `then` (which may be null): at once if there
  /// is nothing to write or writing costs nothing.
  void write(ProcessId process, std::uint64_t operation, const EventTokens& events, Step* then);

 private:
  struct Batch;
  struct Notice;

  void write_next(Batch& batch);
  void written(Batch& batch);
  void announce(ProcessId process, EventToken token);
  void seen(Notice& notice);
  void show(Notice& notice);
  Cause notice_cause(const Notice& notice);

  Clock& clock_;
  Causes& causes_;
  const platform::Platform& platform_;
  Bus& bus_;
  Software& software_;
  Pool<Batch> batches_;
  Pool<Notice> notices_;
};

}  // namespace heddle::nic
