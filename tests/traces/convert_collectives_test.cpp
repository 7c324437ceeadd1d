// Collective operations and communicators in traces.
#include <gmock/gmock.h>

#include <numeric>

#include "convert_support.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "traces/convert/pinned_memory.hpp"

namespace heddle::traces {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

/// The same line for each of `n` ranks.
std::vector<std::string> everywhere(std::size_t n, const std::string& line) {
  return std::vector<std::string>(n, line);
}

std::uint64_t sent(const goal::Schedule& s) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < s.ranks(); ++r) {
    for (std::uint32_t i = 0; i < s.rank(r).size(); ++i) {
      sum += s.rank(r).op(i).kind == goal::OpKind::send ? s.rank(r).value(i) : 0;
    }
  }
  return sum;
}
std::size_t count_sends(const goal::Schedule& s) {
  std::size_t sum = 0;
  for (std::uint32_t r = 0; r < s.ranks(); ++r) {
    for (std::uint32_t i = 0; i < s.rank(r).size(); ++i) {
      sum += s.rank(r).op(i).kind == goal::OpKind::send;
    }
  }
  return sum;
}

void set(ConvertConfig& config, const std::string& name, const std::string& value) {
  convert_table().set(config, *convert_table().find(name), value, {});
}

struct Case {
  std::string line;
  std::string parameter;
  std::string algorithm;
  std::size_t messages;  ///< On 5 ranks.
  std::uint64_t bytes;
};

// Five ranks, one integer (4 bytes) each. What every algorithm sends, by hand:
// trees and gathers to a root need 4 messages; a dissemination 5 x 3; recursive doubling on 4 with
// one rank folded in 4 x 2 + 2; a ring allreduce 2 x 4 rounds of 5, in which each of the 4 bytes is
// sent 2 x 4 times; an all-to-all 5 x 4; a binomial gather carries 4+8+4 and 4 bytes on (the fifth
// is alone); Bruck's rounds carry 1, 2 and 1 blocks.
TEST(ConvertCollectives, EveryAlgorithmMatchesAndSendsWhatItShould) {
  const std::string in = ":9:99:1:I:", red = in + "3:C:1000\n", redroot = in + "3:0:C:1000\n";
  const std::string two = ":9:1:I:99:1:I:";
  const std::vector<Case> cases = {
      {"MPI_Barrier:1000:C:1000\n", "barrier", "dissemination", 15, 15},
      {"MPI_Barrier:1000:C:1000\n", "barrier", "linear", 8, 8},
      {"MPI_Bcast:1000:9:1:I:2:C:1000\n", "bcast", "binomial", 4, 16},
      {"MPI_Bcast:1000:9:1:I:2:C:1000\n", "bcast", "binary", 4, 16},
      {"MPI_Bcast:1000:9:1:I:2:C:1000\n", "bcast", "linear", 4, 16},
      {"MPI_Reduce:1000" + redroot, "reduce", "binomial", 4, 16},
      {"MPI_Reduce:1000" + redroot, "reduce", "binary", 4, 16},
      {"MPI_Reduce:1000" + redroot, "reduce", "linear", 4, 16},
      {"MPI_Allreduce:1000" + red, "allreduce", "recursive-doubling", 10, 40},
      {"MPI_Allreduce:1000" + red, "allreduce", "dissemination", 15, 60},
      {"MPI_Allreduce:1000" + red, "allreduce", "rabenseifner", 18, 8 + 4 * (2 + 1 + 1 + 2)},
      {"MPI_Allreduce:1000" + red, "allreduce", "ring", 40, 32},
      {"MPI_Gather:1000" + two + "1:C:1000\n", "gather", "linear", 4, 16},
      {"MPI_Gather:1000" + two + "1:C:1000\n", "gather", "binomial", 4, 4 + 8 + 4 + 4},
      {"MPI_Scatter:1000" + two + "1:C:1000\n", "scatter", "linear", 4, 16},
      {"MPI_Scatter:1000" + two + "1:C:1000\n", "scatter", "binomial", 4, 4 + 8 + 4 + 4},
      {"MPI_Allgather:1000" + two + "C:1000\n", "allgather", "bruck", 15, 80},
      {"MPI_Allgather:1000" + two + "C:1000\n", "allgather", "ring", 20, 80},
      {"MPI_Allgather:1000" + two + "C:1000\n", "allgather", "linear", 20, 80},
      {"MPI_Alltoall:1000" + two + "C:1000\n", "alltoall", "linear", 20, 80},
      {"MPI_Alltoall:1000" + two + "C:1000\n", "alltoall", "pairwise", 20, 80},
      {"MPI_Scan:1000" + red, "scan", "linear", 4, 16},
      {"MPI_Scan:1000" + red, "scan", "recursive-doubling", 4 + 3 + 1, 32},
      {"MPI_Exscan:1000" + red, "scan", "linear", 4, 16},
      {"MPI_Reduce_scatter_block:1000" + red, "reduce_scatter", "pairwise", 20, 80},
      {"MPI_Reduce_scatter_block:1000" + red, "reduce_scatter", "linear", 20, 80},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line + c.algorithm);
    ConvertConfig config = defaults();
    set(config, c.parameter, c.algorithm);
    const goal::Schedule s = schedule_of(everywhere(5, c.line), config);
    EXPECT_EQ(count_sends(s), c.messages);
    EXPECT_EQ(sent(s), c.bytes);
    EXPECT_THAT(check(s), IsEmpty());
  }
}

// The same calls on a single rank send nothing.
TEST(ConvertCollectives, AloneThereIsNothingToSend) {
  const goal::Schedule s =
      schedule_of({"MPI_Barrier:1000:C:1000\nMPI_Allreduce:1004:9:99:1:I:3:C:1004\n"});
  EXPECT_THAT(ops(s, 0), ElementsAre("calc 4"));
}

// Member i adds i integers; the root's counts repeat that.
TEST(ConvertCollectives, CountsOfTheVariants) {
  std::vector<std::string> gather, scatter, all, exchange, reduce;
  for (int r = 0; r < 3; ++r) {
    const std::string n = std::to_string(r);
    gather.push_back("MPI_Gatherv:1000:9:" + n + ":I:99:5:0,1,2:6:0,0,1:I:0:C:1000\n");
    scatter.push_back("MPI_Scatterv:1000:9:5:0,1,2:6:0,0,1:I:99:" + n + ":I:0:C:1000\n");
    all.push_back("MPI_Allgatherv:1000:9:" + n + ":I:99:5:0,1,2:6:0,0,1:I:C:1000\n");
    // Rank r sends r + 1 integers to each.
    const std::string k = std::to_string(r + 1);
    exchange.push_back("MPI_Alltoallv:1000:9:5:" + k + "," + k + "," + k +
                       ":6:0,0,0:I:99:5:1,2,3:6:0,0,0:I:C:1000\n");
    reduce.push_back("MPI_Reduce_scatter:1000:9:99:5:4,5,6:I:3:C:1000\n");
  }
  EXPECT_THAT(messages(schedule_of(gather), 0),
              ElementsAre("recv 4 from 1 tag 1000000", "recv 8 from 2 tag 1000000"));
  EXPECT_THAT(messages(schedule_of(scatter), 0),
              ElementsAre("send 4 to 1 tag 1000000", "send 8 to 2 tag 1000000"));
  ConvertConfig ring = defaults();
  ring.allgather = Algorithm::ring;
  EXPECT_EQ(sent(schedule_of(all, ring)), 2U * 4 * (0 + 1 + 2));
  EXPECT_EQ(sent(schedule_of(all)), 2U * 4 * (0 + 1 + 2));
  EXPECT_EQ(sent(schedule_of(exchange)), 2U * 4 * (1 + 2 + 3));
  EXPECT_EQ(sent(schedule_of(reduce)), 2U * 4 * (4 + 5 + 6));
  for (const auto& texts : {gather, scatter, all, exchange, reduce}) {
    EXPECT_THAT(check(schedule_of(texts)), IsEmpty());
  }
}

// liballprof does not write the datatypes of Alltoallw: an error unless the user says their size.
TEST(ConvertCollectives, AlltoallwNeedsTheSizeOfElements) {
  const auto texts = everywhere(2, "MPI_Alltoallw:1000:9:5:1,2:6:0,0:7:99:5:1,2:6:0,0:8:C:1000\n");
  EXPECT_THROW(schedule_of(texts), InputError);
  ConvertConfig config = defaults();
  config.element = Bytes(8);
  EXPECT_EQ(sent(schedule_of(texts, config)), 2U * 8 + 1 * 8);
}

// Work goes on during a non-blocking collective; the wait is for its last message.
TEST(ConvertCollectives, NonblockingOnesHoldUpTheWaitOnly) {
  const goal::Schedule s = schedule_of(everywhere(
      2, "MPI_Ibarrier:1002:C:160:1002\nMPI_Wait:1009:160:8:1009\nMPI_Finalize:1012:-\n"));
  EXPECT_THAT(
      dependencies(s, 0),
      testing::IsSupersetOf({"calc 7 after calc 2", "calc 0 after recv 1 from 1 tag 1000000",
                             "calc 3 after calc 7", "calc 3 after calc 0"}));
}

// Four ranks, split by even and odd with the order turned round by the key: the barrier of the even
// ones is between ranks 2 and 0, member 0 being rank 2.
TEST(ConvertCommunicators, SplitsFollowColourAndKey) {
  std::vector<std::string> texts;
  for (int r = 0; r < 4; ++r) {
    const int member = r < 2 ? 1 : 0;
    texts.push_back("MPI_Comm_split:1000:C:" + std::to_string(r % 2) + ":" + std::to_string(-r) +
                    ":5:1000\nMPI_Bcast:1000:9:1:I:0:" + std::to_string(800 + r) + "," +
                    std::to_string(member) + ",2:1000\nMPI_Finalize:1000:-\n");
  }
  const Conversion c = convert(allprof(texts), defaults());
  EXPECT_THAT(messages(c.schedule, 2), ElementsAre(HasSubstr("send 4 to 0")));
  EXPECT_THAT(messages(c.schedule, 0), ElementsAre(HasSubstr("recv 4 from 2")));
  EXPECT_THAT(messages(c.schedule, 3), ElementsAre(HasSubstr("send 4 to 1")));
  EXPECT_EQ(c.report.communicators, 3U);
  EXPECT_THAT(c.report.warnings, IsEmpty());
}

// A negative colour takes no part; a dup of the world is another space of tags.
TEST(ConvertCommunicators, UndefinedColoursAndDups) {
  const std::vector<std::string> texts = {
      "MPI_Comm_split:1000:C:-32766:0:5:1000\nMPI_Comm_dup:1000:C:6:1000\n"
      "MPI_Send:1000:9:1:I:1:3:78,0,2:1000\nMPI_Send:1000:9:1:I:1:3:C:1000\n",
      "MPI_Comm_split:1000:C:1:0:5:1000\nMPI_Barrier:1000:79,0,1:1000\nMPI_Comm_dup:1000:C:6:1000\n"
      "MPI_Recv:1000:9:1:I:0:3:C:8:1000\nMPI_Recv:1000:9:1:I:0:3:78,1,2:8:1000\n"};
  const goal::Schedule s = schedule_of(texts);
  EXPECT_THAT(check(s), IsEmpty());
  EXPECT_THAT(messages(s, 0), ElementsAre("send 4 to 1 tag 33554435", "send 4 to 1 tag 3"));
}

// Everybody is in what MPI_Comm_idup and MPI_Dist_graph_create_adjacent make; of
// MPI_Comm_split_type and MPI_Comm_create_group it follows from who has a name for it.
TEST(ConvertCommunicators, OtherWaysToMakeThem) {
  std::vector<std::string> texts;
  for (int r = 0; r < 4; ++r) {
    const std::string me = std::to_string(r), half = std::to_string(r % 2);
    std::string text = "MPI_Comm_idup:1000:C:6:160:1000\nMPI_Wait:1000:160:8:1000\n";
    text += "MPI_Bcast:1000:9:1:I:0:78," + me + ",4:1000\n";
    text += "MPI_Dist_graph_create_adjacent:1000:C:1:5:6:1:7:8:9:0:10:1000\n";
    text += "MPI_Bcast:1000:9:2:I:0:79," + me + ",4:1000\n";
    text += "MPI_Comm_split_type:1000:C:1:0:9:10:1000\n";
    text += "MPI_Bcast:1000:9:3:I:0:80," + half + ",2:1000\n";
    // Ranks 0 and 1 only.
    if (r < 2) {
      text += "MPI_Comm_create_group:1000:C:9:5:10:1000\n";
      text += "MPI_Bcast:1000:9:4:I:0:81," + me + ",2:1000\n";
    }
    texts.push_back(text + "MPI_Finalize:1000:-\n");
  }
  const Conversion c = convert(allprof(texts), defaults());
  EXPECT_THAT(check(c.schedule), IsEmpty());
  EXPECT_EQ(c.report.communicators, 1U + 1 + 1 + 2 + 1);
  EXPECT_THAT(messages(c.schedule, 1),
              ElementsAre(HasSubstr("recv 4 from 0"), HasSubstr("send 4 to 3"),
                          HasSubstr("recv 8 from 0"), HasSubstr("send 8 to 3"),
                          HasSubstr("recv 12 from 0"), HasSubstr("recv 16 from 0")));
  EXPECT_THAT(c.report.warnings, ElementsAre(Key(HasSubstr("order of ranks"))));
}

// Sizes that cannot both be: how many, and where the first is. The root of the gather expects 2
// integers of rank 1, which sends 1, and 3 of rank 2, which sends 2; rank 1 of the broadcast has
// another size than rank 0; rank 2 of the alltoallv expects 9 of rank 0, which sends 1.
TEST(ConvertCollectives, ContradictorySizesAreListed) {
  std::vector<std::string> gather, bcast, exchange, fine;
  for (int r = 0; r < 3; ++r) {
    const std::string n = std::to_string(r);
    gather.push_back("MPI_Gatherv:1000:9:" + n + ":I:99:5:0,2,3:6:0,0,1:I:0:C:1000\n");
    fine.push_back("MPI_Gatherv:1000:9:" + n + ":I:99:5:0,1,2:6:0,0,1:I:0:C:1000\n");
    bcast.push_back("MPI_Bcast:1000:9:" + std::string(r == 1 ? "7" : "5") + ":I:0:C:1000\n");
    exchange.push_back("MPI_Alltoallv:1000:9:5:1,1,1:6:0,0,0:I:99:5:" +
                       std::string(r == 2 ? "9" : "1") + ",1,1:6:0,0,0:I:C:1000\n");
  }
  const auto warnings = [](std::vector<std::string> texts) {
    for (std::string& text : texts) text += "MPI_Finalize:1000:-\n";
    return convert(allprof(texts), defaults()).report.warnings;
  };
  using testing::AllOf;
  using testing::Pair;
  EXPECT_THAT(warnings(fine), IsEmpty());
  EXPECT_THAT(warnings(gather),
              ElementsAre(Pair(AllOf(HasSubstr("gather at rank0:2 has 8 bytes where that of rank 1 "
                                               "has 4 (rank1:2)")),
                               2)));
  EXPECT_THAT(warnings(bcast),
              ElementsAre(Pair(HasSubstr("bcast at rank1:2 has 28 bytes where that "
                                         "of rank 0 has 20 (rank0:2)"),
                               1)));
  EXPECT_THAT(warnings(exchange),
              ElementsAre(Pair(HasSubstr("alltoall at rank2:2 has 36 bytes"), 1)));
}

// A barrier has no root to be named; a broadcast has.
TEST(ConvertCollectives, CallsThatDoNotGoTogether) {
  const auto error = [](const std::string& a, const std::string& b) {
    try {
      schedule_of({a, b});
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string("no error");
  };
  const std::string barrier = "MPI_Barrier:1000:C:1000\n";
  const auto bcast = [](int root) {
    return "MPI_Bcast:1000:9:1:I:" + std::to_string(root) + ":C:1000\n";
  };
  EXPECT_THAT(error(bcast(1), barrier),
              testing::AllOf(
                  HasSubstr("bcast number 1 of its communicator, with root 1, has no counterpart"),
                  HasSubstr("rank 1 calls barrier (rank1:2)")));
  EXPECT_THAT(error(bcast(1), bcast(0)), HasSubstr("rank 1 calls bcast with root 0 (rank1:2)"));
}

// Rows of a 2 x 2 grid whose making is not in the trace: known by the order of ranks, and listed.
TEST(ConvertCommunicators, RowsAndColumnsWithoutTheirMaking) {
  std::vector<std::string> texts;
  for (int r = 0; r < 4; ++r) {
    texts.push_back("MPI_Barrier:1000:C:1000\nMPI_Bcast:1000:9:1:I:0:500," + std::to_string(r % 2) +
                    ",2:1000\nMPI_Bcast:1001:9:2:I:0:600," + std::to_string(r / 2) + ",2:1001\n");
  }
  const Conversion c = convert(allprof(texts), defaults());
  EXPECT_THAT(messages(c.schedule, 0), Contains(HasSubstr("send 4 to 1")));
  EXPECT_THAT(messages(c.schedule, 0), Contains(HasSubstr("send 8 to 2")));
  EXPECT_THAT(messages(c.schedule, 2), Contains(HasSubstr("send 4 to 3")));
  EXPECT_THAT(check(c.schedule), IsEmpty());
  EXPECT_THAT(c.report.warnings, Contains(Key(HasSubstr("order of ranks"))));
}

// Rank 1 enters the barrier 10 us after rank 0, which stays 43 us in it: 10 us of them come before
// its messages and 33 us after.
TEST(ConvertDurations, TheWaitInsideACollectiveComesFirst) {
  ConvertConfig config = defaults();
  config.durations = true;
  const goal::Schedule s =
      schedule_of({"MPI_Barrier:1000:C:1043\n", "MPI_Barrier:1010:C:1030\n"}, config);
  EXPECT_THAT(ops(s, 0), ElementsAre("calc 10", "send 1 to 1 tag 1000000",
                                     "recv 1 from 1 tag 1000000", "calc 33"));
  EXPECT_THAT(ops(s, 1), ElementsAre("calc 10", "send 1 to 0 tag 1000000",
                                     "recv 1 from 0 tag 1000000", "calc 20"));
}

// A receive that was entered 6 us before its message was sent has waited for 6 us.
TEST(ConvertDurations, TheWaitInsideAReceiveComesFirst) {
  ConvertConfig config = defaults();
  config.durations = true;
  const goal::Schedule s = schedule_of(
      {"MPI_Recv:1002:9:1:I:1:1:C:5:1012\n", "MPI_Send:1008:9:1:I:0:1:C:1010\n"}, config);
  EXPECT_THAT(ops(s, 0), ElementsAre("calc 2", "calc 6", "recv 4 from 1 tag 1", "calc 4"));
  EXPECT_THAT(ops(s, 1), ElementsAre("calc 8", "send 4 to 0 tag 1", "calc 2"));
}

// Bytes 10 to 20, then 30 to 40, then 15 to 35: the last has 10 new ones and joins all three.
TEST(PinnedMemory, CountsWhatIsNew) {
  PinnedMemory memory;
  EXPECT_EQ(memory.add(10, 10), 10U);
  EXPECT_EQ(memory.add(30, 10), 10U);
  EXPECT_EQ(memory.intervals(), 2U);
  EXPECT_EQ(memory.add(15, 20), 10U);
  EXPECT_EQ(memory.intervals(), 1U);
  EXPECT_EQ(memory.add(10, 30), 0U);
  EXPECT_EQ(memory.add(UINT64_MAX - 4, 100), 4U);
}

// A master posts receives of anything, its workers send with tags of their own and meet it in a
// barrier: MPI never lets such a receive take a message of the barrier, whichever comes first.
TEST(ConvertCollectives, OpenReceivesDoNotTakeTheirMessages) {
  std::string master;
  for (int i = 0; i < 3; ++i) {
    master += "MPI_Irecv:1000:9:1:I:-1:-1:C:" + std::to_string(160 + 8 * i) + ":1000\n";
  }
  master += "MPI_Barrier:1000:C:1001\nMPI_Waitall:1002:3:160:8:1005\nMPI_Finalize:1006:-\n";
  std::vector<std::string> texts = {master};
  for (int w = 1; w <= 3; ++w) {
    texts.push_back("MPI_Barrier:1000:C:1001\nMPI_Send:1001:9:1:I:0:" + std::to_string(w) +
                    ":C:1002\nMPI_Finalize:1006:-\n");
  }
  const goal::Schedule s = schedule_of(texts);
  EXPECT_THAT(messages(s, 0), testing::Contains("recv 4 from * tag *").Times(3));
  EXPECT_THAT(check(s), IsEmpty());
  replay::ReplayOptions options;
  options.parameters = replay::combine({}, replay::replay_table().defaults());
  EXPECT_EQ(replay::loggops_replay(s, options).events,
            s.ops() + (3 + 8));  // 3 messages and the barrier's.
}

}  // namespace
}  // namespace heddle::traces
