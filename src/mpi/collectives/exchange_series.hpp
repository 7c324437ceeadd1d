// A series of exchanges of a blocking collective, which needs its rank's stack only at its ends.
#pragma once

#include <cstdint>
#include <exception>

#include "coll/steps/steps.hpp"
#include "mpi/collectives/context.hpp"

namespace heddle::mpi::collectives {

/// Carries out the exchanges: the first on the fiber of its rank, the further ones mostly from the
/// event loop, while the fiber is suspended. What can let the rank wait for anything but a message,
/// or concerns its program, is left to the fiber.
class ExchangeSeries final : private FiberDeputy, private DataSteps {
 public:
  /// Whether nobody looks at what the rank does meanwhile, and its calls take no time of their own.
  static bool fits(const Context& context);

  /// `messages` and `reason` must outlive it.
  ExchangeSeries(const Context& context, Messages& messages, const Blocked& reason,
                 NextExchange next);
  ExchangeSeries(const ExchangeSeries&) = delete;
  ExchangeSeries& operator=(const ExchangeSeries&) = delete;

  /// All of them, on the rank's fiber.
  void run();

 private:
  /// What is done next.
  enum class Stage : std::uint8_t { next, receive, send, await_received, await_sent, end };
  /// Why it does not go on.
  enum class Stop : std::uint8_t { at_end, message, fiber };
  enum class Where : std::uint8_t { on_fiber, in_event, ahead };

  bool act() override;
  bool act_ahead() override;
  void foresee() const override;
  void copy(const Buffer& from, const Buffer& to) override { context_.copy(from, to); }
  void reduce(const Buffer& operand, const Buffer& result) override {
    context_.reduce(operand, result);
  }
  Stop go_on(Where where);
  void begin_receive();
  void begin_send();
  void fall_asleep();
  bool may_combine() const;
  /// The number of the message that is waited for.
  std::uint32_t awaited() const;
  bool is_there() const;
  bool awaited_done() const;

  // What a step touches is together: nothing of it is on the rank's stack.
  Process& process_;
  host::ThreadWaits& waits_;
  Messages& messages_;
  const Blocked& reason_;
  WaitReason own_reason_{reason_};
  Context context_;
  NextExchange next_;
  Exchange exchange_;
  std::uint32_t received_ = 0;  ///< The number of the message.
  std::uint32_t sent_ = 0;
  Stage stage_ = Stage::next;
  bool asleep_ = false;
  bool settled_ = false;  ///< The processor has nothing left to do since the last wait.
  bool ahead_ = false;    ///< It has begun what is due at the end of the wait.
  std::uint32_t floating_point_mode_;  ///< The rank's.
  Process::Sleep sleep_;
  host::ThreadWaits::Wait wait_;
  std::exception_ptr failure_;
};

}  // namespace heddle::mpi::collectives
