// One thing that happened in a run, as it is recorded.
#pragma once

#include <cstdint>

#include "core/time.hpp"

namespace heddle::record {

/// What a rank does.
enum class Activity : std::uint8_t {
  compute,
  overhead,  ///< Software: what calls and messages cost the processor.
  gap,       ///< Held up by its adapter, where the model has such a cost (g and G of LogGOPS).
  wait,
  sleep,    ///< By its own wish.
  storage,  ///< Held up by the file system.
};
inline constexpr std::size_t kActivities = 6;

/// How a message got across.
enum class Way : std::uint8_t {
  eager,        ///< Travels as soon as it is sent.
  waited_send,  ///< Travels when both sides are there; the sender was the later one.
  waited_recv,  ///< The same; the receiver was the later one.
  answer,       ///< Another message had it sent when it arrived, without its rank's doing.
};

enum class Kind : std::uint8_t { span, wait, message, call, step };

/// Steps that adapters' traces do not have, in the place of a number that has none here.
inline constexpr std::uint16_t kInjected = 14;  ///< A message has left the node of its sender.
inline constexpr std::uint16_t kNoticed = 15;   ///< A rank has noticed what was written.

/// One record. What a field means depends on the kind:
/// span     `thread` of `rank` did `activity` from `begin` to `end`
/// wait     it waited from `begin` to `end`, which message `number` ended (0: not known), or step
///          `cause` of adapters (0: not known), or the thread `waker` - 1 of the same rank (0:
///          none); a wait of no length is the beginning of a thread
/// message  `number` of `bytes` from `thread` of `rank` to `peer`: sent at `begin`, both sides
///          there at `middle`, all of it there at `end`; where the receiver came after that,
///          `middle` is later; an answer is one to the message `cause`; with step `step` of
///          adapters it was there (0: without any)
/// call     `thread` of `rank` was in the call with name `what` from `begin` to `end` and sent
///          `bytes` in it
/// step     adapters did `what`, by S4BXI's numbers of activities or one of ours, for operation
///          `number`, from the node of `rank` to that of `peer`; that step has the number `step`,
///          and `cause` had it begin, or (0) the rank itself at `middle`
struct Record {
  Kind kind = Kind::span;
  Activity activity = Activity::compute;
  Way way = Way::eager;
  std::uint16_t what = 0;
  bool from_memory = false;  ///< Of a step on the wire: it is read from memory meanwhile,
  bool to_memory = false;    ///< or written to memory.
  std::uint32_t rank = 0;
  std::uint32_t peer = 0;
  std::uint32_t thread = 0;  ///< Of the rank, its first being 0.
  std::uint32_t waker = 0;
  std::int64_t bytes = 0;
  std::uint64_t number = 0;
  std::uint64_t cause = 0;
  std::uint64_t step = 0;
  Time begin;
  Time middle;
  Time end;
};

}  // namespace heddle::record
