// The counters of all processes, and the commands that wait for them.
#pragma once

#include <portals4.h>

#include <cstdint>
#include <vector>

#include "core/containers/index_pool.hpp"
#include "portals/command.hpp"

namespace heddle::portals {

class Process;

/// A counter: as the adapter has it, and as the program sees it. What counting needs is in one line
/// of the cache.
struct alignas(64) Counter {
  ptl_ct_event_t value{};       ///< The adapter's: commands are triggered by it.
  ptl_ct_event_t visible{};     ///< In the program's memory.
  Process* process = nullptr;   ///< Null if the program has freed it.
  std::uint32_t first = kNone;  ///< Commands that wait, by threshold, then by age.
  std::uint32_t last = kNone;
  std::uint32_t waiting = 0;
  bool writing = false;     ///< A value is on its way to the program.
  bool looked = false;      ///< `polled` is meaningful.
  ptl_ct_event_t polled{};  ///< What the program saw when it last looked.
};

/// Counters known by number, whose number stays taken while a value is on its way.
class CounterStore {
 public:
  /// What has changed since somebody last asked.
  struct Changes {
    std::vector<std::uint32_t> written;  ///< Counters whose value has to go to the program.
    std::vector<std::uint32_t> due;      ///< Commands to carry out, in order.
    bool any() const { return !written.empty() || !due.empty(); }
  };

  explicit CounterStore(IndexPool<Command>& commands) : commands_(commands) {}

  std::uint32_t allocate(Process& process);
  /// The program has freed it, and nothing waits for it.
  void free(std::uint32_t counter);
  Counter& operator[](std::uint32_t counter) { return counters_[counter]; }
  const Counter& operator[](std::uint32_t counter) const { return counters_[counter]; }

  /// Who changes a counter: what the program does itself it sees at once.
  enum class By { adapter, program };
  void add(std::uint32_t counter, const ptl_ct_event_t& change, By by = By::adapter);
  void set(std::uint32_t counter, const ptl_ct_event_t& value, By by = By::adapter);
  /// Lets a command wait for `counter`; it is due at once if the threshold is reached already.
  void trigger(std::uint32_t counter, std::uint32_t command);
  /// Takes out the commands that wait, oldest threshold first.
  std::vector<std::uint32_t> cancel(std::uint32_t counter);
  /// A value has arrived in the program's memory. Whose it is; null if the counter is gone.
  Process* arrived(std::uint32_t counter);

  Changes changes;
  std::size_t in_use() const { return counters_.in_use(); }

 private:
  void changed(std::uint32_t counter, By by);

  IndexPool<Command>& commands_;
  IndexPool<Counter> counters_;
};

/// Whether a wait for `test` ends.
inline bool reached(const ptl_ct_event_t& value, ptl_size_t test) {
  return value.success >= test || value.failure != 0;
}

}  // namespace heddle::portals
