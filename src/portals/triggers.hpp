// What follows from counters and posted events: triggered commands, and values and events that go
// to the memory of processes.
#pragma once

#include <cstdint>

#include "nic/adapters.hpp"
#include "portals/commands.hpp"
#include "portals/counter_store.hpp"
#include "portals/emitter.hpp"
#include "portals/entry_lists.hpp"
#include "portals/initiator.hpp"

namespace heddle::portals {

class Triggers {
 public:
  /// All must outlive the triggers.
  Triggers(Commands& commands, CounterStore& counters, Emitter& emitter, Initiator& initiator,
           EntryLists& lists, nic::Adapters& adapters)
      : commands_(commands),
        counters_(counters),
        emitter_(emitter),
        initiator_(initiator),
        lists_(lists),
        adapters_(adapters) {}

  /// Carries a command out when the counter of its interface reaches its threshold.
  void submit(std::uint32_t command, std::uint32_t counter);
  /// Takes back what waits for a counter.
  void cancel(Interface& interface, std::uint32_t counter);

  /// Carries out what counters have caused, and writes their values.
  void settle() {
    if (counters_.changes.any()) carry_out();
  }
  /// The same after writing the events that have been posted for `process`.
  void settle(Process& process);

 private:
  void carry_out();
  void fire(std::uint32_t command);
  void change(const Command& command, Interface& interface);
  void write_posted(Process& process);

  Commands& commands_;
  CounterStore& counters_;
  Emitter& emitter_;
  Initiator& initiator_;
  EntryLists& lists_;
  nic::Adapters& adapters_;
  bool settling_ = false;
};

}  // namespace heddle::portals
