// A rank that has called MPI_Init: everything of it that MPI knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/prefetch.hpp"
#include "host/rank/rank.hpp"
#include "mpi/background.hpp"
#include "mpi/completion.hpp"
#include "mpi/mailbox.hpp"
#include "mpi/part.hpp"

namespace heddle::mpi {

class WaitAhead;
class World;

/// What a process waits for, as reports of deadlocks say it.
class Blocked {
 public:
  /// Completes "rank 3 ...": "waits in MPI_Recv from 2, tag 7, MPI_COMM_WORLD, 8 bytes".
  virtual std::string text() const = 0;
  /// The process whose turn it is, by its number in MPI_COMM_WORLD, if it is known.
  virtual std::optional<std::uint32_t> peer() const { return std::nullopt; }
  /// Lists those whose ends are all that is still missing for the rank to go on with anything but
  /// a further wait, if these are known.
  virtual bool awaits(std::vector<Completion*>& /*list*/) const { return false; }
  std::string operator()() const { return text(); }

 protected:
  ~Blocked() = default;
};

/// What a process has sent, and how long it has waited.
struct Counters {
  std::uint64_t messages = 0;  ///< Sent.
  std::int64_t bytes = 0;
  Time waiting;         ///< In calls.
  Time late_senders;    ///< From the posting of receives to that of their messages.
  Time late_receivers;  ///< From the posting of sends that need them to that of their receives.
};

/// The processor of a rank, which the overheads of messages occupy one after another.
class Processor {
 public:
  /// For `cost` from now or, if it is busy, from then on; answers the end.
  Time occupy(Time cost, Time now) {
    if (cost > Time::zero()) free_ = std::max(free_, now) + cost;
    return std::max(free_, now);
  }
  [[gnu::always_inline]] bool busy(Time now) const { return free_ > now; }
  Time free_at() const { return free_; }

 private:
  Time free_;
};

/// Life of MPI in a process.
enum class Phase : std::uint8_t { before, initialised, finalised };

/// MPI in one rank; made by the first call of MPI that the rank makes.
class alignas(64) Process final : public host::RankExtension, public PartOwner<Process> {
 public:
  Process(World& world, host::Rank& rank);
  ~Process() override;
  void calls_abandoned() override;
  void turn_has_come() override;
  bool ends_wait_early() override;
  bool early_wait_is_over() override;

  inline static const host::Slot slot;  ///< Of MPI, in ranks and jobs.
  /// Of the rank, made if need be; null if the rank's job has no MPI.
  static Process* of(host::Rank& rank) {
    RankExtension* const made = rank.extensions().at(slot).get();
    return made != nullptr ? static_cast<Process*>(made) : make(rank);
  }

  World& world() const { return world_; }
  host::Rank& rank() const { return rank_; }
  AddressSpace& memory() const { return rank_.memory(); }
  /// Its number in MPI_COMM_WORLD.
  std::uint32_t id() const { return static_cast<std::uint32_t>(rank_.id()); }
  Time now() const { return simulation_.now(); }
  Phase phase = Phase::before;
  int thread_level = 0;   ///< MPI_THREAD_SINGLE, ...
  const char* call = "";  ///< The name of the call under way, for messages.
  Counters counters;
  alignas(64) Mailbox mailbox;

  // Waiting, on the rank's own fiber.

  /// Waits until `done()`, with progress going on, and for the processor to do what it has to.
  template <class Done>
  [[gnu::always_inline]] void wait_until(const Done& done, const Blocked& reason) {
    bool settled = false;
    while (!done()) {
      // Others may have made it true by then.
      if (ahead_) [[unlikely]] {
        rank_.fiber().lead().await_turn();
        continue;
      }
      background_.advance();
      if (done()) continue;
      const Sleep begun = fall_asleep(reason);
      rank_.thread().waits().wait(reason);
      settled = wake_up(begun);
    }
    if (!settled) settle();
  }
  /// It is going to be told of something: fetches from memory what that needs.
  void foresee() const {
    prefetch(&mailbox);
    prefetch(&counters);
    prefetch(&processor_);
    prefetch(&satisfied_at_);
  }
  /// What it waits for, or null.
  const Blocked* blocked() const { return blocked_; }

  // The two halves of a wait, for who waits in the place of the rank's own code.

  /// A wait that has begun.
  struct Sleep {
    const Blocked* outer_reason = nullptr;
    Time begin;
    Time busy_until;
  };
  Sleep fall_asleep(const Blocked& reason);
  /// Answers whether its processor has nothing left to do.
  bool wake_up(const Sleep& sleep);
  /// What goes on inside its calls.
  Background& background() { return background_; }
  /// Where what a call waits for is counted down. That is in the process, which the end of an
  /// operation touches anyway, unless another call has it already: on the stack then.
  class Awaited {
   public:
    Awaited(Process& process, std::int64_t count)
        : process_(process), borrowed_(!std::exchange(process.awaited_taken_, true)) {
      left() = count;
    }
    ~Awaited() {
      if (borrowed_) process_.awaited_taken_ = false;
    }
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;
    std::int64_t& left() { return borrowed_ ? process_.awaited_ : own_; }

   private:
    Process& process_;
    bool borrowed_;
    std::int64_t own_ = 0;
  };
  /// A call that does not wait has found nothing: lets time pass.
  void look_in_vain();
  /// Something that the process may be waiting for has happened: it looks again. From any code.
  void notify() {
    background_.changed();
    if (listening_ > 0) rank_.threads().ring();
  }
  /// Something has happened that only those want to know who look for it again and again.
  void tell_pollers() {
    if (polling_ > 0) notify();
  }
  /// What the process waits for in wait_until(), if it waits, has happened: it goes on when its
  /// processor has done what it has to. From any code.
  void satisfied();

  /// Occupies the processor, which does one thing after another, for `cost` from now or, if it is
  /// busy, from then on; answers the end.
  Time occupy(Time cost) { return processor_.occupy(cost, now()); }
  /// What the rank must spend at its next look for messages, for it does something else now; or at
  /// once, if it is waiting for them.
  void owe(Time cost);
  /// Waits until the processor has done what it has to.
  [[gnu::always_inline]] void settle() {
    if (ahead_) [[unlikely]] {
      settle_later();
    } else if (unsettled()) {
      catch_up();
    }
  }
  /// How it goes on ahead of its turn; null: never.
  WaitAhead* wait_ahead() const { return wait_ahead_.get(); }
  /// What follows may be noticed by others.
  void await_turn() const {
    if (ahead_) [[unlikely]] {
      rank_.fiber().lead().await_turn();
    }
  }
  /// Whether what runs does so ahead of its turn.
  bool ahead() const { return ahead_; }
  [[gnu::always_inline]] bool unsettled() const {
    return debt_ > Time::zero() || processor_.busy(now());
  }
  /// As long as it lives, whatever the rank's code does after its wait concerns nobody else, up to
  /// what waits for its turn by itself: its next message, wait or settlement.
  class LastWait {
   public:
    explicit LastWait(Process& process)
        : process_(process), outer_(std::exchange(process.last_wait_, true)) {}
    ~LastWait() { process_.last_wait_ = outer_; }
    LastWait(const LastWait&) = delete;
    LastWait& operator=(const LastWait&) = delete;

   private:
    Process& process_;
    bool outer_;
  };
  /// Whether calls may return before the processor has done what it has to: then nothing but calls
  /// takes time, and they know of it.
  bool may_run_ahead() const { return runs_ahead_; }

 private:
  static Process* make(host::Rank& rank);
  friend class WaitAhead;
  void settle_later();
  void catch_up();

  World& world_;
  host::Rank& rank_;
  const Simulation& simulation_;
  const bool& ahead_;  ///< What runs does so ahead of its turn.
  Processor processor_;
  Time debt_;
  const Blocked* blocked_ = nullptr;
  bool runs_ahead_;
  std::uint32_t listening_ = 0;  ///< Threads that wait or poll: ring() would be heard.
  std::uint32_t polling_ = 0;    ///< Of those, in look_in_vain().
  bool asleep_ = false;          ///< In sleep().
  bool last_wait_ = false;       ///< There is a LastWait.
  bool leaving_ = false;         ///< Satisfied, and its processor is busy for a while.
  Time satisfied_at_;            ///< Of that.
  std::int64_t awaited_ = 0;     ///< Of Awaited.
  bool awaited_taken_ = false;   ///< There is one that uses it.
  std::unique_ptr<WaitAhead> wait_ahead_;
  Background background_;
};

/// One operation that the running rank waits for.
class Signal final : public Completion {
 public:
  explicit Signal(Process& process) : process_(process) {}
  void completed(const Outcome& outcome) override {
    outcome_ = outcome;
    done_ = true;
    if (awaited_) return process_.satisfied();
    process_.notify();
  }
  /// From now on the process waits for nothing but this.
  void expect() { awaited_ = true; }
  bool done() const { return done_; }
  const Outcome& outcome() const { return outcome_; }
  const Process& process() const { return process_; }

 private:
  Process& process_;
  Outcome outcome_;
  bool done_ = false;
  bool awaited_ = false;
};

/// Several operations that the running rank waits for together: it is woken once.
class Countdown final : public Completion {
 public:
  explicit Countdown(Process& process) : process_(process) {}
  /// One more operation is going to tell.
  void add() { ++left_; }
  void completed(const Outcome& outcome) override {
    if (outcome.error != 0) error_ = outcome.error;
    if (--left_ == 0) process_.notify();
  }
  bool done() const { return left_ == 0; }
  /// Of those that failed the last, or zero.
  int error() const { return error_; }

 private:
  Process& process_;
  std::int64_t left_ = 0;
  int error_ = 0;
};

}  // namespace heddle::mpi
