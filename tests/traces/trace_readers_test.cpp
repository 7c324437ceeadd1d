// Files of traces: how they are found, recognised and refused.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "temporary_folder.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A folder of a test's own.
class TraceFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string folder() const { return folder_.path(); }
  std::string error_of(const std::string& path) const {
    return heddle::error_of([&] { convert(read_traces(path), defaults()); });
  }

 private:
  TemporaryFolder folder_;
};

// How the traces of each reader begin: one reader claims them, and each claims some. What else is
// text may be a list of files; bytes are nothing.
TEST(TraceReaders, EachClaimsItsOwn) {
  const std::string_view beginnings[] = {"# pmpi\nMPI_Init:-:1:2:3\n",
                                         "HEDDLETR\1\0",
                                         "0 init\n",
                                         "<algo name=\"a\">",
                                         "DATA\n1\n",
                                         "\x03\x42OTF2",
                                         "\xff\xaa\xdd"
                                         "DUMPI",
                                         "\x07\x0a\x05"
                                         "0.0.4\x04\x08\x01\x18\x04"};
  std::vector<const TraceReader*> claiming;
  for (const std::string_view beginning : beginnings) {
    for (const TraceReader* reader : trace_readers()) {
      if (reader->recognises(beginning)) claiming.push_back(reader);
    }
  }
  EXPECT_THAT(claiming, testing::UnorderedElementsAreArray(trace_readers()));
  EXPECT_EQ(claiming.size(), std::size(beginnings));
  EXPECT_EQ(reader_for("traces/rank-0.txt\n"), nullptr);
  EXPECT_TRUE(may_list_files("traces/rank-0.txt\n"));
  EXPECT_FALSE(
      may_list_files("\x7f\x01"
                     "ELF"));
}

const char* const kRank0 =
    "0 init\n0 compute 1e9\n0 isend 1 7 1e6 6\n0 wait 0 1 7\n"
    "0 allreduce 100 0 0\n0 finalize\n";
const char* const kRank1 =
    "1 init\n1 irecv 0 7 1e6 6\n1 wait 0 1 7\n1 allreduce 100 0 0\n1 finalize\n";

// Two ranks: 1e9 flops at 1 Gf are a second; a message of 1e6 bytes; an allreduce of 100 doubles,
// which between two ranks is one message of 800 bytes each way. As a list of two files, as a
// folder, and as one file of both ranks.
TEST_F(TraceFiles, TimeIndependentExample) {
  write("r0", kRank0);
  write("r1", kRank1);
  const std::string list = write("list.txt", "r0\nr1\n");
  const std::string both = write("both.ti", std::string(kRank0) + kRank1);
  std::filesystem::create_directory(folder() + "/only");
  write("only/t_rank-1.txt", kRank0);
  write("only/t_rank-2.txt", kRank1);
  for (const std::string& path : {list, both, folder() + "/only"}) {
    SCOPED_TRACE(path);
    const Conversion c = convert(read_traces(path), defaults());
    EXPECT_THAT(messages(c.schedule, 0),
                ElementsAre("send 1000000 to 1 tag 7", "send 800 to 1 tag 1000000",
                            "recv 800 from 1 tag 1000000"));
    EXPECT_THAT(messages(c.schedule, 1),
                ElementsAre("recv 1000000 from 0 tag 7", "send 800 to 0 tag 1000000",
                            "recv 800 from 0 tag 1000000"));
    EXPECT_THAT(ops(c.schedule, 0), testing::Contains("calc 1000000"));
    EXPECT_THAT(check(c.schedule), IsEmpty());
    EXPECT_THAT(c.report.warnings, IsEmpty());
  }
}

// Every action once, on one rank that talks to itself; `init 1` makes doubles of bare counts.
TEST_F(TraceFiles, EveryTimeIndependentAction) {
  const std::string path = write(
      "all.ti",
      "0 init 1\n0 location a.c 3\n0 compute 10\n0 sleep 0.001\n0 irecv 0 1 2\n0 irecv 0 2 2\n"
      "0 send 0 1 2\n0 isend 0 2 2\n0 test 0 0 1\n0 waitall 3\n0 sendRecv 1 0 1 0 6 6\n0 barrier\n"
      "0 bcast 5\n0 bcast 5 0 0\n0 reduce 5 10\n0 reduce 5 10 0 1\n0 allreduce 5 10\n"
      "0 alltoall 1 1\n0 alltoallv 1 1 1 1 0 0\n0 gather 1 1 0\n0 scatter 1 1 0 0 0\n"
      "0 allgather 1 1\n0 gatherv 1 1 0\n0 allgatherv 1 1 6 6 0\n0 scatterv 1 1 0 6 6\n"
      "0 reducescatter 1 5 0\n0 scan 1 2 0\n0 exscan 1 2\n0 finalize\n");
  const Conversion c = convert(read_traces(path), defaults());
  EXPECT_THAT(messages(c.schedule, 0),
              ElementsAre("recv 16 from 0 tag 1", "recv 16 from 0 tag 2", "send 16 to 0 tag 1",
                          "send 16 to 0 tag 2", "send 1 to 0 tag 0", "recv 1 from 0 tag 0"));
  EXPECT_THAT(check(c.schedule), IsEmpty());
}

// Rank 0's name counted up, with zeros in front or without.
TEST_F(TraceFiles, LiballprofFilesAreCountedUp) {
  for (int r = 0; r < 12; ++r) {
    const std::string text = "# header\nMPI_Init:-:1:2:1\nMPI_Barrier:2:5," + std::to_string(r) +
                             ",12:3\nMPI_Finalize:4:-\n";
    write("plain-" + std::to_string(r) + ".txt", text);
    write((r < 10 ? "zeros-0" : "zeros-") + std::to_string(r) + ".log", text);
  }
  EXPECT_EQ(read_traces(folder() + "/plain-0.txt").ranks.size(), 12U);
  EXPECT_EQ(read_traces(folder() + "/zeros-00.log").ranks.size(), 12U);
}

// Ranks in few numbers: rows, columns, single ones, downwards.
TEST(RankLists, AreRuns) {
  const std::vector<std::uint32_t> ranks = {8, 9, 10, 20, 24, 28, 7, 5, 3, 40};
  EXPECT_EQ(RankList(ranks).text(), "8:10:1,20:28:4,7:3:-2,40");
  EXPECT_EQ(RankList::read("8:10:1,20:28:4,7:3:-2,40", 64)->ranks(), ranks);
  for (const char* text :
       {"", "x", "1:2", "1:2:0", "3:1:1", "0:3:2", "64", "-1", "1,", "1:2:3:4"}) {
    EXPECT_FALSE(RankList::read(text, 64)) << text;
  }
}

// Marks say what the messages between them are together; they belong to no schedule.
TEST_F(TraceFiles, CollectivesOfSomeRanksAreMarked) {
  const std::string text =
      "0 init\n#among 0:1:1 0 allreduce 3 0 0\n0 isend 1 9 24 6\n0 wait 0 1 9\n#end 0\n"
      "0 finalize\n1 init\n1 recv 0 9 24 6\n1 finalize\n2 init\n2 finalize\n";
  const Trace trace = read_traces(write("t.ti", text));
  ASSERT_EQ(trace.ranks[0].among.size(), 1U);
  const Among& among = trace.ranks[0].among.front();
  EXPECT_EQ(among.call.kind, CallKind::allreduce);
  EXPECT_EQ(among.call.bytes, 24U);
  EXPECT_EQ(among.first, 0U);
  EXPECT_EQ(among.end, 2U);
  EXPECT_THAT(trace.ranks[0].groups[among.group].ranks(), ElementsAre(0, 1));
  const auto refused = [&](const std::string& lines) {
    return error_of(write("bad.ti", "0 init\n" + lines + "0 finalize\n1 init\n"));
  };
  EXPECT_THAT(refused("#among 0:9:1 0 barrier\n#end 0\n"), HasSubstr("ranks such as 0:6:2,9"));
  EXPECT_THAT(refused("#among 0 0 send 1 0 8 6\n#end 0\n"), HasSubstr("a collective"));
  EXPECT_THAT(refused("#among 0 0 barrier\n#among 0 0 barrier\n"), HasSubstr("has no #end"));
  EXPECT_THAT(refused("#among 0 0 barrier\n"), HasSubstr("has no #end"));
  EXPECT_THAT(refused("#end 0\n"), HasSubstr("no #among"));
}

// So are synchronous sends.
TEST_F(TraceFiles, SynchronousSendsAreMarked) {
  const Trace trace = read_traces(write(
      "t.ti", "0 init\n#synchronous 0\n0 send 1 9 24 6\n0 send 1 9 24 6\n0 finalize\n1 init\n"));
  EXPECT_TRUE(trace.ranks[0].calls[0].synchronous);
  EXPECT_FALSE(trace.ranks[0].calls[1].synchronous);
  EXPECT_THAT(error_of(write("bad.ti", "0 init\n#synchronous 0\n0 barrier\n")),
              HasSubstr("a send or isend is accepted"));
}

// And buffered ones, which nobody waits for: the wait is that of the second.
TEST_F(TraceFiles, BufferedSendsAreMarked) {
  const Trace trace = read_traces(
      write("t.ti",
            "0 init\n#buffered 0\n0 isend 1 9 24 6\n0 isend 1 9 24 6\n0 wait 0 1 9\n0 finalize\n"
            "1 init\n"));
  const CallList& calls = trace.ranks[0].calls;
  EXPECT_TRUE(calls[0].buffered);
  EXPECT_FALSE(calls[1].buffered);
  EXPECT_EQ(calls[2].request, calls[1].request);
  EXPECT_THAT(error_of(write("bad.ti", "0 init\n#buffered 0\n0 send 0 9 24 6\n")),
              HasSubstr("behind #buffered an isend is accepted"));
}

// Rank 0's own file stands for those of all ranks, whether names count from 0 or from 1; a file
// that names several ranks holds them all, whatever lies beside it.
TEST_F(TraceFiles, TimeIndependentFilesAreCountedUp) {
  for (int r = 0; r < 3; ++r) {
    const std::string me = std::to_string(r);
    const std::string text = me + " init\n" + me + " send " + std::to_string((r + 1) % 3) +
                             " 0 8\n" + me + " recv " + std::to_string((r + 2) % 3) + " 0 8\n" +
                             me + " finalize\n";
    write("actions" + me + ".txt", text);
    write("rank-" + std::to_string(r + 1) + ".txt", text);
  }
  EXPECT_EQ(read_traces(folder() + "/actions0.txt").ranks.size(), 3U);
  EXPECT_EQ(read_traces(folder() + "/rank-1.txt").ranks.size(), 3U);
  write("all-0.txt", "0 barrier\n1 barrier\n");
  write("all-1.txt", "0 barrier\n");
  EXPECT_EQ(read_traces(folder() + "/all-0.txt").ranks.size(), 2U);
}

// A byte that is no character is shown by its number; the rest of the message stays.
TEST_F(TraceFiles, BytesThatAreNoTextAreShown) {
  EXPECT_THAT(error_of(write("nul.ti", std::string("0 init\n0 se\0nd 1 0 5\n", 19))),
              AllOf(HasSubstr("nul.ti:2:3: 'se\\x00nd'"), HasSubstr("is expected")));
}

// Wall-clock times beyond 2^53 with decimals stay exact: 3.5 us of work.
TEST(TraceReaders, TimesAreExact) {
  const RankTrace trace = parse_allprof(
      "MPI_Init:-:1:2:9237666047187471.25\nMPI_Finalize:9237666047187474.75:-\n", "t");
  EXPECT_EQ(trace.calls[0].start, 3'500'000);
}

TEST_F(TraceFiles, WrongFilesAreRefusedWithTheirPlace) {
  const auto allprof_error = [&](const std::string& line) {
    return error_of(write("bad.txt", "MPI_Init:-:1:2:1\n" + line));
  };
  EXPECT_THAT(allprof_error("MPI_Send:2:9:1:1,4,4:0:0:5,0,1\n"),
              HasSubstr("bad.txt:2:31: the line ends where a time in microseconds is expected"));
  EXPECT_THAT(allprof_error("MPI_Send:2:9:x:1,4,4:0:0:5,0,1:3\n"),
              HasSubstr("bad.txt:2:14: 'x' is not accepted here: a count"));
  EXPECT_THAT(allprof_error("MPI_Send:2:9:1:1,4:0:0:5,0,1:3\n"), HasSubstr("datatype's extent"));
  EXPECT_THAT(allprof_error("MPI_Send:2:9:1:1,4,4:0:0:5,3,1:3\n"),
              HasSubstr("larger than the rank"));
  EXPECT_THAT(allprof_error("MPI_Send:2:9:-4:1,4,4:0:0:5,0,1:3\n"), HasSubstr("is no size"));
  EXPECT_THAT(allprof_error("MPI_Barrier:2:5,0,1:3:4\n"), HasSubstr("'4' is left over"));
  EXPECT_THAT(allprof_error("Send:2:3\n"), HasSubstr("begins with MPI_"));
  EXPECT_THAT(allprof_error("MPI_Finalize:2:-\nMPI_Barrier:2:5,0,1:3\n"), HasSubstr("bad.txt:3:1"));
  const auto action_error = [&](const std::string& text) {
    return error_of(write("bad.ti", text));
  };
  EXPECT_THAT(action_error("0 init\n0 sned 1 0 5\n"),
              AllOf(HasSubstr("bad.ti:2:3: 'sned'"), HasSubstr("did you mean 'send'?")));
  EXPECT_THAT(action_error("0 send 4 0 5\n"), HasSubstr("a rank below 1"));
  EXPECT_THAT(action_error("0 send 0 0 1.5\n"), HasSubstr("'1.5'"));
  EXPECT_THAT(action_error("0 send 0 0 1 40\n"), HasSubstr("0 to 34 or 59"));
  EXPECT_THAT(action_error("0 wait 0 0 3\n"), HasSubstr("is under way to wait for"));
  EXPECT_THAT(action_error("1 barrier\n"), HasSubstr("no action of rank 0"));
  EXPECT_THAT(error_of(write("list", "nothere-0.txt\n")), HasSubstr("list:1:1: 'nothere-0.txt'"));
  EXPECT_THAT(error_of(write("empty", "")), HasSubstr("not a trace"));
  EXPECT_THAT(error_of(folder() + "/nowhere"), HasSubstr("no such file or folder"));
}

// What liballprof2 writes is known by its hexadecimal addresses; datatype 46 may be of any size.
TEST_F(TraceFiles, TracesWithoutSizesAreRefusedAsSuch) {
  const std::string text =
      "MPI_Init:-:1:2:30000.11\nMPI_Isend:34704.29:0x7ffd1230:50:46:1:7:0:3:34753.17  # "
      "backtrace\n";
  const std::string file = write("lap2-trace-rank-0-of-2.txt", text);
  write("lap2-trace-rank-1-of-2.txt", text);
  EXPECT_THAT(error_of(file), AllOf(HasSubstr("0-of-2.txt:2"), HasSubstr("liballprof2")));
  EXPECT_THAT(error_of(folder()), HasSubstr("sizes of datatypes"));
}

// Calls that are known to be local are time; those that are not known are listed.
TEST(TraceReaders, UnknownCallsAreListed) {
  const RankTrace trace = parse_allprof(
      "MPI_Init:-:1:2:1\nMPI_Comm_rank:2:5,0,1:9:3\nMPI_Type_commit:4:9:5\nMPI_Win_fence:6:0:9:7\n"
      "MPI_Neighbor_alltoall:8:9\nMPI_Invented:10:11\nmpi_invented_:12:13\nMPI_Invented:14:15\n"
      "MPI_Get_count:16:9:1,4,4:8:17\nMPI_Get:18:9:19\nMPI_Finalize:20:-\n",
      "t");
  using testing::Pair;
  EXPECT_THAT(trace.left_out, ElementsAre(Pair("MPI_Get", 1), Pair("MPI_Invented", 2),
                                          Pair("MPI_Neighbor_alltoall", 1),
                                          Pair("MPI_Win_fence", 1), Pair("mpi_invented_", 1)));
}

// A matched receive gets what its probe asked for: by the address of the message, the last probe
// counts.
TEST(TraceReaders, MatchedReceivesAreThoseOfTheirProbe) {
  const RankTrace trace = parse_allprof(
      "MPI_Init:-:1:2:1\nMPI_Mprobe:2:3:7:5,0,4:800:9:3\nMPI_Improbe:4:1:8:5,0,4:16:808:9:5\n"
      "MPI_Improbe:6:2:8:5,0,4:16:808:9:7\nMPI_Mrecv:8:9:10:1,4,4:800:9:9\n"
      "MPI_Imrecv:10:9:20:1,4,4:808:24:11\nMPI_Wait:12:24:9:13\nMPI_Mrecv:14:9:1:1,4,4:800:9:15\n"
      "MPI_Finalize:16:-\n",
      "t");
  ASSERT_EQ(trace.calls.size(), 4U);
  EXPECT_EQ(trace.calls[0].kind, CallKind::recv);
  EXPECT_EQ(trace.calls[0].peer, 3);
  EXPECT_EQ(trace.calls[0].tag, 7);
  EXPECT_EQ(trace.calls[0].bytes, 40U);
  EXPECT_EQ(trace.calls[1].peer, 2);
  EXPECT_EQ(trace.calls[1].bytes, 80U);
  EXPECT_TRUE(trace.calls[1].nonblocking);
  EXPECT_EQ(trace.calls[1].request, 24U);
  ASSERT_EQ(trace.left_out.size(), 1U);
  EXPECT_THAT(trace.left_out.begin()->first, HasSubstr("no MPI_Mprobe found"));
}

// A file that ends within a line is refused: what is left of the number is not the number. One that
// ends with a line, but before MPI_Finalize, may have been cut on purpose and is listed.
TEST_F(TraceFiles, TracesThatEndTooSoon) {
  const std::string begin = "MPI_Init:-:1:2:1000\nMPI_Barrier:1001:5,0,1:1002\n";
  EXPECT_THAT(error_of(write("cut.txt", begin + "MPI_Send:1003:9:1:1,4,4:0:0:5,0,1:10")),
              AllOf(HasSubstr("cut.txt:3: "), HasSubstr("before MPI_Finalize")));
  EXPECT_THAT(error_of(write("cut.txt", begin + "MPI_Finalize:10")), HasSubstr("cut.txt:3"));
  EXPECT_THAT(error_of(write("cut.txt", begin + "MPI_Finalize:1010:-")), "no error");
  const std::string open = write("open.txt", begin);
  const Conversion c = convert(read_traces(open), defaults());
  EXPECT_THAT(c.report.warnings,
              ElementsAre(testing::Pair(
                  AllOf(HasSubstr("before MPI_Finalize"), HasSubstr("open.txt:2)")), 1)));
}

TEST_F(TraceFiles, AMissingFileInAFolderIsAnError) {
  write("t-0.txt", "MPI_Init:-:1:2:1\n");
  write("t-2.txt", "MPI_Init:-:1:2:1\n");
  EXPECT_THAT(error_of(folder()), HasSubstr("number 1 was expected"));
}

}  // namespace
}  // namespace heddle::traces
