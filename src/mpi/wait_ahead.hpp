// A process that goes on before its wait is over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fiber.hpp"
#include "mpi/completion.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// Of one process, where ranks compute ahead of their turn. A message that has met its receive
/// takes its time still, but what its two ends are going to find is certain: who waits for nothing
/// else goes on at once, as if the wait took no time. When it really is over, that time is
/// accounted for, together with what its processor has to do for the rest of the call.
class WaitAhead final : private Completion {
 public:
  explicit WaitAhead(Process& process) : process_(process) {}

  /// An operation of the process has met its other side, as long as the serial number stays; who is
  /// told of its end, and what.
  void met(Completion*& told, const std::uint64_t& serial, const Outcome& outcome) {
    if (met_.size() == met_.capacity()) forget_what_is_over();
    met_.push_back({&told, &serial, serial, &outcome});
  }

  /// Ends the wait that the process is in, if it waits for nothing but what has met its other side.
  bool ends_early();
  /// A wait was ended so, and its time has not come.
  bool ended_early() const { return early_; }
  /// That wait: it is over for the code of the process only.
  void keep(const Process::Sleep& sleep) { sleep_ = sleep; }
  /// The process has been woken from it: if what it waits for is not there yet, it waits on.
  bool is_over();

  /// What its processor has to do when its turn comes,
  static constexpr Time kSettlement = Time::never();
  void do_later(Time what);
  /// which it has: the wait is over, and that is done; false if `may_wait` is not true and the
  /// process has to, of which the rest is left then.
  bool catch_up(bool may_wait);

 private:
  /// Something that has met its other side.
  struct Met {
    Completion** told;
    const std::uint64_t* serial;
    std::uint64_t number;  ///< It is over if the serial number is another.
    const Outcome* outcome;
    bool over() const { return *serial != number || *told == nullptr; }
    const Completion* whom() const { return *told; }
  };
  /// What it says of a wait whose code is gone.
  struct Said final : Blocked {
    explicit Said(const Blocked& reason) : words(reason.text()), whom(reason.peer()) {}
    std::string text() const override { return words; }
    std::optional<std::uint32_t> peer() const override { return whom; }
    std::string words;
    std::optional<std::uint32_t> whom;
  };

  void forget_what_is_over();
  bool awaits_only_what_has_met();
  void say_the_same();
  void tell_early();
  void completed(const Outcome& outcome) override;
  void end_wait();
  host::ThreadWaits& waits() const { return process_.rank().threads().first().waits(); }
  /// The call that it was in has returned.
  bool call_is_over() const { return *process_.call == '\0'; }

  Process& process_;
  bool early_ = false;
  std::vector<Met> met_;
  std::vector<Completion*> awaited_;  ///< Of ends_early(), kept for its memory,
  std::vector<Met> ends_;             ///< and so is that.
  std::size_t left_ = 0;              ///< So many of them are not there yet.
  Process::Sleep sleep_;              ///< The wait,
  Time since_;                        ///< which has not been accounted for from then on.
  Time began_;                        ///< When it ended early, ...
  Time waiting_;                      ///< ... and how long the process had waited by then.
  std::optional<Said> said_;
  std::optional<WaitReason> reason_;
  std::vector<Time> later_;  ///< Costs and settlements, in their order.
  const char* call_ = "";    ///< For which.
};

}  // namespace heddle::mpi
