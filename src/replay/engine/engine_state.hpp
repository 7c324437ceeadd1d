// What an engine knows of the ranks it replays.
#pragma once

#include "replay/engine/conditions.hpp"
#include "replay/engine/deliveries.hpp"
#include "replay/engine/engine_input.hpp"
#include "replay/engine/event_queue.hpp"
#include "replay/engine/programs.hpp"
#include "replay/engine/rank_units.hpp"
#include "replay/engine/windowed_part.hpp"
#include "replay/engine/wires/wire.hpp"

namespace heddle::replay {

/// Ends of messages: ranks of one processor and one adapter, without noise, slow nodes and a
/// recorder, as most are; what they do has no tests for what there is not.
struct PlainEnds {
  using Shape = OneUnitEach;
  using Conditions = PlainConditions;
};
/// All there is.
struct AnyEnds {
  using Shape = AnyUnits;
  using Conditions = AnyConditions;
};

inline WindowedPart part_of(const EngineInput& input) {
  if (input.parts == nullptr) return {input.schedule.ranks(), input.window()};
  return {*input.parts, input.me, input.window(), input.fabric == nullptr ? 0 : Sequences::kBehind};
}

/// The ranks of a part, or all of them.
template <class Ends, class Wire>
struct EngineState {
  explicit EngineState(const EngineInput& input)
      : costs(input.options.parameters),
        part(part_of(input)),
        units(input.units, part.first(), part.ranks()),
        programs(input.schedule, part.first(), part.last()),
        conditions(input.options, units.shape(), part.first(), part.last(), programs.numbers()),
        wire({input, events, deliveries, part}),
        events(part.make_queue()) {
    for (RankId r = part.first(); r < part.last(); ++r) {
      units.state(r).first = programs.first_of(r);
    }
  }
  EngineState(const EngineState&) = delete;
  EngineState& operator=(const EngineState&) = delete;

  [[gnu::always_inline]] RankOp op_at(RankId rank, OpId op) const {
    return {rank, op, programs.packed(units.state(rank), op)};
  }

  CostModel costs;
  WindowedPart part;
  RankUnits<typename Ends::Shape> units;
  Programs programs;
  typename Ends::Conditions conditions;
  Deliveries deliveries;
  Wire wire;
  EventQueue events;  ///< Last, for it is large.
};

}  // namespace heddle::replay
