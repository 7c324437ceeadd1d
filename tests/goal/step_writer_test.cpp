// Steps of collective algorithms as operations of a schedule.
#include "goal/patterns/step_writer.hpp"
#include "goal/schedule_builder.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "goal/formats/formats.hpp"

namespace heddle::goal {
namespace {

/// The text of what member 0 of two does by these steps.
std::string written(const std::function<void(StepWriter&)>& steps, const StepCosts& costs = {}) {
  ScheduleBuilder builder(2);
  builder.begin_rank(0);
  StepWriter writer({builder, 0, 2}, costs);
  steps(writer);
  writer.wait();
  builder.end_rank();
  std::ostringstream out;
  write_text(builder.finish(), out);
  const std::string text = out.str();
  const std::string head = "num_ranks 2\n\nrank 0 {\n";
  return text.substr(head.size(), text.find('}') - head.size());
}

// What begins together waits for nothing in common; sends stand first. What begins behind a wait
// follows both.
TEST(StepWriter, WaitsAreDependencies) {
  EXPECT_EQ(written([](StepWriter& s) {
              s.exchange(data_of(5), 1, data_of(6), 1);
              s.send_now(data_of(7), 1);
            }),
            "l1: send 5b to 1 tag 0\n"
            "l2: recv 6b from 1 tag 0\n"
            "l3: send 7b to 1 tag 0\n"
            "l3 requires l1\n"
            "l3 requires l2\n");
}

// A message that is not waited for holds nothing up: the second send follows the receive only.
TEST(StepWriter, WhatIsNotWaitedForHoldsNothingUp) {
  EXPECT_EQ(written([](StepWriter& s) {
              s.send(data_of(5), 1);
              s.receive_now(data_of(6), 1);
              s.send(data_of(7), 1);
            }),
            "l1: send 5b to 1 tag 0\n"
            "l2: recv 6b from 1 tag 0\n"
            "l3: send 7b to 1 tag 0\n"
            "l3 requires l2\n");
}

// A reduction of 6 bytes at 10 a byte follows what came, not what was sent; the next send follows
// the reduction and the send before.
TEST(StepWriter, ReductionsFollowWhatCame) {
  const WorkFor ten_a_byte = [](std::uint64_t bytes) { return 10 * bytes; };
  EXPECT_EQ(written(
                [](StepWriter& s) {
                  s.exchange(data_of(5), 1, data_of(6), 1);
                  s.reduce(data_of(6), data_of(6));
                  s.send(data_of(7), 1);
                },
                {ten_a_byte}),
            "l1: send 5b to 1 tag 0\n"
            "l2: recv 6b from 1 tag 0\n"
            "l3: calc 60\n"
            "l3 requires l2\n"
            "l4: send 7b to 1 tag 0\n"
            "l4 requires l1\n"
            "l4 requires l3\n");
}

// Five messages and five behind them are joined by one operation: 10 dependencies instead of 25.
TEST(StepWriter, ManyAreJoinedByOne) {
  const std::string text = written([](StepWriter& s) {
    for (int i = 0; i < 5; ++i) s.receive(data_of(1), 1);
    s.wait();
    for (int i = 0; i < 5; ++i) s.send(data_of(1), 1);
  });
  EXPECT_THAT(text, testing::HasSubstr("l6: calc 0\n"));
  const auto lines = [&](std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(lines(" requires "), 10U);
}

// Messages without data carry what the writer is told, as a barrier's that are one byte long.
TEST(StepWriter, MessagesWithoutDataHaveASize) {
  ScheduleBuilder builder(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.begin_rank(r);
    write_steps({builder, r, 2}, coll::barrier_algorithms(), "bruck", coll::Barrier{}, {{}, 1});
    builder.end_rank();
  }
  const Schedule schedule = builder.finish();
  EXPECT_EQ(schedule.ops(), 4U);
  EXPECT_EQ(schedule.largest_message(), 1U);
}

}  // namespace
}  // namespace heddle::goal
