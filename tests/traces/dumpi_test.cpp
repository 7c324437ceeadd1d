// DUMPI traces: decoded byte by byte, made into schedules, damaged.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "error_of.hpp"
#include "temporary_folder.hpp"
#include "traces/convert_support.hpp"
#include "traces/dumpi_writer.hpp"
#include "traces/readers/dumpi_functions.hpp"
#include "traces/readers/dumpi_trace.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DumpiFiles : public testing::Test {
 protected:
  /// The schedule of one file per rank, with the beginnings of what is listed.
  Conversion converted(const std::vector<std::string>& ranks,
                       const std::string& ending = ".bin") const {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::ofstream(folder_ / ("app-000" + std::to_string(r) + ending), std::ios::binary)
          << ranks[r];
    }
    return convert(read_traces(folder_.path()), defaults());
  }
  std::string error_with(const std::vector<std::string>& ranks) const {
    return heddle::error_of([&] { converted(ranks); });
  }

 private:
  TemporaryFolder folder_;
};

/// Who the only message of a rank is to or from.
std::uint32_t peer(const Conversion& made, std::uint32_t rank) {
  EXPECT_EQ(messages(made.schedule, rank).size(), 1U);
  const goal::RankView view = made.schedule.rank(rank);
  std::uint32_t i = 0;
  while (view.op(i).kind == goal::OpKind::calc) ++i;
  return view.op(i).peer;
}

/// A file of today, of one call, written down as it is in a dump: what is read of it is what the
/// bytes say.
TEST(DumpiTrace, DecodesByteByByte) {
  const std::string bytes =
      kDumpiBegin +
      std::string(
          "\0\0\0\1\0\0\0\2"            // clocks count from seconds 1 and 2
          "\0\1\x4b\0\7"                // MPI_Recv with status, wall time, thread 7
          "\0\3\0\0\0\5\0\3\0\0\0\x0b"  // from 3.000000005 s to 3.000000011 s
          "\0\0\0\x0a\0\x0e\xff\xff\xff\xff\0\0\0\x2a\0\2"  // 10 doubles, any source, tag 42
          "\0\0\0\1\0\0\0\x28\0\0\0\3\0\0\0\0\0\x2a"        // status: 40 bytes, rank 3
          "\x01\x25",                                       // the end: 293
          61) +
      std::string("\0\6\x09", 3);  // version 0.6.9
  const std::size_t header = bytes.size() - 3;
  DumpiWriter index;
  index.u64(0).u64(0).u64(0).u64(header).u64(8).u64(0).u64(0);
  const std::string file = bytes + kDumpiBegin + index.bytes().substr(16);
  const auto trace = open_dumpi(file, "a.bin");
  DumpiCall call;
  ASSERT_TRUE(trace->next(call));
  EXPECT_EQ(dumpi_functions()[call.function].name, "Recv");
  EXPECT_EQ(call.thread, 7);
  EXPECT_EQ(call.start, 3'000'000'005);
  EXPECT_EQ(call.end, 3'000'000'011);
  EXPECT_EQ(call.number_of('n'), 10);
  EXPECT_EQ(trace->size_of(call.number_of('t')), 8U);
  EXPECT_EQ(call.number_of('s'), -1);
  EXPECT_EQ(call.number_of('g'), 42);
  EXPECT_EQ(call.number_of('c'), kDumpiWorld);
  ASSERT_EQ(call.statuses.size(), 1U);
  EXPECT_EQ(call.statuses[0].bytes, 40);
  EXPECT_EQ(call.statuses[0].source, 3);
  EXPECT_EQ(call.statuses[0].tag, 42);
  EXPECT_FALSE(trace->next(call));
}

/// 290 functions; a few of them by the numbers that MPI's order in the format gives them.
TEST(DumpiTrace, FunctionsHaveTheirNumbers) {
  EXPECT_EQ(dumpi_functions().size(), 290U);
  EXPECT_EQ(find_dumpi_function("MPI_Waitall"), 18U);
  EXPECT_EQ(find_dumpi_function("MPI_Barrier"), 52U);
  EXPECT_EQ(find_dumpi_function("MPI_Finalize"), 125U);
  EXPECT_EQ(find_dumpi_function("MPI_File_write"), 250U);
  EXPECT_EQ(find_dumpi_function("MPIO_Testsome"), 289U);
}

/// Rank 0 sends 40 bytes at once and 400 later; rank 1 gets them by a receive from anybody, of
/// which the status says who it was, and by one that was posted before.
TEST_F(DumpiFiles, MessagesAndRequests) {
  DumpiWriter zero;
  zero.init();
  zero.call(dumpi_send).message(10, 1, 5);
  zero.call(dumpi_isend).message(100, 1, 6).u32(2);
  zero.call(dumpi_wait, true).u32(2).u32(1).status(1'606'419'960, 9, 96);  // of a send: anything
  DumpiWriter one;
  one.init();
  one.call(dumpi_irecv).message(1000, 0, 6).u32(7);
  one.call(dumpi_recv, true).message(10, -1, -1).u32(1).status(40, 0, 5);
  one.call(dumpi_waitall, true).u32(1).list({7}).u32(1).status(400, 0, 6);
  const Conversion made = converted({zero.finish(), one.finish()});
  EXPECT_THAT(messages(made.schedule, 0), ElementsAre("send 40 to 1 tag 5", "send 400 to 1 tag 6"));
  EXPECT_THAT(messages(made.schedule, 1),
              ElementsAre("recv 400 from 0 tag 6", "recv 40 from 0 tag 5"));
  EXPECT_THAT(made.report.warnings, IsEmpty());
  EXPECT_THAT(check(made.schedule), IsEmpty());
}

/// Calls are 10 us apart and take 1 us: between them there are 9 us, and what MPI_Init took is none
/// of the schedule's.
TEST_F(DumpiFiles, TimeBetweenCallsIsComputation) {
  DumpiWriter zero;
  zero.init().call(dumpi_barrier).u16(2);
  DumpiWriter one = zero;
  EXPECT_THAT(
      ops(converted({zero.finish(), one.finish()}).schedule, 0),
      testing::AllOf(testing::Contains("calc 9"), testing::Not(testing::Contains("calc 10"))));
}

/// What waited says which request was complete: the second of two.
TEST_F(DumpiFiles, ChoicesAreKnown) {
  DumpiWriter zero;
  zero.init();
  zero.call(dumpi_irecv).message(1, 1, 1).u32(2);
  zero.call(dumpi_irecv).message(2, 1, 2).u32(3);
  zero.call(dumpi_waitany, true).u32(2).list({2, 3}).u32(1).u32(0);
  zero.call(dumpi_send).message(4, 1, 3);
  zero.call(dumpi_wait, true).u32(2).u32(0);
  DumpiWriter one;
  one.init();
  one.call(dumpi_send).message(2, 0, 2);
  one.call(dumpi_recv).message(4, 0, 3);
  one.call(dumpi_send).message(1, 0, 1);
  const Conversion made = converted({zero.finish(), one.finish()});
  EXPECT_THAT(made.report.warnings, IsEmpty());
  EXPECT_THAT(dependencies(made.schedule, 0),
              testing::Contains(testing::StartsWith("calc 9 after recv 8 from 1 tag 2")));
}

/// A persistent receive is a receive where it is started.
TEST_F(DumpiFiles, PersistentRequests) {
  DumpiWriter zero;
  zero.init();
  zero.call(dumpi_recv_init).message(3, 1, 1).u32(2);
  zero.call(dumpi_start).u32(2);
  zero.call(dumpi_wait, true).u32(2).u32(0);
  DumpiWriter one;
  one.init().call(dumpi_send).message(3, 0, 1);
  EXPECT_THAT(messages(converted({zero.finish(), one.finish()}).schedule, 0),
              ElementsAre("recv 12 from 1 tag 1"));
}

/// Of four ranks 0 and 2 are together, 2 first by its key, and so are 1 and 3: number 0 sends to
/// number 1 of its half.
TEST_F(DumpiFiles, SplitCommunicators) {
  std::vector<std::string> files;
  for (std::uint32_t r = 0; r < 4; ++r) {
    DumpiWriter rank;
    rank.init().call(dumpi_comm_split).u16(2).u32(r % 2).u32(10 - r).u16(4);
    const bool first = r >= 2;
    if (first) {
      rank.call(dumpi_send).message(10, 1, 5, 4);
    } else {
      rank.call(dumpi_recv).message(10, 0, 5, 4);
    }
    files.push_back(rank.finish());
  }
  const Conversion made = converted(files);
  EXPECT_THAT(made.report.warnings, IsEmpty());
  EXPECT_EQ(peer(made, 2), 0U);
  EXPECT_EQ(peer(made, 3), 1U);
  EXPECT_EQ(peer(made, 0), 2U);
}

/// A grid of 2 x 3 whose columns are made communicators: ranks 1 and 4 are the second.
TEST_F(DumpiFiles, GridsAndTheirColumns) {
  std::vector<std::string> files;
  for (std::uint32_t r = 0; r < 6; ++r) {
    DumpiWriter rank;
    rank.init();
    rank.call(dumpi_cart_create).u16(2).u32(2).list({2, 3}).list({0, 0}).u32(0).u16(4);
    rank.call(dumpi_cart_sub).u32(2).u16(4).list({1, 0}).u16(5);
    if (r < 3) {
      rank.call(dumpi_send).message(10, 1, 5, 5);
    } else {
      rank.call(dumpi_recv).message(10, 0, 5, 5);
    }
    files.push_back(rank.finish());
  }
  const Conversion made = converted(files);
  EXPECT_EQ(peer(made, 1), 4U);
  EXPECT_EQ(peer(made, 5), 2U);
}

/// Only ranks 2 and 1, in this order, are in a communicator made of a group; rank 0 gets none.
TEST_F(DumpiFiles, CommunicatorsOfGroups) {
  std::vector<std::string> files;
  for (std::uint32_t r = 0; r < 3; ++r) {
    DumpiWriter rank;
    rank.init().call(dumpi_comm_group).u16(2).u16(3);
    rank.call(dumpi_group_incl).u16(3).u32(2).list({2, 1}).u16(4);
    rank.call(dumpi_comm_create).u16(2).u16(4).u16(r == 0 ? 1 : 4);
    if (r == 2) rank.call(dumpi_send).message(10, 1, 5, 4);
    if (r == 1) rank.call(dumpi_recv).message(10, 0, 5, 4);
    files.push_back(rank.finish());
  }
  const Conversion made = converted(files);
  EXPECT_EQ(peer(made, 2), 1U);
  EXPECT_THAT(messages(made.schedule, 0), IsEmpty());
}

/// The root alone has what it gets of a gather; sizes of the members of an allgatherv differ.
TEST_F(DumpiFiles, Collectives) {
  std::vector<std::string> files;
  for (std::uint32_t r = 0; r < 2; ++r) {
    DumpiWriter rank;
    rank.init();
    rank.call(dumpi_gather).u32(r).u32(7).u16(9).u32(1).u16(2);
    if (r == 1) rank.u32(7).u16(9);
    rank.call(dumpi_allgatherv).u32(2).u32(r + 1).u16(28).list({1, 2}).list({0, 1}).u16(28).u16(2);
    files.push_back(rank.finish());
  }
  const Conversion made = converted(files);
  EXPECT_THAT(made.report.warnings, IsEmpty());
  EXPECT_THAT(messages(made.schedule, 0), testing::Contains(HasSubstr("send 28 to 1")));
  EXPECT_THAT(messages(made.schedule, 0), testing::Contains(HasSubstr("send 24 to 1")));
  EXPECT_THAT(messages(made.schedule, 1), testing::Contains(HasSubstr("send 48 to 0")));
}

/// What a schedule cannot express is counted.
TEST_F(DumpiFiles, LeftOutCallsAreCounted) {
  DumpiWriter zero;
  zero.init();
  for (int i = 0; i < 3; ++i) zero.call(dumpi_file_write).u16(1).u32(10).u16(9);
  zero.call(dumpi_send).message(1, 0, 0, 77);  // a communicator that no call has made
  const Conversion made = converted({zero.finish()});
  EXPECT_THAT(made.report.warnings,
              testing::Contains(testing::Pair(HasSubstr("MPI_File_write"), 3U)));
  EXPECT_THAT(made.report.warnings, testing::Contains(testing::Pair(HasSubstr("MPI_Send"), 1U)));
}

/// Version 0.6.2 has no tags in statuses.
TEST_F(DumpiFiles, OlderVersions) {
  DumpiWriter zero(std::string_view("\0\6\2", 3));
  zero.init().call(dumpi_recv, true).message(10, -1, 5).u32(1).status(40, 1, 0);
  DumpiWriter one(std::string_view("\0\6\2", 3));
  one.init().call(dumpi_send).message(10, 0, 5);
  EXPECT_THAT(messages(converted({zero.finish(), one.finish()}).schedule, 0),
              ElementsAre("recv 40 from 1 tag 5"));
}

/// The text that dumpi2ascii makes of a trace is the same trace.
TEST_F(DumpiFiles, TextIsTheSame) {
  const auto call = [](const std::string& name, int at, const std::string& arguments) {
    const auto time = [](int us) {
      return "1296777956." + std::to_string(737'000 + us) +
             "000, cputime 0.007712000 seconds in "
             "thread 0.\n";
    };
    return name + " entering at walltime " + time(at) + arguments + name +
           " returning at walltime " + time(at + 1);
  };
  const std::string world = "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";
  const std::string type = "MPI_Datatype datatype=9 (MPI_INT)\n";
  const std::string head =
      "version=1.0.0\nstarttime=Thu Feb  3 16:05:56 2011\nhostname=h\nusername=u\nmeshdim=0\n";
  const auto file = [&](const std::string& calls) {
    return head + call("MPI_Init", 0, "int argc=1\nstring argv[1]=[\"./mpi\"]\n") + calls +
           call("MPI_Finalize", 90, "") +
           "Total keyvals: 0\nMPI_Send called 0 times and ignored 0 times\n"
           "Datatype 0 (MPI_DATATYPE_ERROR) has size 0\n";
  };
  const Conversion made = converted(
      {file(call("MPI_Isend", 10,
                 "int count=3\n" + type + "int dest=1\nint tag=1337\n" + world +
                     "MPI_Request request=[2]\n") +
            call("MPI_Waitall", 30,
                 "int count=1\nMPI_Request requests[1]=[2]\nMPI_Status statuses[1]=<IGNORED>\n")),
       file(
           call("MPI_Recv", 20,
                "int count=5\n" + type +
                    "int source=-1 (MPI_ANY_SOURCE)\n"
                    "int tag=-1 (MPI_ANY_TAG)\n" +
                    world +
                    "MPI_Status status=[{bytes=12, cancelled=0, source=0, tag=1337, error=0}]\n"))},
      ".txt");
  EXPECT_THAT(made.report.warnings, IsEmpty());
  EXPECT_THAT(ops(made.schedule, 0),
              ElementsAre("calc 9", "send 12 to 1 tag 1337", "calc 19", "calc 59"));
  EXPECT_THAT(ops(made.schedule, 1), ElementsAre("calc 19", "recv 12 from 0 tag 1337", "calc 69"));
}

/// A file cut off anywhere is refused with the byte, never half read.
TEST_F(DumpiFiles, EveryTruncationIsRefused) {
  DumpiWriter zero;
  zero.init().call(dumpi_barrier).u16(2);
  const std::string whole = zero.finish();
  EXPECT_EQ(error_with({whole}), "no error");
  for (std::size_t size = kDumpiBegin.size(); size < whole.size(); size += 37) {
    EXPECT_THAT(error_with({whole.substr(0, size)}),
                HasSubstr("at byte " + std::to_string(size) + ": the index"));
  }
}

TEST_F(DumpiFiles, SaysWhatIsWrong) {
  DumpiWriter unknown;
  unknown.init();
  unknown.call(301);
  EXPECT_THAT(error_with({unknown.finish()}), HasSubstr("function 301 is no call"));
  DumpiWriter endless;
  endless.init().call(dumpi_waitall).u32(1).u32(2'000'000'000);
  EXPECT_THAT(error_with({endless.finish()}),
              HasSubstr("at byte 91: a list with 2000000000 elements is expected"));
  DumpiWriter stopped;
  stopped.init();
  const std::string whole = stopped.finish();
  const std::size_t last = whole.find(std::string("\0\x7d", 2));
  EXPECT_THAT(
      error_with({whole.substr(0, last) + std::string("\x01\x25", 2) + whole.substr(last + 2)}),
      HasSubstr("ends before MPI_Finalize"));
  DumpiWriter alone;
  alone.init().call(dumpi_comm_split).u16(2).u32(0).u32(0).u16(4);
  DumpiWriter other;
  other.init();
  EXPECT_THAT(error_with({alone.finish(), other.finish()}),
              HasSubstr("app-0000.bin:2: MPI_Comm_split: not all members"));
}

}  // namespace
}  // namespace heddle::traces
