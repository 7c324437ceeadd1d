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
  RankUnits<Shape> units(pairs, RankId{7}, 3);
  const goal::PackedOp op{};
  units.cpu_free(RankId{8}, CpuId{0}) = Time::ps(10);
  units.send_free(RankId{8}, NicId{0}) = Time::ps(30);
  units.receive_free(RankId{8}, NicId{0}) = Time::ps(20);
  EXPECT_EQ(units.free_for(goal::OpKind::calc, RankId{8}, op).ps(), 10);
  EXPECT_EQ(units.free_for(goal::OpKind::send, RankId{8}, op).ps(), 30);
  EXPECT_EQ(units.free_to_handle(RankId{8}, {CpuId{0}, NicId{0}}).ps(), 20);
  EXPECT_EQ(units.processors_done(RankId{8}).ps(), 10);
  EXPECT_EQ(units.adapters_done(RankId{8}).ps(), 30);
  // Its neighbours are free.
  EXPECT_EQ(units.free_for(goal::OpKind::send, RankId{7}, op).ps(), 0);
  EXPECT_EQ(units.free_to_handle(RankId{9}, {CpuId{0}, NicId{0}}).ps(), 0);
}

TEST(RankUnits, ABusyUnitIsThatOfItsRankAndKind) {
  expect_clocks_of_its_own<OneUnitEach>({});
  expect_clocks_of_its_own<AnyUnits>(several());
}

TEST(RankUnits, HasTheRanksOfItsPartOnly) {
  const RankUnits<OneUnitEach> units({}, RankId{7}, 3);
  EXPECT_FALSE(units.here(RankId{6}));
  EXPECT_TRUE(units.here(RankId{7}));
  EXPECT_TRUE(units.here(RankId{9}));
  EXPECT_FALSE(units.here(RankId{10}));
}

// The done times are those of the unit that is busy longest: processor 1 until 40, the sending side
// of adapter 1 until 50.
TEST(RankUnits, TheLastUnitOfARankDecidesWhenItIsDone) {
  RankUnits<AnyUnits> units(several(), RankId{0}, 2);
  units.cpu_free(RankId{1}, CpuId{0}) = Time::ps(5);
  units.cpu_free(RankId{1}, CpuId{1}) = Time::ps(40);
  units.send_free(RankId{1}, NicId{1}) = Time::ps(50);
  units.receive_free(RankId{1}, NicId{0}) = Time::ps(45);
  EXPECT_EQ(units.processors_done(RankId{1}).ps(), 40);
  EXPECT_EQ(units.adapters_done(RankId{1}).ps(), 50);
}

// Calcs of a processor share a line, sends one for each pair of processor and adapter.
TEST(RankUnits, EveryPairHasALineOfItsOwn) {
  RankUnits<AnyUnits> units(several(), RankId{0}, 1);
  EXPECT_EQ(&units.line_for(goal::OpKind::calc, RankId{0}, op_on(0, 0)),
            &units.line_for(goal::OpKind::calc, RankId{0}, op_on(0, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::calc, RankId{0}, op_on(0, 0)),
            &units.line_for(goal::OpKind::calc, RankId{0}, op_on(1, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::send, RankId{0}, op_on(0, 0)),
            &units.line_for(goal::OpKind::send, RankId{0}, op_on(0, 1)));
  EXPECT_NE(&units.line_for(goal::OpKind::send, RankId{0}, op_on(0, 1)),
            &units.line_for(goal::OpKind::send, RankId{0}, op_on(1, 1)));
  units.message_line(RankId{0}, PairId{2}) = MessageId{5};
  EXPECT_EQ(units.message_line(RankId{0}, PairId{1}), kNoMessage);
}

// Operations leave a line as they came, the first of them without a record.
TEST(RankUnits, ALineIsServedInTheOrderItWasJoined) {
  RankUnits<OneUnitEach> units({}, RankId{0}, 1);
  OpLine& line = units.line_for(goal::OpKind::calc, RankId{0}, {});
  EXPECT_TRUE(line.empty());
  line.set_first(Time::ps(3));
  units.wait(line, {11, Time::ps(4), OpId{1}, goal::kNone}, false);
  units.wait(line, {12, Time::ps(5), OpId{2}, goal::kNone}, false);
  WaitingOp next{};
  ASSERT_TRUE(units.advance(line, next));
  EXPECT_EQ(next.op, OpId{1});
  EXPECT_EQ(line.first_since().ps(), 4);
  ASSERT_TRUE(units.advance(line, next));
  EXPECT_EQ(next.op, OpId{2});
  EXPECT_FALSE(units.advance(line, next));
  EXPECT_TRUE(line.empty());
}

// While a rank starts its lines seem to be in use, and a receive in the queue; then they are as
// they were.
TEST(RankUnits, ClosedLinesSeemToBeInUse) {
  RankUnits<AnyUnits> units(several(), RankId{0}, 2);
  units.close_lines(RankId{1});
  for (const goal::PackedOp& op : {op_on(0, 0), op_on(0, 1), op_on(1, 1)}) {
    EXPECT_FALSE(units.line_for(goal::OpKind::send, RankId{1}, op).empty());
    EXPECT_FALSE(units.line_for(goal::OpKind::calc, RankId{1}, op).empty());
    EXPECT_TRUE(units.line_for(goal::OpKind::send, RankId{0}, op).empty());
  }
  EXPECT_EQ(units.queued_receives(RankId{1}), 1U);
  units.open_lines(RankId{1});
  EXPECT_TRUE(units.line_for(goal::OpKind::send, RankId{1}, op_on(1, 1)).empty());
  EXPECT_EQ(units.queued_receives(RankId{1}), 0U);
}

// Event 0 of a window caused two things, which are numbered 100 and 101: what waits with the
// provisional sequence of the second is given 101, and what is not fresh keeps what it has.
TEST(RankUnits, WhatWaitsGetsItsNumberWhenTheWindowIsOver) {
  RankUnits<OneUnitEach> units({}, RankId{0}, 1);
  OpLine& line = units.line_for(goal::OpKind::send, RankId{0}, {});
  line.set_first(Time::ps(0));
  units.wait(line, {7, Time::ps(0), OpId{1}, goal::kNone}, false);
  units.wait(line, {Sequences::first_of(0) + 1, Time::ps(0), OpId{2}, goal::kNone}, true);
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
