// The units of ranks: clocks and lines, with one of each and with several.
#include "replay/engine/rank_units.hpp"

#include <gmock/gmock.h>

namespace heddle::replay {
namespace {

/// Two processors and two adapters, of which (0, 0), (0, 1) and (1, 1) are used together.
UnitPairs several() {
  return {2, 2, {1, 1, 0, 1}};
}

goal::PackedOp op_on(std::uint8_t cpu, std::uint8_t nic) {
  goal::PackedOp op{};
  op.cpu = cpu;
  op.nic = nic;
  return op;
}

// A send needs its processor and its adapter, a calc the processor only, a message the processor
// and the receiving side of the adapter; whatever is busy longest decides.
template <class Shape>
void expect_clocks_of_its_own(const UnitPairs& pairs) {
  RankUnits<Shape> units(pairs, 7, 3);
  const goal::PackedOp op{};
  units.cpu_free(8, 0) = 10;
  units.send_free(8, 0) = 30;
  units.receive_free(8, 0) = 20;
  EXPECT_EQ(units.free_for(goal::OpKind::calc, 8, op), 10);
  EXPECT_EQ(units.free_for(goal::OpKind::send, 8, op), 30);
  EXPECT_EQ(units.free_to_handle(8, {0, 0}), 20);
  EXPECT_EQ(units.processors_done(8), 10);
  EXPECT_EQ(units.adapters_done(8), 30);
  // Its neighbours are free.
  EXPECT_EQ(units.free_for(goal::OpKind::send, 7, op), 0);
  EXPECT_EQ(units.free_to_handle(9, {0, 0}), 0);
}

TEST(RankUnits, ABusyUnitIsThatOfItsRankAndKind) {
  expect_clocks_of_its_own<OneUnitEach>({});
  expect_clocks_of_its_own<AnyUnits>(several());
}

TEST(RankUnits, HasTheRanksOfItsPartOnly) {
  const RankUnits<OneUnitEach> units({}, 7, 3);
  EXPECT_FALSE(units.here(6));
  EXPECT_TRUE(units.here(7));
  EXPECT_TRUE(units.here(9));
  EXPECT_FALSE(units.here(10));
}

// The done times are those of the unit that is busy longest: processor 1 until 40, the sending side
// of adapter 1 until 50.
TEST(RankUnits, TheLastUnitOfARankDecidesWhenItIsDone) {
  RankUnits<AnyUnits> units(several(), 0, 2);
  units.cpu_free(1, 0) = 5;
  units.cpu_free(1, 1) = 40;
  units.send_free(1, 1) = 50;
  units.receive_free(1, 0) = 45;
  EXPECT_EQ(units.processors_done(1), 40);
  EXPECT_EQ(units.adapters_done(1), 50);
}

// Calcs of a processor share a line, sends one for each pair of processor and adapter.
TEST(RankUnits, EveryPairHasALineOfItsOwn) {
  RankUnits<AnyUnits> units(several(), 0, 1);
  EXPECT_EQ(&units.line_for(goal::OpKind::calc, 0, op_on(0, 0)),
            &units.line_for(goal::OpKind::calc, 0, op_on(0, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::calc, 0, op_on(0, 0)),
            &units.line_for(goal::OpKind::calc, 0, op_on(1, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::send, 0, op_on(0, 0)),
            &units.line_for(goal::OpKind::send, 0, op_on(0, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::send, 0, op_on(0, 1)),
            &units.line_for(goal::OpKind::send, 0, op_on(1, 1)));
  units.message_line(0, 2) = 5;
  EXPECT_EQ(units.message_line(0, 1), goal::kNone);
}

// Operations leave a line as they came, the first of them without a record.
TEST(RankUnits, ALineIsServedInTheOrderItWasJoined) {
  RankUnits<OneUnitEach> units({}, 0, 1);
  OpLine& line = units.line_for(goal::OpKind::calc, 0, {});
  EXPECT_TRUE(line.empty());
  line.set_first(3);
  units.wait(line, {11, 4, 1, goal::kNone}, false);
  units.wait(line, {12, 5, 2, goal::kNone}, false);
  WaitingOp next{};
  ASSERT_TRUE(units.advance(line, next));
  EXPECT_EQ(next.op, 1U);
  EXPECT_EQ(line.first_since(), 4);
  ASSERT_TRUE(units.advance(line, next));
  EXPECT_EQ(next.op, 2U);
  EXPECT_FALSE(units.advance(line, next));
  EXPECT_TRUE(line.empty());
}

// While a rank starts its lines seem to be in use, and a receive in the queue; then they are as
// they were.
TEST(RankUnits, ClosedLinesSeemToBeInUse) {
  RankUnits<AnyUnits> units(several(), 0, 2);
  units.close_lines(1);
  for (const goal::PackedOp& op : {op_on(0, 0), op_on(0, 1), op_on(1, 1)}) {
    EXPECT_FALSE(units.line_for(goal::OpKind::send, 1, op).empty());
    EXPECT_FALSE(units.line_for(goal::OpKind::calc, 1, op).empty());
    EXPECT_TRUE(units.line_for(goal::OpKind::send, 0, op).empty());
  }
  EXPECT_EQ(units.queued_receives(1), 1U);
  units.open_lines(1);
  EXPECT_TRUE(units.line_for(goal::OpKind::send, 1, op_on(1, 1)).empty());
  EXPECT_EQ(units.queued_receives(1), 0U);
}

// Event 0 of a window caused two things, which are numbered 100 and 101: what waits with the
// provisional sequence of the second is given 101, and what is not fresh keeps what it has.
TEST(RankUnits, WhatWaitsGetsItsNumberWhenTheWindowIsOver) {
  RankUnits<OneUnitEach> units({}, 0, 1);
  OpLine& line = units.line_for(goal::OpKind::send, 0, {});
  line.set_first(0);
  units.wait(line, {7, 0, 1, goal::kNone}, false);
  units.wait(line, {Sequences::first_of(0) + 1, 0, 2, goal::kNone}, true);
  const std::vector<Numbered> numbered{{0, 1, 100, 2}};
  Numbers numbers;
  numbers.clear();
  numbers.add(numbered);
  numbers.close();
  units.settle(numbers);
  WaitingOp next{};
  units.advance(line, next);
  EXPECT_EQ(next.sequence, 7U);
  units.advance(line, next);
  EXPECT_EQ(next.sequence, 101U);
}

}  // namespace
}  // namespace heddle::replay
