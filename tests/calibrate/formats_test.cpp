// What each reader takes from texts as the programs print them.
#include <gmock/gmock.h>

#include "calibrate/format.hpp"
#include "error_of.hpp"

namespace heddle::calibrate {
namespace {

using testing::HasSubstr;

Readings readings_of(std::string_view text) {
  Readings readings;
  read_text(text, "run.txt", readings);
  return readings;
}
/// So many tables of a text.
std::vector<Measurement> tables_of(std::size_t count, std::string_view text) {
  std::vector<Measurement> tables = readings_of(text).measurements;
  EXPECT_EQ(tables.size(), count);
  tables.resize(count);
  return tables;
}
Measurement table_of(std::string_view text) {
  return tables_of(1, text)[0];
}
/// What begins a table of latencies of version 5.8.
const std::string kOsuLatency = "# OSU MPI Latency Test v5.8\n# Size Latency (us)\n";
void expect_point(const Measurement& test, std::size_t at, std::int64_t bytes, double value,
                  std::uint32_t line) {
  ASSERT_GT(test.points.size(), at);
  EXPECT_EQ(test.points[at].bytes, bytes);
  EXPECT_NEAR(test.points[at].value, value, 1e-9 * value);
  EXPECT_EQ(test.points[at].line, line);
}

TEST(OsuFormat, LatencyOfOldVersionsBeginsWithEmptyMessages) {
  const Measurement test = table_of(
      "# OSU MPI Latency Test v3.1.1\n"
      "# Size            Latency (us)\n"
      "0                         1.50\n"
      "1                         1.61\n");
  EXPECT_EQ(test.program, "osu_latency");
  EXPECT_EQ(test.loop, Loop::ping_pong);
  EXPECT_FALSE(test.rate);
  EXPECT_EQ(test.pairs, 1U);
  EXPECT_EQ(test.answer, 4);
  expect_point(test, 0, 0, 1.5, 3);
  expect_point(test, 1, 1, 1.61, 4);
}

TEST(OsuFormat, NewerVersionsNameTheTypeAndTheMean) {
  const Measurement test = table_of(
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
      "1                       1.25\n2                       1.27\n");
  EXPECT_EQ(test.answer, 1);
  expect_point(test, 1, 2, 1.27, 6);
}

TEST(OsuFormat, TheTypeMayFollowTheColumns) {
  const Measurement test = table_of(
      "# OSU MPI Bandwidth Test v7.1\n# Size      Bandwidth (MB/s)\n# Datatype: MPI_CHAR.\n"
      "1                       4.24\n");
  EXPECT_EQ(test.loop, Loop::stream);
  EXPECT_TRUE(test.rate);
  expect_point(test, 0, 1, 4.24, 4);
}

TEST(OsuFormat, SeveralTablesOfALogWithPrefixesAreAllRead) {
  const auto tables = tables_of(2,
                                "Loading modules\n"
                                "[1,0]<stdout>:# OSU MPI Bi-Directional Bandwidth Test v5.8\n"
                                "[1,0]<stdout>:# Size      Bandwidth (MB/s)\n"
                                "[1,0]<stdout>:1                       2.50\n"
                                "[1,0]<stdout>:4                      10.00\n"
                                "srun: done\n"
                                "> # OSU MPI-CUDA Latency Test v5.8\n"
                                ">   # Size          Latency (us)\n"
                                ">   8                   12.00\n"
                                "best regards\n");
  EXPECT_EQ(tables[0].loop, Loop::both_streams);
  expect_point(tables[0], 1, 4, 10, 5);
  EXPECT_TRUE(tables[1].device);
  EXPECT_EQ(tables[1].loop, Loop::ping_pong);
  expect_point(tables[1], 0, 8, 12, 9);
}

TEST(OsuFormat, ColumnsAreTakenByTheirTitles) {
  const Measurement test = table_of(
      "# OSU MPI Allreduce Latency Test v7.0\n"
      "# Size  Min Latency(us)  Avg Latency(us)  Max Latency(us)  Iterations  Validation\n"
      "4                  2.00             3.00             5.00        1000        Pass\n");
  EXPECT_EQ(test.loop, Loop::collective);
  EXPECT_EQ(test.collective, coll::Collective::allreduce);
  EXPECT_EQ(test.ranks, 0U);
  expect_point(test, 0, 4, 3, 3);
}

TEST(OsuFormat, TitlesOneBlankApartAreTheSame) {
  const Measurement test = table_of(
      "# OSU MPI Broadcast Latency Test v5.6\n# Size Avg Latency(us) Min Latency(us)\n4 3.5 2.5\n");
  EXPECT_EQ(test.collective, coll::Collective::bcast);
  expect_point(test, 0, 4, 3.5, 3);
}

TEST(OsuFormat, ATableInMarkdownIsOne) {
  const Measurement test = table_of(
      "| # OSU MPI Latency Test v6.1 |\n| # Size | Latency (us) |\n|---|---|\n| 0 | 1.5 |\n");
  expect_point(test, 0, 0, 1.5, 4);
}

TEST(OsuFormat, AMailInAnArchiveIsReadWithoutItsTags) {
  const Measurement test = table_of(
      "<span class=\"quotelev1\">&gt; # OSU MPI Latency Test v3.6\n</span><br>\n"
      "<span class=\"quotelev1\">&gt; # Size            Latency (us)\n</span><br>\n"
      "<span class=\"quotelev1\">&gt; 0                         1.50\n</span><br>\n"
      "<span class=\"quotelev1\">&gt; 1                         1.60\n</span><br>\n");
  expect_point(test, 1, 1, 1.6, 7);
}

TEST(OsuFormat, ABarrierHasNoSize) {
  const Measurement test =
      table_of("# OSU MPI Barrier Latency Test v5.8\n# Avg Latency(us)\n             7.25\n");
  EXPECT_EQ(test.collective, coll::Collective::barrier);
  expect_point(test, 0, 0, 7.25, 3);
}

TEST(OsuFormat, MessageRatesSayHowManyPairs) {
  const Measurement test = table_of(
      "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n"
      "# [ pairs: 4 ] [ window size: 32 ]\n"
      "# Size                  MB/s        Messages/s\n"
      "8                      32.00        4000000.00\n");
  EXPECT_EQ(test.pairs, 4U);
  EXPECT_EQ(test.window, 32U);
  EXPECT_TRUE(test.rate);
  expect_point(test, 0, 8, 32, 4);
}

TEST(OsuFormat, OneSidedTestsNameTheirWindow) {
  const Measurement test = table_of(
      "# OSU MPI_Put Latency Test v5.8\n# Window creation: MPI_Win_allocate\n"
      "# Synchronization: MPI_Win_flush\n# Size          Latency (us)\n8   1.9\n");
  EXPECT_EQ(test.loop, Loop::put);
  expect_point(test, 0, 8, 1.9, 5);
}

TEST(OsuFormat, NonBlockingCollectivesHaveATimeWithoutComputation) {
  const Measurement test = table_of(
      "# OSU MPI Non-blocking Allreduce Latency Test v5.8\n"
      "# Size     Overall(us)     Compute(us)     Pure Comm.(us)     Overlap(%)\n"
      "4    10.0    5.0    6.0    80.0\n");
  EXPECT_EQ(test.loop, Loop::collective);
  EXPECT_TRUE(test.nonblocking);
  EXPECT_EQ(test.collective, coll::Collective::allreduce);
  expect_point(test, 0, 4, 6, 3);
}

TEST(OsuFormat, OneSidedOperationsAreTold) {
  const auto loop_of = [](const std::string& name) {
    return table_of("# OSU " + name + " latency Test v5.8\n# Size  Latency (us)\n8   1.9\n").loop;
  };
  EXPECT_EQ(loop_of("MPI_Accumulate"), Loop::accumulate);
  EXPECT_EQ(loop_of("MPI_Get_accumulate"), Loop::get_accumulate);
  EXPECT_EQ(loop_of("MPI_Fetch_and_op"), Loop::fetch_and_op);
  EXPECT_EQ(loop_of("MPI_Compare_and_swap"), Loop::compare_and_swap);
}

TEST(OsuFormat, WhatIsNotMpiIsReadAndKeptApart) {
  for (const char* title :
       {"# OSU OpenSHMEM Put Test v5.8", "# OSU NCCL-CUDA Allreduce Latency Test v7.5",
        "# OSU MPI Non-blocking Allreduce Latency Test v5.8"}) {
    const Measurement test = table_of(
        std::string(title) +
        "\n# Size           Overall(us)       Compute(us)        Overlap(%)\n4 10.0 5.0 80.0\n");
    EXPECT_EQ(test.loop, Loop::other) << title;
    expect_point(test, 0, 4, 10, 3);
  }
}

TEST(OsuFormat, ATitleWithoutColumnsIsAMistake) {
  EXPECT_EQ(error_of([] { readings_of("x\n# OSU MPI Latency Test v5.8\nsegmentation fault\n"); }),
            "run.txt:2: a line of columns such as '# Size  Latency (us)' was looked for below "
            "'# OSU MPI Latency Test v5.8', and none was found");
  EXPECT_THAT(error_of([] { readings_of(kOsuLatency + "Killed\n"); }),
              HasSubstr("run.txt:2: rows of numbers were looked for"));
}

TEST(OsuFormat, ARowThatWasCutOffIsLeftOut) {
  const Measurement test = table_of(kOsuLatency + "1 1.0\n2 1.1\n4\n");
  EXPECT_EQ(test.points.size(), 2U);
}

TEST(ImbFormat, PingPongHasTimes) {
  const auto tables = tables_of(
      3,
      "#---------------------------------------------------\n"
      "# Benchmarking PingPong \n# #processes = 2 \n"
      "#---------------------------------------------------\n"
      "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
      "            0         1000         1.10         0.00\n"
      "            1         1000         1.20         0.83\n"
      "\n"
      "# Benchmarking Allreduce \n# #processes = 16 \n# ( 4 additional processes waiting in "
      "MPI_Barrier)\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "            4         1000         5.00         7.00         6.00\n"
      "# Benchmarking Barrier\n# #processes = 8\n"
      " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "         1000         3.00         4.00         3.50\n");
  EXPECT_EQ(tables[0].loop, Loop::ping_pong);
  expect_point(tables[0], 1, 1, 1.2, 7);
  EXPECT_EQ(tables[1].loop, Loop::collectives);
  EXPECT_EQ(tables[1].ranks, 16U);
  expect_point(tables[1], 0, 4, 6, 13);
  EXPECT_EQ(tables[2].collective, coll::Collective::barrier);
  expect_point(tables[2], 0, 0, 3.5, 17);
}

TEST(ImbFormat, PingPongOfP2pIsThereAndBack) {
  const Measurement test = table_of(
      "# Benchmarking PingPong\n# #processes = 4\n"
      "       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec\n"
      "            1       100000        20.00         0.10       100000\n");
  EXPECT_EQ(test.pairs, 2U);
  expect_point(test, 0, 1, 10, 4);
}

TEST(NetpipeFormat, VersionsAreKnownByTheirRates) {
  // 1024 B in 10 us: 781.25 Mb/s of 2^20, 0.8192 Gb/s.
  const Measurement three =
      table_of("    1024 781.250000   0.00001000\n    1027 783.538818   0.00001000\n");
  expect_point(three, 0, 1024, 10, 1);
  const Measurement four =
      table_of("1024 700.0 750.0 781.25 0.00001\n1027 700.0 750.0 783.5388 0.00001\n");
  expect_point(four, 1, 1027, 10, 2);
  const Measurement five = table_of("1024 0.8192 0.7 0.9 10.0\n1027 0.8216 0.7 0.9 10.0\n");
  expect_point(five, 0, 1024, 10, 1);
}

TEST(NetpipeFormat, ItsScreenIsRead) {
  const Measurement test = table_of(
      "  0:       1 bytes    340 times -->      0.03 Mbps in     293.10 usec\n"
      "  1:       2 bytes    440 times -->      0.05 Mbps in     293.11 usec\n");
  EXPECT_EQ(test.loop, Loop::ping_pong);
  expect_point(test, 1, 2, 293.11, 2);
}

TEST(NcclFormat, RanksAndHostsAreCounted) {
  const Measurement test = table_of(
      "# Using devices\n"
      "#  Rank  0 Group  0 Pid    501 on      hosta device  0 [0x07] A100\n"
      "#  Rank  1 Group  0 Pid    502 on      hosta device  1 [0x0f] A100\n"
      "#  Rank  2 Group  0 Pid    601 on      hostb device  0 [0x07] A100\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time "
      "  algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
      "(us) "
      " (GB/s)  (GB/s)\n"
      "        1024           256     float     sum      -1    20.50    0.05    0.07      0    "
      "20.10 "
      "   0.05    0.07      0\n"
      "# Avg bus bandwidth    : 0.07\n");
  EXPECT_EQ(test.ranks, 3U);
  EXPECT_EQ(test.nodes, 2U);
  EXPECT_TRUE(test.device);
  expect_point(test, 0, 1024, 20.5, 7);
}

TEST(PerftestFormat, MegabytesAreOf2To20AndGigabitsOf10To9) {
  const char* kHead =
      "                    RDMA_Write BW Test\n Dual-port       : OFF\n TX depth        : 128\n";
  const Measurement old =
      table_of(std::string(kHead) +
               " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
               " 65536      5000             11600.00            11500.00           0.184000\n");
  EXPECT_EQ(old.loop, Loop::wire_stream);
  EXPECT_EQ(old.window, 128U);
  expect_point(old, 0, 65536, 11500 * 1.048576, 5);
  const Measurement bits =
      table_of(std::string(kHead) +
               " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
               " 65536      5000             98.00            96.00           0.184000\n");
  expect_point(bits, 0, 65536, 12000, 5);
}

TEST(PerftestFormat, LatencyIsTheTypicalOne) {
  const Measurement test = table_of(
      "                    Send Latency Test\n"
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
      "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n"
      "Conflicting CPU frequency values detected: 1000.0 != 1259.4. CPU Frequency is not max.\n"
      " 2       1000          0.80           5.00         0.85               0.90            0.10  "
      "  "
      "        1.10                    2.00\n");
  EXPECT_EQ(test.loop, Loop::wire_ping_pong);
  expect_point(test, 0, 2, 0.85, 4);
}

TEST(SimgridFormat, ASendAndAReceiveAreARoundTrip) {
  const Measurement test = table_of(
      "MPI_Send,100,1.0,2.0e-06\nMPI_Recv,100,1.1,6.0e-06\n"
      "MPI_Send,100,1.2,4.0e-06\nMPI_Recv,100,1.3,8.0e-06\n");
  EXPECT_EQ(test.loop, Loop::ping_pong);
  // 4 us and 6 us one way.
  expect_point(test, 0, 100, 5, 1);
}

TEST(SimgridFormat, CallsByThemselvesAreOverheads) {
  const auto tables =
      tables_of(2,
                "MPI_Isend,8,1.0,3.0e-07\nMPI_Isend,8,1.1,5.0e-07\nMPI_Isend,8,1.2,4.0e-07\n"
                "MPI_Recv,8,2.0,2.0e-07\n");
  EXPECT_EQ(tables[0].loop, Loop::isend_call);
  // The median of three.
  expect_point(tables[0], 0, 8, 0.4, 1);
  EXPECT_EQ(tables[1].loop, Loop::receive_call);
}

TEST(SimgridFormat, PropertiesAreTakenWordForWord) {
  const Readings readings = readings_of(
      "<config>\n <prop id=\"smpi/os\" value=\"0:1.0e-06:2e-10;1420:2e-06:3e-10\"/>\n"
      " <prop id=\"smpi/async-small-thresh\" value=\"65536\"/>\n</config>\n");
  ASSERT_EQ(readings.given.size(), 2U);
  EXPECT_EQ(readings.given[0].parameter, "mpi.send_overhead");
  EXPECT_EQ(readings.given[0].value, "0:1.0e-06:2e-10;1420:2e-06:3e-10");
  EXPECT_EQ(readings.given[0].where.line, 2U);
  EXPECT_EQ(readings.given[1].parameter, "mpi.eager_limit");
}

TEST(NetgaugeFormat, TellsRoundTripsAndOverheads) {
  const auto tables =
      tables_of(4,
                "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
                "1 16 4.0 20.0 70.0 2.0 0.5 0.6 1.0 0.001 0.0\n");
  expect_point(tables[0], 0, 1, 2, 2);
  EXPECT_EQ(tables[2].loop, Loop::isend_call);
  expect_point(tables[3], 0, 1, 0.6, 2);
}

TEST(Formats, AWrongFileSaysWhatWasLookedFor) {
  const std::string error = error_of([] { readings_of("\n\nhello, world\n"); });
  EXPECT_THAT(error, HasSubstr("run.txt:3: no table of a benchmark was found, but 'hello, world'"));
  EXPECT_THAT(error, HasSubstr("# OSU MPI Latency Test v5.8"));
  EXPECT_THAT(error_of([] { readings_of(""); }), HasSubstr("but nothing"));
}

TEST(OwnFormat, TheLeastOfRepetitionsTellsHowFarTheyVary) {
  // Of an exponential distribution above 2 us whose median is 2.693 us the mean is 1 us more.
  const Measurement test = table_of("# test ping_pong pairs=1 window=64 inside=0\n8 2.693147 2\n");
  expect_point(test, 0, 8, 2.693147, 2);
  EXPECT_NEAR(test.points[0].spread, 1, 1e-5);
}

TEST(OwnFormat, SpeedsOfSumsAndCopiesAreRead) {
  const auto tables = tables_of(2,
                                "# test reduce_local pairs=1 window=64 inside=1\n1024 0.3\n"
                                "# test copy pairs=1 window=64 inside=1\n1024 0.1\n");
  EXPECT_EQ(tables[0].loop, Loop::reduction);
  EXPECT_EQ(tables[1].loop, Loop::copy);
}

TEST(Repetitions, OfASizeTellHowFarTheyVary) {
  // The median of five is 3, the least 1: 2 / ln 2. Four say nothing.
  std::string text = kOsuLatency;
  for (const int value : {3, 1, 2, 5, 4}) text += "8 " + std::to_string(value) + ".0\n";
  for (const int value : {3, 1, 2, 5}) text += "16 " + std::to_string(value) + ".0\n";
  const Measurement test = table_of(text);
  EXPECT_NEAR(test.points[0].spread, 2.885, 0.001);
  EXPECT_EQ(test.points[1].spread, 0);
}

}  // namespace
}  // namespace heddle::calibrate
