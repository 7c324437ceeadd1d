// A rank that has called OpenSHMEM: everything of it that OpenSHMEM knows.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "host/rank/rank.hpp"
#include "shmem/mailbox.hpp"
#include "shmem/profile.hpp"
#include "shmem/team.hpp"

namespace heddle::shmem {

class World;

/// Operations that are waited for together.
struct Context {
  std::int64_t pending = 0;  ///< Begun and not complete.
  Team* team = nullptr;
  long options = 0;
  bool alive = false;
};

/// What a PE that waits wants to see in its memory.
class Watch {
 public:
  /// Asked whenever the memory may have changed, from any code.
  virtual bool holds() const = 0;

 protected:
  ~Watch() = default;
};

enum class Phase : std::uint8_t { before, initialised, finalised };

/// One PE; made by World when somebody first asks for it.
class Pe {
 public:
  Pe(World& world, host::Rank& rank);
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  /// Of the running rank; ends the process where there is none.
  static Pe& running(const char* call);

  World& world() const { return world_; }
  host::Rank& rank() const { return rank_; }
  AddressSpace& memory() const { return rank_.memory(); }
  /// Its number in SHMEM_TEAM_WORLD.
  int number() const { return static_cast<int>(rank_.id()); }
  Time now() const { return rank_.now(); }

  Phase phase = Phase::before;
  int thread_level = 0;
  bool gone = false;  ///< The rank has ended: its memory is not to be touched.
  const char* call = "";
  std::uint64_t last_signal = 0;  ///< What shmem_signal_fetch has answered.
  Counters counters;
  std::vector<CallProfile> calls;  ///< In the order in which they were first made.
  CallProfile& profile_of(const char* name);

  // Contexts and teams, by their handles less one.
  std::deque<Context> contexts;
  std::deque<Membership> teams;
  /// Of a team or active set that the PE belongs to; added if it is new.
  Membership& membership(Team& team);

  // What has come, by adapters' counters, and is not noticed yet.
  OperationList landed;             ///< Begun here and answered.
  OperationList landed_sends;       ///< Whose source is free.
  OperationList landed_messages;    ///< For here.
  std::vector<Knot*> landed_knots;  ///< Collectives that the adapter has carried out.
  Mailbox mailbox;

  // Waiting, on the rank's own fiber.

  /// Waits until `done()`, and for the processor to do what it has to.
  template <class Done>
  void wait_until(const Done& done, const WaitReason& reason) {
    while (!done()) sleep(reason);
    settle();
  }
  /// Waits until memory is as wanted; `reason` completes "rank 3 ...".
  void wait_for(const Watch& watch, const WaitReason& reason);
  /// Waits until the operation's call may go on.
  void await_taken(const Operation& operation);
  /// A call that does not wait has found nothing: lets time pass.
  void look_in_vain();
  /// Something that the PE may be waiting for has happened. From any code.
  void notify() {
    if (!gone) rank_.threads().ring();
  }
  /// Its memory has changed.
  void memory_changed();

  // The processor, which the parts of calls occupy one after another.

  /// Occupies it for `cost` from now or, if it is busy, from then on; answers the end.
  Time occupy(Time cost);
  void settle();

 private:
  void sleep(const WaitReason& reason);

  World& world_;
  host::Rank& rank_;
  Time processor_free_;
  std::vector<const Watch*> watches_;
  std::deque<Membership> sets_;  ///< Active sets.
};

}  // namespace heddle::shmem
