// One part of a replay that threads or processes share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/windows/numbering.hpp"
#include "replay/engine/engine_input.hpp"
#include "replay/engine/windowed_part.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// Window by window of time: begin() or replay(), then settle() with the numbers of what that
/// caused, then take() with what other parts sent here.
class PartReplay {
 public:
  virtual ~PartReplay() = default;

  /// Starts what is free at the beginning. `before` operations belong to ranks of earlier parts.
  virtual void begin(std::uint64_t before) = 0;
  /// Everything that happens from `start` on, in a window of time. Nothing is left before it.
  virtual void replay(Time start) = 0;
  /// Gives what was caused its numbers. When next there is something to do, here or where messages
  /// go to; or Time::never().
  virtual Time settle(Numbers& numbers) = 0;
  /// What the last window did, and has for other parts.
  virtual WindowedPart& part() = 0;
  virtual void take(std::span<const RemoteMessage> messages) = 0;
  /// All that another part has for this one.
  virtual void take_from(const WindowedPart& other) = 0;

  /// The simulated time.
  virtual Time now() const = 0;
  /// How many operations have ended.
  virtual std::uint64_t ended() const = 0;
  /// Operations and messages, and hops of messages over links.
  virtual std::uint64_t events() const = 0;
  virtual std::uint64_t hops() const = 0;
  /// What is left when nothing can happen any more.
  virtual Leftovers leftovers() const = 0;
  /// Adds what is known of this part's ranks, and of links.
  virtual void add_to(ReplayResult& result) const = 0;
};

/// The engine for part `input.me`.
std::unique_ptr<PartReplay> make_part_replay(const EngineInput& input);

/// Replays all ranks of a schedule by one engine; throws StallError if operations are left that can
/// never happen.
ReplayResult replay_alone(const goal::Schedule& schedule, const ReplayOptions& options,
                          Carrier* carrier = nullptr);

}  // namespace heddle::replay
