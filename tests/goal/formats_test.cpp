// Schedules survive every format, and mistakes are reported where they are.
#include "goal/formats/formats.hpp"
#include "goal/schedule_builder.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::goal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string written(const Schedule& schedule, Format format) {
  std::ostringstream out;
  write_schedule(schedule, format, out);
  return out.str();
}

std::string mistake_in(const std::string& text) {
  return heddle::error_of([&] { parse_schedule(text, "x.goal"); });
}

void expect_equal(const Schedule& a, const Schedule& b) {
  ASSERT_EQ(a.ranks(), b.ranks());
  for (std::uint32_t r = 0; r < a.ranks(); ++r) {
    const RankView ra = a.rank(r);
    const RankView rb = b.rank(r);
    ASSERT_EQ(ra.size(), rb.size());
    for (std::uint32_t i = 0; i < ra.size(); ++i) {
      ASSERT_EQ(ra.op(i), rb.op(i)) << "rank " << r << " operation " << i;
      ASSERT_EQ(ra.successors(i).size(), rb.successors(i).size());
      for (std::size_t k = 0; k < ra.successors(i).size(); ++k) {
        EXPECT_EQ(ra.successors(i)[k].target, rb.successors(i)[k].target);
        EXPECT_EQ(ra.successors(i)[k].from_start, rb.successors(i)[k].from_start);
      }
    }
  }
}

/// Two ranks: operations that none, one, two, three and more others wait for, near and 20,000
/// operations away and more, some for their start; and values of 2^40 and more. Of rank `only`, or
/// of both.
Schedule of_many_kinds(std::uint32_t only = 2) {
  constexpr std::uint32_t kFar = 20'000;
  ScheduleBuilder builder(2);
  if (only < 2) builder.keep({only, 2});
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.begin_rank(r);
    for (std::uint32_t i = 0; i < 2 * kFar; ++i) {
      builder.calc((std::uint64_t{1} << 41) * (i % 2) + i + r);
    }
    builder.requires_end(1, 0);
    builder.requires_start(3, 2);
    builder.requires_end(5, 2);
    builder.requires_end(kFar, 3);
    builder.requires_end(4, 3);
    for (const std::uint32_t later : {9U, 8U, 7U}) builder.requires_end(later, 6);
    for (const std::uint32_t later : {15U, 14U, 13U}) builder.requires_start(later, 10);
    for (const std::uint32_t later : {12U, 11U}) builder.requires_end(later, 10);
    for (const std::uint32_t later : {17U, 18U, 19U, 20U}) builder.requires_end(later, 16);
    for (const std::uint32_t later : {22U, 23U, 24U}) builder.requires_start(later, 21);
    for (const std::uint32_t later : {39'997U, 39'998U, 39'999U}) builder.requires_end(later, 25);
    for (const std::uint32_t later : {39'994U, 39'995U, 39'996U}) {
      builder.requires_end(later, 10'000);
    }
    builder.end_rank();
  }
  return builder.finish();
}

// What waits for an operation is given as it was told, those that wait for its end first, whether
// it is stored with the operation or in a list.
TEST(Formats, SuccessorsAreKeptNearAndFar) {
  const Schedule schedule = of_many_kinds();
  using Told = std::vector<std::pair<std::uint32_t, bool>>;
  const auto told = [&schedule](std::uint32_t op) {
    Told list;
    for (const Edge edge : schedule.rank(1).successors(op)) {
      list.emplace_back(edge.target, edge.from_start != 0);
    }
    return list;
  };
  EXPECT_EQ(told(0), (Told{{1, false}}));
  EXPECT_EQ(told(1), Told{});
  EXPECT_EQ(told(2), (Told{{5, false}, {3, true}}));
  EXPECT_EQ(told(3), (Told{{20'000, false}, {4, false}}));
  EXPECT_EQ(told(6), (Told{{9, false}, {8, false}, {7, false}}));
  EXPECT_EQ(told(10), (Told{{12, false}, {11, false}, {15, true}, {14, true}, {13, true}}));
  EXPECT_EQ(told(16), (Told{{17, false}, {18, false}, {19, false}, {20, false}}));
  EXPECT_EQ(told(21), (Told{{22, true}, {23, true}, {24, true}}));
  EXPECT_EQ(told(25), (Told{{39'997, false}, {39'998, false}, {39'999, false}}));
  EXPECT_EQ(told(10'000), (Told{{39'994, false}, {39'995, false}, {39'996, false}}));
  EXPECT_EQ(schedule.rank(1).edges(), 26U);
  EXPECT_EQ(schedule.edges(), 52U);
  EXPECT_TRUE(schedule.rank(0).packed(2).start_awaited());
  EXPECT_FALSE(schedule.rank(0).packed(3).start_awaited());
  for (const Format format : {Format::text, Format::binary, Format::compact}) {
    expect_equal(schedule, parse_schedule(written(schedule, format), "copy"));
  }
}

/// How much every operation waits for, as it is stored and as its predecessors tell.
void expect_predecessors(const Schedule& schedule) {
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const RankView rank = schedule.rank(r);
    const std::vector<std::uint32_t> degrees = rank.in_degrees();
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      ASSERT_EQ(rank.predecessors()[i], std::min<std::uint32_t>(degrees[i], RankView::kMany));
    }
  }
}

// Operation 300 of a rank waits for all before it, which is more than can be stored, and 301 for
// 300; whether the schedule is built or read.
TEST(Formats, PredecessorsAreCounted) {
  ScheduleBuilder builder(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.begin_rank(r);
    for (std::uint32_t i = 0; i < 302; ++i) builder.calc(i);
    for (std::uint32_t i = 0; i < 300; ++i) builder.requires_end(300, i);
    builder.requires_start(301, 300);
    builder.end_rank();
  }
  const Schedule schedule = builder.finish();
  EXPECT_EQ(schedule.rank(1).predecessors()[300], RankView::kMany);
  EXPECT_EQ(schedule.rank(1).predecessors()[301], 1);
  expect_predecessors(schedule);
  for (const Format format : {Format::text, Format::binary, Format::compact}) {
    expect_predecessors(parse_schedule(written(schedule, format), "x"));
  }
}

// The shares of a schedule put together are the schedule: its binary form is the same bytes.
TEST(Formats, SharesAreJoined) {
  std::vector<Schedule> parts;
  parts.push_back(of_many_kinds(0));
  parts.push_back(of_many_kinds(1));
  const Schedule joined = joined_shares(std::move(parts));
  const Schedule whole = of_many_kinds();
  EXPECT_EQ(joined.edges(), whole.edges());
  EXPECT_EQ(joined.longest_calc(), whole.longest_calc());
  EXPECT_EQ(written(joined, Format::binary), written(whole, Format::binary));
}

// A binary file of 23 MB read by three threads is what one reads, and they tell the same mistake:
// the first of the two that are in the file.
TEST(Formats, ThreadsReadABinaryFile) {
  constexpr std::uint32_t kRanks = 600;
  ScheduleBuilder builder(kRanks);
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    builder.begin_rank(r);
    for (std::uint32_t i = 0; i < 900; ++i) {
      const std::uint32_t op = builder.send(i + 1, (r + i) % kRanks, i);
      if (op > 0) builder.requires_end(op, op - 1 - i % 3 % op);
    }
    builder.end_rank();
  }
  std::string bytes = written(builder.finish(), Format::binary);
  ASSERT_GT(bytes.size(), std::size_t{1} << 24);
  ReadLimits by_three;
  by_three.threads = 3;
  const auto read = [&](const ReadLimits& limits) {
    return parse_schedule(bytes, "x.bin", limits);
  };
  EXPECT_EQ(written(read(by_three), Format::binary), bytes);
  expect_predecessors(read(by_three));
  // The kind of an operation of the second thread's ranks, and of one of the last rank.
  const std::size_t rank_size = (bytes.size() - 14 - 16 * kRanks) / kRanks;
  for (const std::uint32_t r : {kRanks / 2, kRanks - 1}) {
    bytes[14 + 16 * kRanks + r * rank_size + 8 + 4 + 4] = 9;
  }
  const std::string mistake = heddle::error_of([&] { read({}); });
  EXPECT_THAT(mistake, HasSubstr("9 is not a kind of operation"));
  EXPECT_EQ(heddle::error_of([&] { read(by_three); }), mistake);
}

// Every reference file read as text, written in each format and read back is the same schedule:
// the same operations and the same dependencies in the same order.
TEST(Formats, ReferenceFilesSurviveEveryFormat) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_DATA "/goal")) {
    if (entry.path().extension() != ".goal") continue;
    SCOPED_TRACE(entry.path().filename());
    const Schedule schedule = read_schedule(entry.path());
    for (const Format format : {Format::text, Format::binary, Format::compact}) {
      const std::string bytes = written(schedule, format);
      EXPECT_EQ(recognise(bytes), format);
      expect_equal(schedule, parse_schedule(bytes, "copy"));
    }
    ++files;
  }
  EXPECT_EQ(files, 21);
}

// 14 + 16 R + sum over ranks of (8 + 4 roots + 39 operations + 4 dependencies): for two ranks of
// three operations, one dependency and two roots each, 14 + 32 + 2 (8 + 8 + 117 + 4) = 320 bytes.
TEST(Formats, BinaryHasTheSizeAndHeaderOfLogGOPSim) {
  const Schedule schedule = read_schedule(HEDDLE_TEST_DATA "/goal/two_rank_calc_send_recv.goal");
  const std::string bytes = written(schedule, Format::binary);
  ASSERT_EQ(bytes.size(), 320U);
  EXPECT_EQ(bytes.substr(0, 14), std::string("\x7f\x10\0\0\0\0\0\0\2\0\0\0\0\0", 14));
  // Offsets count from byte 8: rank 0 begins at 46 - 8 = 38 and ends at 38 + 137 = 175.
  EXPECT_EQ(bytes[14], 38);
  EXPECT_EQ(static_cast<unsigned char>(bytes[22]), 175);
  // Its calc: no predecessor, kind 3, one successor (operation 1) at place 0 of the appendix.
  EXPECT_EQ(bytes.substr(46 + 16, 5), std::string("\0\0\0\0\3", 5));
  EXPECT_EQ(bytes.substr(46 + 16 + 117, 4), std::string("\1\0\0\0", 4));
}

// All ranks of a dissemination do alike, so a thousand of them need little more room than one.
TEST(Formats, CompactStoresEqualRanksOnce) {
  ScheduleBuilder builder(1000);
  for (std::uint32_t r = 0; r < 1000; ++r) {
    builder.begin_rank(r);
    const auto send = builder.send(8, (r + 1) % 1000);
    builder.requires_end(send, builder.recv(8, (r + 999) % 1000));
    builder.end_rank();
  }
  EXPECT_LT(written(builder.finish(), Format::compact).size(), 64U);
}

TEST(Formats, ValuesOfAnySizeAreKept) {
  const Schedule schedule =
      parse_text("num_ranks 1\nrank 0 {\ncalc 18446744073709551615\ncalc 1099511627776\n}", "x");
  EXPECT_EQ(schedule.rank(0).op(0).value, UINT64_MAX);
  EXPECT_EQ(parse_schedule(written(schedule, Format::compact), "x").rank(0).op(1).value,
            std::uint64_t{1} << 40);
}

// What LogGOPSim's reader refuses and people write: indentation, comments behind an operation,
// ranks in any order, labels used before they are defined, options in any order.
TEST(Formats, TextMayBeWrittenFreely) {
  const Schedule schedule = parse_text(
      "// two\nnum_ranks 2\r\n"
      "rank 1 { }\n"
      "  rank 0 {  // first\n"
      "    b requires a /* soon */\n"
      "\tb: send 10 b to 1 nic 1 tag -1 cpu 2 // trailing\n"
      "    a: recv 5b from -1 }",
      "x");
  const Op send{OpKind::send, 10, 1, kAnyTag, 2, 1};
  const Op recv{OpKind::recv, 5, kAnySource, 0, 0, 0};
  EXPECT_EQ(schedule.rank(0).op(0), send);
  EXPECT_EQ(schedule.rank(0).op(1), recv);
  EXPECT_EQ(schedule.rank(0).successors(1)[0].target, 0U);
  EXPECT_EQ(schedule.rank(1).size(), 0U);
  EXPECT_EQ(schedule.describe(0, 0), "rank 0, b: send 10b to 1 tag 4294967295 (x:6)");
}

TEST(Formats, TextErrorsNameTheTokenAndWhatIsAccepted) {
  const std::string head = "num_ranks 2\nrank 0 {\n";
  EXPECT_THAT(mistake_in(head + " sned 5b to 1\n}"),
              testing::AllOf(HasSubstr("x.goal:3:2"), HasSubstr("'sned'"),
                             HasSubstr("did you mean 'send'")));
  EXPECT_THAT(mistake_in(head + "send 5 to 1\n}"), HasSubstr("x.goal:3:8: 'to' stands where 'b'"));
  EXPECT_THAT(mistake_in(head + "send 5b to 2\n}"), HasSubstr("rank 2 does not exist"));
  EXPECT_THAT(mistake_in(head + "send 5b to -1\n}"), HasSubstr("'-' stands where a rank"));
  EXPECT_THAT(mistake_in(head + "calc 5 cpu 256\n}"), HasSubstr("256 is too large"));
  EXPECT_THAT(mistake_in(head + "calc 99999999999999999999\n}"), HasSubstr("is too large"));
  EXPECT_THAT(mistake_in(head + "a: calc 5\na requires b\n}"),
              HasSubstr("x.goal:4:12: no operation of this rank has the label 'b'"));
  EXPECT_THAT(mistake_in(head + "a: calc 5\na: calc 6\n}"), HasSubstr("used twice"));
  EXPECT_THAT(mistake_in(head + "calc 5 tag 3\n}"), HasSubstr("'tag' stands where the end"));
  EXPECT_THAT(mistake_in(head + "calc 5\n"), HasSubstr("x.goal:4:1: the file ends"));
  EXPECT_THAT(mistake_in(head + "}\n"), HasSubstr("without rank 1"));
  EXPECT_THAT(mistake_in(head + "}\nrank 0 {\n}"), HasSubstr("rank 0 was described before"));
  EXPECT_THAT(mistake_in("num_ranks 2000000000\nrank 0 {\n}"), HasSubstr("too short"));
  EXPECT_THAT(mistake_in(head + "/* never"), HasSubstr("x.goal:3:1: this comment is never closed"));
  EXPECT_THAT(mistake_in(""), HasSubstr("'num_ranks'"));
}

// Cutting a file anywhere, or changing any one byte, gives an error or a schedule, never a crash.
TEST(Formats, DamagedFilesAreErrors) {
  const Schedule schedule = read_schedule(HEDDLE_TEST_DATA "/goal/wildcards.goal");
  for (const Format format : {Format::binary, Format::compact}) {
    const std::string bytes = written(schedule, format);
    for (std::size_t n = 9; n < bytes.size(); ++n) {
      EXPECT_THROW(parse_schedule(bytes.substr(0, n), "x"), InputError) << n;
    }
    for (std::size_t n = 8; n < bytes.size(); ++n) {
      std::string changed = bytes;
      changed[n] = static_cast<char>(changed[n] ^ 0xff);
      try {
        parse_schedule(changed, "x", {1000});
      } catch (const InputError&) {
      }
    }
  }
}

// A number that is too large is named by what it would be.
TEST(Formats, DamagedCompactFilesSayWhatIsWrong) {
  const auto error = [](std::initializer_list<unsigned char> numbers) {
    std::string bytes = "HEDDLEGS";
    for (const unsigned char c : numbers) bytes += static_cast<char>(c);
    return heddle::error_of([&] { parse_schedule(bytes, "x"); });
  };
  EXPECT_EQ(error({1, 2, 1, 100, 2}),
            "x: at byte 12: the file ends within the operations of a rank");
  EXPECT_EQ(error({1, 2, 1, 1, 0, 7}),
            "x: at byte 14: 7 as a number of a description: at most 0 is accepted");
  EXPECT_EQ(error({1, 2, 1, 1, 0, 0, 3}),
            "x: at byte 15: 3 as a number of ranks alike: at most 2 is accepted");
}

TEST(Formats, LimitsStopABomb) {
  std::string bytes = "HEDDLEGS";
  for (const unsigned char c :
       {1, 0xff, 0xff, 0xff, 0xff, 7, 1, 2, 1, 2, 0, 0xff, 0xff, 0xff, 0xff, 7}) {
    bytes += static_cast<char>(c);
  }
  EXPECT_THROW(parse_schedule(bytes, "x", {1000000}), InputError);
}

TEST(Formats, AMissingFileIsAnError) {
  EXPECT_THROW(read_schedule("/nonexistent.goal"), InputError);
  EXPECT_THROW(read_schedule("/"), InputError);
}

// Schedgen writes the tag -1 as a number of 64 bits.
TEST(TextFormat, MinusOneMayBeANumberOf64Bits) {
  const Schedule schedule = parse_text(
      "num_ranks 1\nrank 0 {\nrecv 8b from 0 tag 18446744073709551615\nsend 8b to 0 tag 5\n}", "x");
  EXPECT_EQ(schedule.rank(0).op(0).tag, kAnyTag);
}

// An endless label makes a short message: 40 of its characters, and how long it is.
TEST(TextFormat, LongLabelsAreShownShort) {
  const std::string label(100'000, 'a');
  const std::string message = mistake_in("num_ranks 1\nrank 0 {\n" + label + ": calc 1\n}");
  EXPECT_THAT(message, AllOf(HasSubstr(std::string(40, 'a') + "...'"), HasSubstr("100000")));
  EXPECT_LT(message.size(), 200U);
  EXPECT_LT(mistake_in("num_ranks 1\nrank 0 {\n" + label + " calc 1\n}").size(), 300U);
}

// What is no text is named: an editor's byte order mark, UTF-16, bytes of zero.
TEST(TextFormat, ForeignBytesAreNamed) {
  EXPECT_THAT(mistake_in("\xef\xbb\xbfnum_ranks 1\n"), HasSubstr("x.goal:1:1: a byte order mark"));
  EXPECT_THAT(mistake_in(std::string("\xff\xfen\0u\0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(mistake_in(std::string("num_ranks 1\nrank 0 {\n\0}", 23)),
              HasSubstr("x.goal:3:1: a NUL byte"));
}

// Labels in any style, before or after they are used, are all found; dependencies keep the order
// they are given in, which is the order in which operations start.
TEST(TextFormat, LabelsOfAnyStyle) {
  const Schedule schedule = parse_text(
      "num_ranks 1\nrank 0 {\nl1: calc 1\nl900000000: calc 2\nl2 requires l1\nl2: calc 3\n"
      "l02: calc 4\nlast: calc 5\nlast requires l1\nl02 requires l900000000\n}",
      "x");
  const RankView rank = schedule.rank(0);
  ASSERT_EQ(rank.successors(0).size(), 2U);
  EXPECT_EQ(rank.successors(0)[0].target, 2U);
  EXPECT_EQ(rank.successors(0)[1].target, 4U);
  EXPECT_EQ(rank.successors(1)[0].target, 3U);
}

// Of one operation, root 77 does not exist; of two in a chain, the second is none.
TEST(BinaryFormat, BadRootsAreRefused) {
  const std::string good =
      written(parse_text("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nb requires a\n}", "x"),
              Format::binary);
  const std::size_t root = 14 + 16 + 8;  // Behind the header, the table and two counts.
  for (const char bad : {char{77}, char{1}}) {
    std::string bytes = good;
    bytes[root] = bad;
    EXPECT_THAT(mistake_in(bytes), HasSubstr(std::to_string(bad) + " is named as a root"));
  }
}

}  // namespace
}  // namespace heddle::goal
