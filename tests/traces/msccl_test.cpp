// MSCCL's algorithm files: what becomes of them, and proofs of what they deliver.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "goal/check.hpp"
#include "temporary_file.hpp"
#include "traces/readers/msccl_algorithm.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A ring all-gather of `n` GPUs, a chunk each, as a file: everybody sends its own on, and then
/// what it got.
std::string ring_file(std::uint32_t n) {
  std::string text = fmt::format(
      "<algo name=\"ring\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{0}\" ngpus=\"{0}\" "
      "coll=\"allgather\" inplace=\"0\">\n",
      n);
  for (std::uint32_t g = 0; g < n; ++g) {
    text += fmt::format(
        " <gpu id=\"{0}\" i_chunks=\"1\" o_chunks=\"{1}\" s_chunks=\"0\">\n"
        "  <tb id=\"0\" send=\"{2}\" recv=\"{3}\" chan=\"0\">\n",
        g, n, (g + 1) % n, (g + n - 1) % n);
    const auto step = [&](std::uint32_t s, const std::string& type, char from, std::uint32_t source,
                          std::uint32_t target) {
      text += fmt::format(
          "   <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"o\" dstoff=\"{}\" "
          "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
          s, type, from, source, target);
    };
    step(0, "cpy", 'i', 0, g);
    step(1, "s", 'i', 0, 0);
    for (std::uint32_t s = 1; s < n; ++s) {
      const std::uint32_t chunk = (g + n - s) % n;
      step(s + 1, s + 1 < n ? "rcs" : "r", 'o', chunk, chunk);
    }
    text += "  </tb>\n </gpu>\n";
  }
  return text + "</algo>\n";
}

// Of four GPUs with 4 KiB in four chunks: each sends a chunk to its right three times, what it got
// before, and gets three from its left.
TEST(Msccl, BecomesASchedule) {
  const TemporaryFile file(ring_file(4));
  ConvertConfig config = convert_table().defaults();
  config.buffer = Bytes(4096);
  const Conversion conversion = convert_files(file.path, {}, config);
  ASSERT_EQ(conversion.schedule.ranks(), 4U);
  EXPECT_THAT(
      messages(conversion.schedule, 1),
      ElementsAre("send 1024 to 2 tag 0", "recv 1024 from 0 tag 0", "send 1024 to 2 tag 0",
                  "recv 1024 from 0 tag 0", "send 1024 to 2 tag 0", "recv 1024 from 0 tag 0"));
  EXPECT_THAT(goal::check(conversion.schedule), testing::IsEmpty());
  EXPECT_EQ(conversion.report.warnings.at("copies within a GPU, which take no time"), 4U);
}

/// The first `what` in a text replaced.
std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string proof_of(const std::string& text) {
  return error_of([&] { prove(parse_msccl(text, "a.xml"), "a.xml"); });
}

// LL sends a flag with every four bytes, LL128 one line in 16; a name that is not known is told.
TEST(Msccl, FlagsAreSent) {
  ConvertConfig config = convert_table().defaults();
  config.buffer = Bytes(4096);
  const auto first_message = [&](const std::string& protocol) {
    const TemporaryFile file(with(ring_file(4), "Simple", protocol));
    const Conversion conversion = convert_files(file.path, {}, config);
    const bool told = conversion.report.warnings.size() > 1;  // The other is of copies.
    return messages(conversion.schedule, 1)[0] + (told ? ", told" : "");
  };
  EXPECT_EQ(first_message("LL"), "send 2048 to 2 tag 0");
  EXPECT_EQ(first_message("LL128"), "send 1093 to 2 tag 0");
  EXPECT_EQ(first_message("LL256"), "send 1024 to 2 tag 0, told");
}

// A proof names the chunk that is wrong: GPU 0 puts what it gets first, GPU 2's, to where it puts
// GPU 1's later. With another collective it says what is missing; who waits forever is named.
TEST(Msccl, IsProvedToDeliver) {
  const std::string ring = ring_file(3);
  EXPECT_EQ(proof_of(ring), "no error");
  EXPECT_THAT(proof_of(with(ring, "dstoff=\"2\"", "dstoff=\"1\"")),
              HasSubstr("output chunk 2 of GPU 0 has nothing in the end, and chunk 0 of GPU 2 is "
                        "expected"));
  EXPECT_THAT(proof_of(with(ring, "allgather", "alltoall")), HasSubstr("is expected"));
  EXPECT_THAT(proof_of(with(ring, "allgather", "sort")), HasSubstr("accepted are allreduce"));
  EXPECT_THAT(proof_of(with(ring, "type=\"s\"", "type=\"nop\"")), HasSubstr("waits forever"));
}

// In place: two GPUs send each other their chunk and add what comes. Adding it twice is found.
TEST(Msccl, ReductionsAreCounted) {
  std::string text =
      "<algo name=\"pair\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"2\" "
      "coll=\"allreduce\" inplace=\"1\">";
  for (const char* const gpu : {"0", "1"}) {
    text += fmt::format(
        "<gpu id=\"{0}\" i_chunks=\"1\" o_chunks=\"0\" s_chunks=\"1\">"
        "<tb id=\"0\" send=\"{1}\" recv=\"{1}\" chan=\"0\">"
        "<step s=\"0\" type=\"s\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" "
        "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
        "<step s=\"1\" type=\"rrc\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" "
        "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
        "</tb></gpu>",
        gpu, gpu[0] == '0' ? "1" : "0");
  }
  text += "</algo>";
  EXPECT_EQ(proof_of(text), "no error");
  const std::string twice = with(text, "hasdep=\"0\"/></tb>",
                                 "hasdep=\"0\"/><step s=\"2\" type=\"re\" srcbuf=\"i\" "
                                 "srcoff=\"0\" dstbuf=\"i\" dstoff=\"0\" cnt=\"1\"/></tb>");
  EXPECT_THAT(proof_of(twice), HasSubstr("2 x chunk 0 of GPU 0 + 2 x chunk 0 of GPU 1"));
}

// What is sent is on its way: two that send before they receive do not wait for each other, however
// large the messages, in each of the 16 loops that a chunk of 32 MiB goes through in.
TEST(Msccl, SendsAreBuffered) {
  const TemporaryFile file(ring_file(2));
  ConvertConfig config = convert_table().defaults();
  config.buffer = Bytes(64 << 20);
  const goal::Schedule schedule = convert_files(file.path, {}, config).schedule;
  std::uint32_t of_starts = 0;
  for (std::uint32_t i = 0; i < schedule.rank(0).size(); ++i) {
    for (const goal::Edge edge : schedule.rank(0).successors(i)) of_starts += edge.from_start;
  }
  EXPECT_EQ(of_starts, 16U);
}

// Errors name the byte and what is accepted.
TEST(Msccl, MistakesAreNamed) {
  const std::string ring = ring_file(2);
  EXPECT_THAT(proof_of("<algo"), HasSubstr("this is not XML"));
  EXPECT_THAT(proof_of(ring.substr(0, ring.size() - 9)),
              testing::AllOf(HasSubstr("a.xml:15"), HasSubstr("the file ends before </algo>")));
  EXPECT_THAT(proof_of(with(ring, "type=\"cpy\"", "type=\"copy\"")),
              testing::AllOf(HasSubstr("at byte"), HasSubstr("accepted are s, r, rcs")));
  EXPECT_THAT(proof_of(with(ring, "ngpus=\"2\"", "ngpus=\"3\"")),
              HasSubstr("GPU 2 of 3 is missing"));
  EXPECT_THAT(proof_of(with(ring, "dstoff=\"0\"", "dstoff=\"7\"")),
              HasSubstr("chunks 7 to 7 of a buffer that has 2"));
  EXPECT_THAT(proof_of(with(ring, "depid=\"-1\" deps=\"-1\"", "depid=\"3\" deps=\"0\"")),
              HasSubstr("which is not there"));
}

}  // namespace
}  // namespace heddle::traces
