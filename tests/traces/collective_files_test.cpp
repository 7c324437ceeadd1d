// Collectives as files have them: MSCCL's algorithms and Chakra's custom collectives in schedules
// of others, and what is refused.
#include "traces/readers/collective_files.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include <fmt/core.h>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "goal/check.hpp"
#include "goal/training/streams.hpp"
#include "temporary_folder.hpp"
#include "traces/chakra_writer.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two GPUs with a chunk each send it to each other.
constexpr const char* kPair =
    "<algo name=\"pair\" proto=\"{}\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" "
    "coll=\"allgather\" inplace=\"0\">"
    "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\"><tb id=\"0\" send=\"1\" recv=\"1\" "
    "chan=\"0\"><step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
    "cnt=\"1\"/><step s=\"1\" type=\"s\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
    "cnt=\"1\"/><step s=\"2\" type=\"r\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"1\" "
    "cnt=\"1\"/></tb></gpu>"
    "<gpu id=\"1\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\"><tb id=\"0\" send=\"0\" recv=\"0\" "
    "chan=\"0\"><step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"1\" "
    "cnt=\"1\"/><step s=\"1\" type=\"s\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
    "cnt=\"1\"/><step s=\"2\" type=\"r\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
    "cnt=\"1\"/></tb></gpu></algo>";

class CollectiveFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string pair_file(const std::string& protocol = "Simple") const {
    return write("pair.xml", fmt::format(fmt::runtime(kPair), protocol));
  }
  /// A ring of all-reduces of three GPUs as Chakra's traces: rank 0's file. Of rank 2 the last
  /// `left_out` operations are not there.
  std::string ring_files(std::uint64_t bytes, std::uint32_t left_out = 0) const {
    goal::ScheduleBuilder builder(3, "ring");
    for (std::uint32_t r = 0; r < 3; ++r) {
      builder.begin_rank(r);
      goal::StreamWriter(builder).ring(goal::Ring::allreduce, goal::Stream::compute, {0, 1, 3, r},
                                       bytes, goal::Before());
      builder.end_rank();
    }
    const goal::Schedule whole = builder.finish();
    goal::ScheduleBuilder part(3, "part");
    for (std::uint32_t r = 0; r < 3; ++r) {
      part.begin_rank(r);
      const goal::RankView rank = whole.rank(r);
      const std::uint32_t size = rank.size() - (r == 2 ? left_out : 0);
      for (std::uint32_t i = 0; i < size; ++i) part.add(rank.op(i));
      for (std::uint32_t i = 0; i < size; ++i) {
        for (const goal::Edge edge : rank.successors(i)) {
          if (edge.target < size) part.requires_end(edge.target, i);
        }
      }
      part.end_rank();
    }
    const goal::Schedule schedule = part.finish();
    for (std::uint32_t r = 0; r < 3; ++r) {
      write(fmt::format("ring.{}.et", r), chakra_file_of(schedule, r, Time::ns(1)));
    }
    return folder_ / "ring.0.et";
  }

 private:
  TemporaryFolder folder_;
};

// A chunk of 5 MiB is sent in pieces of 2 MiB, one after another, as Simple sends no more at once;
// with LL, which sends 32 KiB of data and as many bytes of flags, in 160.
TEST_F(CollectiveFiles, LargeBuffersGoThroughInLoops) {
  ConvertConfig config = convert_table().defaults();
  config.buffer = Bytes(10 << 20);
  const goal::Schedule schedule = convert_files(pair_file(), {}, config).schedule;
  EXPECT_THAT(messages(schedule, 0),
              ElementsAre("send 2097152 to 1 tag 0", "recv 2097152 from 1 tag 0",
                          "send 2097152 to 1 tag 0", "recv 2097152 from 1 tag 0",
                          "send 1048576 to 1 tag 0", "recv 1048576 from 1 tag 0"));
  EXPECT_THAT(goal::check(schedule), testing::IsEmpty());
  const goal::Schedule flags = convert_files(pair_file("LL"), {}, config).schedule;
  EXPECT_EQ(messages(flags, 0).size(), 320U);
  EXPECT_THAT(messages(flags, 0), Each(HasSubstr(" 65536 ")));
}

/// Chakra's JSON of two GPUs with two all-gathers of 1000 bytes each, one after the other, and one
/// beside them.
std::string three_gathers() {
  std::string text = "{\"version\": \"0.0.4\"}";
  for (int id = 1; id <= 3; ++id) {
    text += fmt::format(
        "{{\"id\": {}, \"name\": \"g\", \"type\": \"COMM_COLL_NODE\", \"dataDeps\": [{}], "
        "\"attr\": "
        "[{{\"name\": \"comm_type\", \"int64Val\": 2}}, {{\"name\": \"comm_size\", \"int64Val\": "
        "1000}}]}}",
        id, id == 2 ? "1" : "");
  }
  return text;
}

// The collectives of a trace are those of the file: a message of 1000 bytes each way, as chunks are
// half of the 2000 that each has in the end; tags differ, so that none meets another's.
TEST_F(CollectiveFiles, TakeThePlaceOfRings) {
  const std::string trace = write("t.0.json", three_gathers());
  write("t.1.json", three_gathers());
  CollectiveConfig files = collective_table().defaults();
  files.allgather = pair_file();
  const goal::CollectiveAlgorithms algorithms = load_collectives(files, Time::ns(1));
  ConvertConfig config = convert_table().defaults();
  config.collectives = &algorithms;
  const goal::Schedule schedule = convert_files(trace, {}, config).schedule;
  EXPECT_THAT(messages(schedule, 0), ElementsAre("send 1000 to 1 tag 0", "recv 1000 from 1 tag 0",
                                                 "send 1000 to 1 tag 1", "recv 1000 from 1 tag 1",
                                                 "send 1000 to 1 tag 2", "recv 1000 from 1 tag 2"));
  EXPECT_THAT(goal::check(schedule), testing::IsEmpty());
  EXPECT_THAT(algorithms.remarks(), testing::IsEmpty());
}

// Chakra's sends and receives are known by their flow; with the size that they are for they are
// scaled: thirds of 300 bytes become thirds of 3000.
TEST_F(CollectiveFiles, ChakraIsScaled) {
  CollectiveConfig files = collective_table().defaults();
  files.allreduce = ring_files(300);
  files.bytes = Bytes(300);
  const goal::CollectiveAlgorithms algorithms = load_collectives(files, Time::ns(1));
  const goal::CollectiveAlgorithm* const ring = algorithms.find(goal::CollectiveKind::allreduce, 3);
  ASSERT_NE(ring, nullptr);
  EXPECT_EQ(messages(ring->schedule(3000), 1).size(), 8U);
  EXPECT_THAT(messages(ring->schedule(3000), 1), Each(HasSubstr(" 1000 ")));
  files.bytes = std::nullopt;
  const goal::CollectiveAlgorithms unscaled = load_collectives(files, Time::ns(1));
  EXPECT_THAT(messages(unscaled.find(goal::CollectiveKind::allreduce, 3)->schedule(3000), 1),
              Each(HasSubstr(" 100 ")));
}

TEST_F(CollectiveFiles, SayWhatTheyAre) {
  const CollectiveFile pair = look_at_collective(pair_file(), std::nullopt);
  EXPECT_EQ(pair.name, "pair");
  EXPECT_EQ(pair.kind, goal::CollectiveKind::allgather);
  EXPECT_EQ(pair.gpus, 2U);
  EXPECT_EQ(pair.proved, "every chunk");
  const CollectiveFile ring = look_at_collective(ring_files(300), std::nullopt);
  EXPECT_EQ(ring.kind, std::nullopt);
  EXPECT_THAT(ring.proved, HasSubstr("nothing"));
  const auto kind = goal::CollectiveKind::allreduce;
  EXPECT_EQ(look_at_collective(ring_files(300), kind).proved, "flow");
  EXPECT_EQ(look_at_collective(ring_files(300), kind, Bytes(300)).proved, "flow, bytes");
}

// A file for something else, one whose last receive is missing, one that moves too few bytes for
// the size that it is said to be for, and what is no algorithm.
TEST_F(CollectiveFiles, MistakesAreNamed) {
  const auto kind = goal::CollectiveKind::allreduce;
  const auto problem = [&](const std::string& path, std::optional<Bytes> bytes = std::nullopt) {
    return error_of([&] { look_at_collective(path, kind, bytes); });
  };
  EXPECT_THAT(problem(pair_file()),
              AllOf(HasSubstr("pair.xml"), HasSubstr("an allreduce is expected here"),
                    HasSubstr("an algorithm for allgather")));
  EXPECT_THAT(problem(ring_files(300, 1)),
              AllOf(HasSubstr("ring.0.et"), HasSubstr("this is no allreduce")));
  EXPECT_THAT(problem(ring_files(300), Bytes(500)),
              AllOf(HasSubstr("GPU 0 sends 400 bytes in all"), HasSubstr("at least 500")));
  write("t.1.json", three_gathers());
  EXPECT_THAT(problem(write("t.0.json", three_gathers())), HasSubstr("nodes of collectives"));
  EXPECT_THAT(problem("/nowhere/a.xml"), HasSubstr("there is no such file"));
  EXPECT_THAT(problem(write("ti.txt", "0 init\n0 send 1 0 1e6\n")),
              HasSubstr("is no algorithm: accepted are"));
}

}  // namespace
}  // namespace heddle::traces
