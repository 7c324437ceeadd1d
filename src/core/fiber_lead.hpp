// How far the code of a fiber is ahead of its turn.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/fiber_context.hpp"
#include "core/run_ahead.hpp"
#include "core/sanitizer.hpp"
#include "core/time.hpp"

namespace heddle {

class Fiber;

/// What is told of a fiber's code that runs ahead of its turn, or aside.
class AsideTask {
 public:
  /// It goes on aside, is about to come back from there, and has: on the fiber's stack, and on the
  /// thread that runs it.
  virtual void gone_aside() = 0;
  virtual void coming_back() = 0;
  virtual void come_back() = 0;
  /// It has left in its turn (FiberLead::depart) and has taken so much processor time: until when
  /// it does nothing that others may notice. From the event loop.
  virtual Time aside_until(Time taken) = 0;
  /// It waits: ends the wait at once if all that it is going to find is certain, so that its code
  /// may go on. From the event loop.
  virtual bool ends_wait_early() = 0;
  /// The event has come that lets it go on: whether what it waited for is there. If not, it goes on
  /// waiting as if it had looked. From the event loop.
  virtual bool early_wait_is_over() = 0;

 protected:
  ~AsideTask() = default;
};

/// Of one fiber, whose code may run before its turn comes (RunAhead), aside of the event loop as
/// long as it concerns nobody else.
class FiberLead {
 public:
  explicit FiberLead(Fiber& fiber) : fiber_(fiber) {}
  FiberLead(const FiberLead&) = delete;
  FiberLead& operator=(const FiberLead&) = delete;

  // For the code that runs in the fiber:

  /// What follows may be noticed by others: waits for the fiber's turn if it runs ahead of that.
  void await_turn();
  /// Code follows that concerns nobody else until it calls come_back(): it may run on another
  /// thread of this computer if the fiber runs ahead of its turn.
  void go_aside();
  /// Code of the same kind follows, which takes long, in the fiber's turn: others may go ahead
  /// meanwhile.
  void look_around();
  /// The same code leaves in the fiber's turn: events go on meanwhile, as far as
  /// AsideTask::aside_until() says.
  void depart();
  /// If the caller is such code: the fiber's turn has come afterwards, on the thread of the event
  /// loop. From handlers of signals, too.
  HEDDLE_NEVER_CHECKED static void come_back() {
    if (aside_ != nullptr) [[unlikely]] {
      aside_->leave_side_thread();
    }
  }

  // For everybody else:

  /// It goes on ahead of its turn.
  void begin() {
    enter(Stage::back);
    early_ = true;
  }
  /// The fiber is to go on in its turn; false if its code stays aside, and it is asked again later.
  bool turn_comes() { return stage() == Stage::none || come_to_turn(); }
  /// Nobody needs its code any more.
  void give_up();

  // For those who let it run:

  /// How far its code is ahead of its turn.
  enum class Stage : std::uint8_t {
    none,
    looks,    ///< It has the event loop look whether others may go ahead.
    leaves,   ///< It wants to go aside.
    waiting,  ///< For a thread.
    aside,    ///< On a thread.
    back,     ///< It waits for its turn, or is on its way there on the event loop's thread.
  };
  Stage stage() const { return stage_.load(std::memory_order_relaxed); }
  void enter(Stage stage) { stage_.store(stage, std::memory_order_relaxed); }
  /// The thread that is here runs its code.
  void visit_aside(SidePlace& from);

 private:
  bool come_to_turn();
  void wait_for_turn();
  void leave_ahead();
  void go_on_aside();
  bool stays_aside();
  void leave_side_thread();

  Fiber& fiber_;
  SidePlace* side_ = nullptr;  ///< Where the thread goes on that it runs on aside.
  /// What it means for others is handed over with RunAhead's mutex.
  std::atomic<Stage> stage_ = Stage::none;
  bool departed_ = false;  ///< It left in its turn.
  bool early_ = false;     ///< Its wait has ended before its time.

  /// Of the thread whose variables the running code has: that of the fiber which is aside, if one
  /// is.
  inline static thread_local constinit FiberLead* aside_ = nullptr;
};

}  // namespace heddle
