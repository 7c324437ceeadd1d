// The Portals library of one process: its interfaces, and how its calls wait.
#pragma once

#include <portals4.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/prefetch.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "nic/software.hpp"
#include "portals/interface.hpp"

namespace heddle::portals {

class Machine;
class Process;

/// Gives the ranks of a job their processes.
class ProcessMaker : public host::JobExtension {
 public:
  virtual Process& make_process(host::Rank& rank) = 0;

 protected:
  ~ProcessMaker() = default;
};

/// What a call waits for.
class Condition {
 public:
  virtual bool holds() = 0;

 protected:
  ~Condition() = default;
};

/// The one counter that a condition is about, and what it has to reach; kNone: others matter, too.
struct CounterGoal {
  std::uint32_t counter = kNone;  ///< Its number in the CounterStore.
  ptl_size_t success = 0;
};

/// The numbers of a process's commands that are under way. Joining and leaving touch nothing of
/// other commands.
class CommandNumbers {
 public:
  /// Gives the place that remove() wants.
  std::uint32_t add(std::uint32_t number) {
    if (first_free_ == kNone) {
      places_.push_back(number);
      return static_cast<std::uint32_t>(places_.size() - 1);
    }
    const std::uint32_t place = first_free_;
    first_free_ = places_[place] == kNone ? kNone : places_[place] & ~kFree;
    places_[place] = number;
    return place;
  }
  void remove(std::uint32_t place) {
    places_[place] = first_free_ | kFree;
    first_free_ = place;
  }
  /// A place is about to be left: fetches it from memory.
  void foresee(std::uint32_t place) const { prefetch(places_.data() + place); }
  template <class Function>
  void for_each(Function function) const {
    for (const std::uint32_t number : places_) {
      if ((number & kFree) == 0) function(number);
    }
  }

 private:
  static constexpr std::uint32_t kFree = 1U << 31;
  std::vector<std::uint32_t> places_;  ///< A number, or kFree and the next free place.
  std::uint32_t first_free_ = kNone;
};

/// One process's state, made when it is first asked for; small as long as it has no interface. What
/// arrives for it needs one line of the cache, what it sends itself another.
class alignas(64) Process final : public host::RankExtension {
 public:
  Process(Machine& machine, host::Rank& rank, ptl_pid_t pid)
      : machine_(machine), rank_(rank), id_{rank.node(), pid} {}
  inline static const host::Slot slot;  ///< Of Portals, in ranks and jobs.
  /// The process of a rank; null if the rank's job has no Portals.
  static Process* of(host::Rank& rank) {
    RankExtension* const made = rank.extensions().at(slot).get();
    return made != nullptr ? static_cast<Process*>(made) : make(rank);
  }

  Machine& machine() const { return machine_; }
  host::Rank& rank() const { return rank_; }
  AddressSpace& memory() const { return rank_.memory(); }
  nic::ProcessId id() const { return id_; }
  ptl_process_t physical_id() const;
  void take_pid(ptl_pid_t pid) { id_.pid = pid; }

  // Interfaces. Null where there is none, or the handle is stale.
  Interface* interface(std::uint32_t slot) const { return interfaces_[slot].get(); }
  Interface* interface(ptl_handle_ni_t handle) const;
  /// The interface of an object of any kind.
  Interface* owner(ptl_handle_any_t handle) const;
  bool has_interface() const;
  Interface& open(std::uint8_t slot, const ptl_ni_limits_t& limits);
  /// Its handles are stale afterwards.
  void forget(std::uint8_t slot);

  EventQueue* queue(ptl_handle_eq_t handle) const {
    Interface* interface = named(handle);
    return interface ? interface->queue(handle) : nullptr;
  }
  /// Its number in the CounterStore, or kNone.
  std::uint32_t counter(ptl_handle_ct_t handle) const {
    Interface* interface = named(handle);
    return interface ? interface->counter(handle) : kNone;
  }

  // For calls, on the fiber of the process.

  /// When a condition is asked: as soon as something has happened to the process, or not before
  /// the rank itself runs, for it looks at the program's memory.
  enum class Asked { at_once, by_rank };
  /// Waits until the condition, which does not hold now, does; at most `timeout` ms. `reason`
  /// completes "rank 3 ...".
  void wait(Condition& condition, Asked asked, const WaitReason& reason, ptl_time_t timeout,
            const CounterGoal& goal = {});
  /// A look that found nothing lets some time pass.
  void idle(const WaitReason& reason) { rank_.thread().looks().polled(reason); }
  /// Something has happened that a call may wait for.
  void poke();
  /// The same: a counter of its own, by its number in the CounterStore, shows another value.
  void poke(std::uint32_t counter, const ptl_ct_event_t& value);
  /// Nothing waits any longer: the process has ended.
  void end() { waiting_ = nullptr; }
  void calls_abandoned() override { waiting_ = nullptr; }

  bool initialised() const { return references > 0; }

 private:
  class Waiting;
  static Process* make(host::Rank& rank);
  /// The interface that a handle says it is of.
  Interface* named(ptl_handle_any_t handle) const {
    const std::uint32_t slot = interface_of(handle);
    return slot < kInterfaces ? interfaces_[slot].get() : nullptr;
  }

  Machine& machine_;
  host::Rank& rank_;
  nic::ProcessId id_;
  std::array<std::unique_ptr<Interface>, kInterfaces> interfaces_;
  Condition* waiting_ = nullptr;  ///< Only this has to be told; null: everything.
  CounterGoal goal_;              ///< Of that. Here, for the condition is on the rank's stack.

 public:
  CommandNumbers commands;
  std::uint32_t references = 0;  ///< Of PtlInit.
  bool aborted = false;
  std::uint32_t turn = 0;  ///< Where the next poll of several begins.

 private:
  std::array<std::uint32_t, kInterfaces> generations_{};
};

/// Where the bytes of a request's buffer are.
Place place_of(Interface& interface, const Buffer& buffer);

}  // namespace heddle::portals
