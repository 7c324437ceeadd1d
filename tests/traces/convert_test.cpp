// How single MPI calls become operations. A time unit is a microsecond; MPI_Init ends at 1000.
#include <gmock/gmock.h>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "goal/adapters.hpp"

namespace heddle::traces {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// 5 us of work, a send of 10 integers, 3 us of work until MPI_Finalize; the duration of the send
// itself is the network's business.
TEST(Convert, BlockingMessagesAreAChain) {
  const goal::Schedule s =
      schedule_of({"MPI_Send:1005:9:10:I:1:7:C:1010\nMPI_Finalize:1013:-\n",
                   "MPI_Recv:1001:9:10:I:0:7:C:5:1020\nMPI_Finalize:1020:-\n"});
  EXPECT_THAT(ops(s, 0), ElementsAre("calc 5", "send 40 to 1 tag 7", "calc 3"));
  EXPECT_THAT(dependencies(s, 0),
              ElementsAre("send 40 to 1 tag 7 after calc 5", "calc 3 after send 40 to 1 tag 7"));
  EXPECT_THAT(ops(s, 1), ElementsAre("calc 1", "recv 40 from 0 tag 7"));
}

// All modes of sending give the same message.
TEST(Convert, AllModesOfSending) {
  for (const char* mode : {"Send", "Bsend", "Rsend"}) {
    const Trace trace =
        allprof({"MPI_" + std::string(mode) + ":1000:9:2:I:1:7:C:1010\nMPI_Finalize:1010:-\n",
                 "MPI_Recv:1000:9:2:I:0:7:C:5:1020\nMPI_Finalize:1020:-\n"});
    const Conversion c = convert(trace, defaults());
    EXPECT_THAT(ops(c.schedule, 0), ElementsAre("send 8 to 1 tag 7")) << mode;
    EXPECT_TRUE(c.report.warnings.empty()) << mode;
  }
  for (const char* mode : {"Isend", "Ibsend", "Irsend"}) {
    const goal::Schedule s = schedule_of(
        {"MPI_" + std::string(mode) + ":1000:9:2:I:1:7:C:160:1001\nMPI_Wait:1003:160:8:1010\n",
         "MPI_Recv:1000:9:2:I:0:7:C:5:1020\n"});
    EXPECT_THAT(messages(s, 0), ElementsAre("send 8 to 1 tag 7")) << mode;
  }
}

// The end of a synchronous send waits for what its receiver sends back; that does not hold up the
// receiver. It takes a processor and an adapter of its own.
TEST(Convert, SynchronousSendsAreAcknowledged) {
  const goal::Schedule s = schedule_of({"MPI_Ssend:1000:9:2:I:1:7:C:1010\nMPI_Finalize:1013:-\n",
                                        "MPI_Recv:1000:9:2:I:0:7:C:5:1020\nMPI_Finalize:1022:-\n"});
  const std::string back = "0 tag 16777216";
  EXPECT_THAT(dependencies(s, 0), ElementsAre("recv 0 from 1 tag 16777216 after send 8 to 1 tag 7",
                                              "calc 3 after recv 0 from 1 tag 16777216"));
  EXPECT_THAT(dependencies(s, 1), ElementsAre("send 0 to " + back + " after recv 8 from 0 tag 7",
                                              "calc 2 after recv 8 from 0 tag 7"));
  for (const std::uint32_t rank : {0U, 1U}) {
    EXPECT_EQ(s.rank(rank).op(1).cpu, 1);
    EXPECT_EQ(s.rank(rank).op(1).nic, goal::kAcknowledgements);
  }
}

// What is waited for is the acknowledgement, and those of several sends are told apart by tags.
TEST(Convert, WaitsForSynchronousSendsAreForTheirAcknowledgements) {
  const goal::Schedule s =
      schedule_of({"MPI_Issend:1000:9:2:I:1:7:C:160:1001\nMPI_Issend:1001:9:2:I:1:8:C:168:1002\n"
                   "MPI_Wait:1003:168:8:1010\nMPI_Wait:1010:160:8:1020\nMPI_Finalize:1020:-\n",
                   "MPI_Recv:1000:9:2:I:0:8:C:5:1020\nMPI_Recv:1020:9:2:I:0:7:C:5:1030\n"});
  EXPECT_THAT(messages(s, 0), ElementsAre("send 8 to 1 tag 7", "recv 0 from 1 tag 16777216",
                                          "send 8 to 1 tag 8", "recv 0 from 1 tag 16777217"));
  EXPECT_THAT(messages(s, 1), ElementsAre("recv 8 from 0 tag 8", "send 0 to 0 tag 16777217",
                                          "recv 8 from 0 tag 7", "send 0 to 0 tag 16777216"));
  EXPECT_THAT(dependencies(s, 0), Contains("send 8 to 1 tag 8 after start of send 8 to 1 tag 7"));
}

// Without the trace of the receive there is nothing to wait for, which is said.
TEST(Convert, SynchronousSendsThatNobodyReceivesAreListed) {
  const Conversion c = convert(
      allprof({"MPI_Ssend:1000:9:2:I:1:7:C:1010\nMPI_Finalize:1010:-\n", "MPI_Finalize:1020:-\n"}),
      defaults());
  EXPECT_THAT(ops(c.schedule, 0), ElementsAre("send 8 to 1 tag 7"));
  EXPECT_EQ(c.report.warnings.size(), 1U);
}

// Work goes on once a non-blocking receive has started; what follows the wait waits for its end.
TEST(Convert, NonblockingMessagesHoldUpTheWaitOnly) {
  const goal::Schedule s = schedule_of(
      {"MPI_Irecv:1002:9:1:I:1:7:C:160:1003\nMPI_Wait:1009:160:8:1020\nMPI_Finalize:1024:-\n",
       "MPI_Send:1000:9:1:I:0:7:C:1010\n"});
  EXPECT_THAT(dependencies(s, 0),
              UnorderedElementsAre("recv 4 from 1 tag 7 after calc 2",
                                   "calc 6 after start of recv 4 from 1 tag 7",
                                   "calc 4 after recv 4 from 1 tag 7", "calc 4 after calc 6"));
}

// Requests of an array lie 8 bytes apart, or 4 where an address shows that they are that small.
TEST(Convert, WaitallTakesTheArrayApart) {
  for (const int step : {8, 4}) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
      text += "MPI_Irecv:1000:9:1:I:1:" + std::to_string(i) +
              ":C:" + std::to_string(160 + step * i) + ":1000\n";
    }
    text += "MPI_Waitall:1000:3:160:8:1000\nMPI_Finalize:1006:-\n";
    const goal::Schedule s = schedule_of({text, ""});
    EXPECT_THAT(dependencies(s, 0), IsSupersetOf({"calc 6 after recv 4 from 1 tag 0",
                                                  "calc 6 after recv 4 from 1 tag 1",
                                                  "calc 6 after recv 4 from 1 tag 2"}));
  }
}

// Where no message is known, Waitany takes the request posted first, and says so; the other one is
// waited for later.
TEST(Convert, WaitanyTakesTheFirstRequest) {
  const Conversion c =
      convert(allprof({"MPI_Irecv:1000:9:1:I:1:1:C:160:1000\nMPI_Irecv:1000:9:1:I:1:2:C:168:1000\n"
                       "MPI_Waitany:1000:2:160:5:6:1000\nMPI_Waitany:1004:2:160:5:6:1004\n"
                       "MPI_Finalize:1009:-\n",
                       ""}),
              defaults());
  EXPECT_THAT(dependencies(c.schedule, 0), IsSupersetOf({"calc 0 after recv 4 from 1 tag 1",
                                                         "calc 0 after recv 4 from 1 tag 2"}));
  EXPECT_THAT(c.report.warnings, Contains(Pair(HasSubstr("waitany"), 1)));
}

// Rank 0 waits for one of two messages until 1020. That of tag 2 was sent at 1005, that of tag 1 at
// 1030: it was the second request, though posted later, and no doubt is left. Had both been sent
// before the end of the call, the one sent first would be taken, with a warning.
TEST(Convert, WaitanyTakesTheMessageSentInTime) {
  for (const bool doubtful : {false, true}) {
    const std::string late = doubtful ? "1010" : "1030";
    const Conversion c = convert(
        allprof({"MPI_Irecv:1000:9:1:I:1:1:C:160:1000\nMPI_Irecv:1000:9:1:I:1:2:C:168:1000\n"
                 "MPI_Waitany:1000:2:160:5:6:1020\nMPI_Send:1023:9:1:I:1:3:C:1023\n"
                 "MPI_Wait:1024:160:5:1040\nMPI_Finalize:1045:-\n",
                 "MPI_Send:1005:9:1:I:0:2:C:1005\nMPI_Send:" + late + ":9:1:I:0:1:C:" + late +
                     "\nMPI_Recv:1040:9:1:I:0:3:C:5:1041\nMPI_Finalize:1041:-\n"}),
        defaults());
    EXPECT_THAT(
        dependencies(c.schedule, 0),
        IsSupersetOf({"calc 0 after recv 4 from 1 tag 2", "calc 3 after calc 0",
                      "send 4 to 1 tag 3 after calc 3", "calc 5 after recv 4 from 1 tag 1"}));
    EXPECT_EQ(c.report.warnings.size(), doubtful ? 1U : 0U);
  }
}

// A loop of tests: the request was complete at the last of them, so what comes after waits for it.
TEST(Convert, TheLastTestFoundTheRequestComplete) {
  const goal::Schedule s =
      schedule_of({"MPI_Irecv:1000:9:1:I:1:1:C:160:1000\nMPI_Test:1000:160:5:6:1001\nMPI_Test:1003:"
                   "160:5:6:1006\n"
                   "MPI_Finalize:1010:-\n",
                   ""});
  EXPECT_THAT(ops(s, 0),
              ElementsAre("recv 4 from 1 tag 1", "calc 1", "calc 2", "calc 3", "calc 4"));
  EXPECT_THAT(dependencies(s, 0), Contains("calc 3 after recv 4 from 1 tag 1"));
}

// A Waitsome that found two requests complete: one of them is used again without another wait, so
// it must have been complete there.
TEST(Convert, ARequestUsedAgainWasComplete) {
  const goal::Schedule s =
      schedule_of({"MPI_Irecv:1000:9:1:I:1:1:C:160:1000\nMPI_Irecv:1000:9:1:I:1:2:C:168:1000\n"
                   "MPI_Waitsome:1000:2:160:5:6:7:1000\nMPI_Irecv:1004:9:1:I:1:3:C:168:1004\n"
                   "MPI_Wait:1004:168:8:1004\nMPI_Finalize:1009:-\n",
                   ""});
  EXPECT_THAT(dependencies(s, 0),
              IsSupersetOf({"calc 0 after recv 4 from 1 tag 1", "calc 0 after recv 4 from 1 tag 2",
                            "calc 5 after recv 4 from 1 tag 3"}));
}

// A persistent request is sent each time it is started.
TEST(Convert, PersistentRequests) {
  const goal::Schedule s = schedule_of(
      {"MPI_Send_init:1000:9:1:I:1:1:C:160:1000\nMPI_Start:1002:160:1002\nMPI_Wait:1002:160:8:"
       "1002\n"
       "MPI_Start:1005:160:1005\nMPI_Wait:1005:160:8:1005\nMPI_Request_free:1006:160:1006\n",
       "MPI_Recv_init:1000:9:1:I:0:1:C:160:1000\nMPI_Startall:1001:1:160:1001\n"
       "MPI_Waitall:1001:1:160:8:1001\nMPI_Startall:1003:1:160:1003\nMPI_Waitall:1003:1:160:8:"
       "1003\n"});
  EXPECT_THAT(messages(s, 0), ElementsAre("send 4 to 1 tag 1", "send 4 to 1 tag 1"));
  EXPECT_THAT(messages(s, 1), ElementsAre("recv 4 from 0 tag 1", "recv 4 from 0 tag 1"));
  EXPECT_THAT(check(s), IsEmpty());
}

// Each side of a sendrecv has its own tag; MPI_PROC_NULL (-2 in Open MPI) is nobody.
TEST(Convert, Sendrecv) {
  const goal::Schedule s =
      schedule_of({"MPI_Sendrecv:1002:9:1:I:1:3:99:2:I:1:4:C:5:1010\n"
                   "MPI_Sendrecv_replace:1010:9:1:I:-2:3:-2:4:C:5:1010\n",
                   "MPI_Sendrecv:1002:9:2:I:0:4:99:1:I:0:3:C:5:1010\n"});
  EXPECT_THAT(ops(s, 0),
              ElementsAre("calc 2", "send 4 to 1 tag 3", "recv 8 from 1 tag 4", "calc 0"));
  EXPECT_THAT(
      dependencies(s, 0),
      UnorderedElementsAre("send 4 to 1 tag 3 after calc 2", "recv 8 from 1 tag 4 after calc 2",
                           "calc 0 after send 4 to 1 tag 3", "calc 0 after recv 8 from 1 tag 4"));
  EXPECT_THAT(check(s), IsEmpty());
}

// A receive of any tag from one rank takes its messages in order, so its tag is known.
TEST(Convert, AnyTagIsFoundWhereThereIsNoChoice) {
  const goal::Schedule s =
      schedule_of({"MPI_Recv:1000:9:1:I:1:-1:C:5:1000\nMPI_Recv:1000:9:1:I:1:-1:C:5:1000\n",
                   "MPI_Send:1000:9:1:I:0:8:C:1000\nMPI_Send:1000:9:1:I:0:6:C:1000\n"});
  EXPECT_THAT(messages(s, 0), ElementsAre("recv 4 from 1 tag 8", "recv 4 from 1 tag 6"));
}

// From any source the source stays open, and so does the tag where messages have different ones.
TEST(Convert, AnySourceStaysOpen) {
  const std::vector<std::string> texts = {
      "MPI_Recv:1000:9:1:I:-1:8:C:5:1000\nMPI_Recv:1000:9:1:I:-1:-1:C:5:1000\n",
      "MPI_Send:1000:9:1:I:0:8:C:1000\n", "MPI_Send:1000:9:1:I:0:6:C:1000\n"};
  const Conversion c = convert(allprof(texts), defaults());
  EXPECT_THAT(messages(c.schedule, 0), ElementsAre("recv 4 from * tag 8", "recv 4 from * tag *"));
  EXPECT_THAT(c.report.warnings, Contains(Pair(HasSubstr("any tag"), 1)));
}

TEST(Convert, CancelledReceivesAreLeftOutAndListed) {
  const Conversion c = convert(allprof({"MPI_Irecv:1000:9:1:I:1:1:C:160:1000\nMPI_Cancel:1001:160:"
                                        "1001\nMPI_Wait:1002:160:8:1002\n",
                                        ""}),
                               defaults());
  EXPECT_THAT(messages(c.schedule, 0), IsEmpty());
  EXPECT_THAT(c.report.warnings, Contains(Key(HasSubstr("cancelled receives"))));
}

// One-sided calls have no counterpart: their time stays and their number is told.
TEST(Convert, WhatHasNoCounterpartIsListed) {
  const Conversion c = convert(allprof({"MPI_Put:1000:1:2:3:4:5:1004\nMPI_Put:1004:1:2:3:4:5:1006\n"
                                        "MPI_Finalize:1010:-\n"}),
                               defaults());
  EXPECT_THAT(ops(c.schedule, 0), ElementsAre("calc 10"));
  EXPECT_THAT(c.report.warnings, ElementsAre(Pair(HasSubstr("MPI_Put"), 2)));
}

// Fortran names and addresses; MPICH's numbers for the wildcards.
TEST(Convert, FortranAndMpich) {
  const std::string comm0 = "1140850688,0,2", comm1 = "1140850688,1,2";
  Trace trace;
  trace.ranks.push_back(parse_allprof("MPI_INIT:-:1:2:0\nmpi_recv_:3:9:2:11,8,8:-2:5:" + comm0 +
                                          ":7:4\nmpi_send_:4:9:1:1,4,4:-1:5:" + comm0 + ":4\n",
                                      "a"));
  trace.ranks.push_back(parse_allprof("MPI_Send:3:9:2:11,8,8:0:5:" + comm1 + ":4\n", "b"));
  EXPECT_THAT(messages(convert(trace, defaults()).schedule, 0),
              ElementsAre("recv 16 from * tag 5"));
}

// 2.5 times slower computers, and a unit of a nanosecond.
TEST(Convert, ComputeScaleAndUnit) {
  ConvertConfig config = defaults();
  config.compute_scale = 2.5;
  config.unit = Time::ns(1);
  EXPECT_THAT(ops(schedule_of({"MPI_Finalize:1010:-\n"}, config), 0), ElementsAre("calc 25000"));
}

// 100 us + 1 ns/B: 400 bytes cost 100.4 us; the next buffer overlaps by half, so 200 bytes are new.
TEST(Convert, PinningCostsTheFirstUseOfABuffer) {
  ConvertConfig config = defaults();
  config.unit = Time::ns(100);
  config.pinning = true;
  config.pin_fixed = Time::us(100);
  config.pin_per_byte = TimePerByte::attoseconds(1'000'000'000);
  const goal::Schedule s =
      schedule_of({"MPI_Send:1000:5000:100:I:1:1:C:1000\nMPI_Send:1000:5000:100:I:1:1:C:1000\n"
                   "MPI_Send:1000:5200:100:I:1:1:C:1000\n",
                   ""},
                  config);
  EXPECT_THAT(ops(s, 0), ElementsAre("calc 1004", "send 400 to 1 tag 1", "send 400 to 1 tag 1",
                                     "calc 1002", "send 400 to 1 tag 1"));
}

// Errors name the file, the line, and what is wrong.
TEST(Convert, Errors) {
  EXPECT_THAT(error_of([] { schedule_of({"MPI_Send:1000:9:1:I:5:1:C:1000\n"}); }),
              AllOf(HasSubstr("rank0:2"), HasSubstr("'5' is not a rank of the communicator")));
  EXPECT_THAT(error_of([] { schedule_of({"MPI_Barrier:1000:77,0,3:1000\n"}); }),
              HasSubstr("there are traces of 1 only"));
  EXPECT_THAT(error_of([] {
                schedule_of({"MPI_Barrier:1000:C:1000\n", "MPI_Bcast:1000:9:1:I:0:C:1000\n"});
              }),
              AllOf(HasSubstr("barrier number 1"), HasSubstr("rank 1 calls bcast")));
  EXPECT_THAT(error_of([] {
                schedule_of({"MPI_Barrier:1000:C:1000\n", ""});
              }),
              HasSubstr("rank 1 calls 0 only"));
}

}  // namespace
}  // namespace heddle::traces
