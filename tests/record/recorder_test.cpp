// What is recorded is read back as it was, forwards and backwards, whatever its length.
#include <gtest/gtest.h>

#include "record/overview.hpp"
#include "record/run_recorder.hpp"

namespace heddle::record {
namespace {

TEST(RunRecorder, ReadsBackEveryKindOfRecord) {
  RunRecorder recorder;
  recorder.span(3, Activity::compute, Time::us(0), Time::us(10));
  const std::uint64_t number = recorder.message(
      {3, 70'000, 4096, Way::waited_recv, Time::us(10), Time::us(12), Time::us(15)});
  recorder.causes().told(70'000, number, Time::us(15));
  recorder.wait(70'000, Time::us(1), Time::us(15));
  recorder.call(70'000, "MPI_Recv", Time::us(1), Time::us(15), 7);
  recorder.step({13, 5, 3, 4, 64, Time::us(15), Time::us(16), 0, Time::us(14)});
  const std::uint64_t step =
      recorder.step({3, 5, 3, 4, 64, Time::us(16), Time::us(17), 1, {}, true, false});
  recorder.wait(3, Time::us(15), Time::us(17), Time::zero(), {0, step});
  recorder.finish(Time::us(20));

  std::vector<Record> all;
  recorder.for_each([&](const Record& r) { all.push_back(r); });
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all[0].kind, Kind::span);
  EXPECT_EQ(all[0].rank, 3U);
  EXPECT_EQ(all[0].begin, Time::us(0));
  EXPECT_EQ(all[0].end, Time::us(10));
  EXPECT_EQ(all[1].kind, Kind::message);
  EXPECT_EQ(all[1].peer, 70'000U);
  EXPECT_EQ(all[1].bytes, 4096);
  EXPECT_EQ(all[1].middle, Time::us(12));
  EXPECT_EQ(all[1].end, Time::us(15));
  EXPECT_EQ(all[1].way, Way::waited_recv);
  EXPECT_EQ(all[2].kind, Kind::wait);
  EXPECT_EQ(all[2].number, all[1].number) << "the message told of last ended the wait";
  EXPECT_EQ(all[3].bytes, 7);
  EXPECT_EQ(recorder.call_names().at(all[3].what), "MPI_Recv");
  EXPECT_EQ(all[4].what, 13);
  EXPECT_EQ(all[4].number, 5U);
  EXPECT_EQ(all[4].step, 1U);
  EXPECT_EQ(all[4].cause, 0U);
  EXPECT_EQ(all[4].middle, Time::us(14)) << "when the rank wanted it";
  EXPECT_EQ(all[5].cause, 1U);
  EXPECT_TRUE(all[5].from_memory);
  EXPECT_FALSE(all[5].to_memory);
  EXPECT_EQ(all[6].cause, 2U) << "the step that ended the wait";
  EXPECT_EQ(recorder.ranks(), 70'001U);
}

TEST(RunRecorder, ReadsBackThreadsAnswersAndWhoWokeWhom) {
  RunRecorder recorder;
  recorder.span({2, 5}, Activity::compute, Time::us(0), Time::us(4));
  const std::uint64_t request =
      recorder.message({2, 1, 8, Way::eager, Time::us(4), Time::us(4), Time::us(5), 5});
  MessageRecord back{1, 2, 0, Way::answer, Time::us(5), Time::us(5), Time::us(6)};
  back.cause = request;
  const std::uint64_t answer = recorder.message(back);
  recorder.causes().told(2, answer, Time::us(6));
  recorder.wait({2, 5}, Time::us(4), Time::us(6));
  recorder.wait(2, Time::us(0), Time::us(7), Time::zero(), {6, 0});
  recorder.call({2, 5}, "MPI_Get", Time::us(4), Time::us(6), 0);
  recorder.finish(Time::us(7));
  std::vector<Record> all;
  recorder.for_each([&](const Record& r) { all.push_back(r); });
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0].thread, 5U);
  EXPECT_EQ(all[1].thread, 5U);
  EXPECT_EQ(all[2].cause, all[1].number) << "the answer is one to the request";
  EXPECT_EQ(all[3].number, answer);
  EXPECT_EQ(all[3].thread, 5U);
  EXPECT_EQ(all[4].thread, 0U);
  EXPECT_EQ(all[4].number, answer) << "a message that came meanwhile is what ended the wait";
  EXPECT_EQ(all[5].thread, 5U);
  EXPECT_TRUE(recorder.threads());
}

// Ranks 2 and 3 are one program of two: looked at alone they are 0 and 1, end at 9 us, and the last
// to do something is their rank 1, though rank 0 of the other program goes on to 20 us.
TEST(RunRecorder, OneProgramOfSeveralCanBeLookedAt) {
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(4));
  recorder.span(2, Activity::compute, Time::us(0), Time::us(5));
  recorder.message({2, 3, 64, Way::eager, Time::us(5), Time::us(5), Time::us(8)});
  recorder.message({0, 1, 8, Way::eager, Time::us(5), Time::us(5), Time::us(8)});
  recorder.wait(3, Time::us(0), Time::us(9));
  recorder.span(0, Activity::compute, Time::us(4), Time::us(20));
  recorder.finish(Time::us(20));
  EXPECT_EQ(recorder.ranks(), 4U);
  recorder.look_at({2, 2, Time::us(9)});
  EXPECT_EQ(recorder.ranks(), 2U);
  EXPECT_EQ(recorder.end(), Time::us(9));
  EXPECT_EQ(recorder.last_active().rank, 1U);
  std::vector<Record> seen;
  recorder.for_each([&](const Record& r) { seen.push_back(r); });
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].rank, 0U);
  EXPECT_EQ(seen[1].peer, 1U) << "to its rank 1";
  EXPECT_EQ(seen[2].rank, 1U);
  std::size_t backwards = 0;
  recorder.for_each_backwards({Kind::span}, [&](const Record& r) {
    EXPECT_EQ(r.rank, 0U);
    ++backwards;
    return true;
  });
  EXPECT_EQ(backwards, 1U);
  recorder.look_at_all();
  EXPECT_EQ(recorder.end(), Time::us(20));
  EXPECT_EQ(recorder.last_active().rank, 0U);
}

// Ranks 0 and 1 make two barriers on one communicator while rank 2 and 3 make one on another: three
// rounds of two ranks, not two of four. Rank 1 comes last to the first, 4 us after rank 0. What
// else ranks do in a group, and calls in which they met nobody, are no rounds.
TEST(Overview, RoundsAreThoseOfGroups) {
  RunRecorder recorder;
  const auto group = [&](std::uint32_t number) {
    const GroupKey key{0, GroupKey::Of::communicators, number};
    return recorder.groups().number(key, [&] { return Group{key, 0, 2, "pair"}; });
  };
  const auto barrier = [&](std::uint32_t rank, std::uint32_t number, int begin, int end) {
    recorder.meets(rank, group(number));
    recorder.call(rank, "MPI_Barrier", Time::us(begin), Time::us(end), 0);
  };
  barrier(2, 8, 2, 5);
  barrier(3, 8, 3, 5);
  barrier(0, 7, 1, 6);
  barrier(1, 7, 5, 6);
  barrier(1, 7, 7, 9);
  barrier(0, 7, 8, 9);
  recorder.meets(0, group(7));
  recorder.call(0, "MPI_Win_fence", Time::us(9), Time::us(10), 8);
  recorder.call(0, "MPI_Barrier", Time::us(10), Time::us(10), 8);
  recorder.finish(Time::us(10));
  const Overview overview = make_overview(recorder, {});
  ASSERT_EQ(overview.rounds.size(), 3U);
  const CollectiveRound& first = overview.rounds[0];
  EXPECT_EQ(first.ranks, 2U);
  EXPECT_EQ(first.last_begin - first.first_begin, Time::us(4));
  EXPECT_EQ(first.last_rank, 1U);
  EXPECT_EQ(overview.rounds[1].last_rank, 3U) << "in the order of their beginnings";
  EXPECT_EQ(overview.rounds[2].number, 1U) << "the second of its communicator";
  EXPECT_EQ(overview.rounds[2].last_rank, 0U);
}

// What one rank does by itself is no collective, whatever it is called.
TEST(Overview, CollectivesAreKnownByTheirNames) {
  for (const char* name : {"MPI_Allreduce", "MPI_Ibcast", "MPI_Comm_split", "shmem_team_sync"}) {
    EXPECT_TRUE(is_collective(name)) << name;
  }
  for (const char* name : {"MPI_Reduce_local", "MPI_Comm_create_keyval", "MPI_Comm_create_group",
                           "MPI_Comm_create_errhandler", "MPI_Send"}) {
    EXPECT_FALSE(is_collective(name)) << name;
  }
}

TEST(RunRecorder, AWaitForSomethingThatIsNoMessageIsThat) {
  // 5 us until the file system has answered; then 2 us of waiting for another thread.
  RunRecorder recorder;
  recorder.causes().held_up(0, Activity::storage, Time::us(5));
  recorder.wait(0, Time::us(0), Time::us(5));
  recorder.wait(0, Time::us(6), Time::us(8), Time::zero(), {3, 0});
  recorder.finish(Time::us(8));
  std::vector<Record> all;
  recorder.for_each([&](const Record& r) { all.push_back(r); });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, Kind::span);
  EXPECT_EQ(all[0].activity, Activity::storage);
  EXPECT_EQ(all[1].kind, Kind::wait);
  EXPECT_EQ(all[1].number, 0U);
  EXPECT_EQ(all[1].waker, 3U);
}

TEST(RunRecorder, ReadsNumbersOfEveryLength) {
  // Sizes of one bit to 62 and times of up to months, each beside the largest of fewer bits.
  RunRecorder recorder;
  std::vector<std::int64_t> sizes;
  for (int bits = 0; bits < 62; ++bits) {
    sizes.push_back(std::int64_t{1} << bits);
    sizes.push_back((std::int64_t{1} << bits) - 1);
  }
  for (const std::int64_t size : sizes) {
    recorder.message({0, 1, size, Way::eager, Time::ps(0), Time::ps(size), Time::ps(size)});
  }
  recorder.finish(Time::ps(sizes.back()));
  std::vector<std::int64_t> read;
  recorder.for_each([&](const Record& r) {
    EXPECT_EQ(r.begin, Time::ps(0));
    EXPECT_EQ(r.middle, r.end);
    EXPECT_EQ(r.end, Time::ps(r.bytes));
    read.push_back(r.bytes);
  });
  EXPECT_EQ(read, sizes);
}

TEST(RunRecorder, ReadsManyChunksInBothDirections) {
  constexpr int kSpans = 200'000;  // More than one chunk of 64 KiB at a few bytes each.
  RunRecorder recorder;
  for (int i = 0; i < kSpans; ++i) {
    recorder.span(static_cast<std::uint32_t>(i % 7), Activity::overhead, Time::us(i),
                  Time::us(i + 1));
    recorder.message({0, 1, i, Way::eager, Time::us(i), Time::us(i), Time::us(i + 1)});
  }
  recorder.finish(Time::us(kSpans));
  std::int64_t forwards = 0;
  bool ascending = true;
  Time last;
  std::uint64_t number = 0;
  recorder.for_each([&](const Record& r) {
    if (r.kind == Kind::message) {
      ascending = ascending && r.number == ++number && r.bytes == forwards - 1;
      return;
    }
    ascending = ascending && r.end > last;
    last = r.end;
    ++forwards;
  });
  EXPECT_EQ(forwards, kSpans);
  EXPECT_TRUE(ascending);
  std::int64_t backwards = 0;
  recorder.for_each_backwards({Kind::span, Kind::message}, [&](const Record& r) {
    backwards += r.kind == Kind::span ? 1 : 0;
    return backwards < 1000;
  });
  EXPECT_EQ(backwards, 1000) << "stops when told to";
  EXPECT_LT(recorder.kept_bytes(), 16U * 2 * kSpans) << "a few bytes for each record";
}

TEST(RunRecorder, AWaitIsOverheadWhileTheProcessorIsBusyAndAfterItWasDecided) {
  // Of a wait from 0 to 10 us the processor is busy until 2, and the last 3 are late: what is left
  // to wait are 5 us, from 2 to 7.
  RunRecorder recorder;
  recorder.causes().busy(0, Time::us(2));
  const std::uint64_t first =
      recorder.message({1, 0, 8, Way::eager, Time::us(0), Time::us(0), Time::us(7)});
  recorder.causes().told(0, first, Time::us(7));
  recorder.causes().decided(0);
  const std::uint64_t second =
      recorder.message({1, 0, 8, Way::eager, Time::us(0), Time::us(0), Time::us(8)});
  recorder.causes().told(0, second, Time::us(8));
  recorder.wait(0, Time::us(0), Time::us(10), Time::us(3), {});
  recorder.finish(Time::us(10));
  Time waited;
  Time overhead;
  std::uint64_t cause = 0;
  recorder.for_each([&](const Record& r) {
    if (r.kind == Kind::wait) {
      waited += r.end - r.begin;
      cause = r.number;
    }
    if (r.kind == Kind::span) overhead += r.end - r.begin;
  });
  EXPECT_EQ(waited, Time::us(5));
  EXPECT_EQ(overhead, Time::us(5));
  EXPECT_EQ(cause, first) << "what comes after the decision is not the cause";
}

TEST(ChunkStore, KeepsChunksInMemoryThenCompressedThenInAFile) {
  // Room for three as they are, and for a few compressed ones.
  ChunkStore store({3500, 300});
  std::vector<std::vector<std::byte>> chunks;
  for (int i = 0; i < 20; ++i) {
    std::vector<std::byte>& chunk = chunks.emplace_back(1000);
    for (std::size_t j = 0; j < chunk.size(); ++j) {
      chunk[j] = static_cast<std::byte>(j / 50 + static_cast<std::size_t>(i));
    }
    store.append(chunk);
  }
  std::vector<std::byte> buffer;
  for (std::size_t i = chunks.size(); i-- > 0;) {
    const std::span<const std::byte> read = store.read(i, buffer);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), chunks[i].begin(), chunks[i].end()))
        << "chunk " << i;
  }
  EXPECT_GT(store.kept_bytes(), 3000U);
  EXPECT_LT(store.kept_bytes(), 10'000U) << "all but the first three are compressed";
}

TEST(LinkSamples, SlicesAddUpHoweverLongTheRun) {
  // A link that carries 1 byte per ns: every slice of w ns has w bytes, and all of them 10 ms'
  // 10,000,000.
  LinkSamples samples;
  std::int64_t now = 0;
  samples.watch(1, [&] { return std::vector<std::int64_t>{now / 1000}; });
  for (now = 0; now <= 10'000'000'000; now += 333'333) {
    if (samples.due(now)) samples.advance(now, 0);
  }
  now = 10'000'000'000;
  samples.finish(Time::ps(now));
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < samples.slices(); ++s) sum += samples.bytes(s, 0);
  EXPECT_EQ(sum, 10'000'000);
  EXPECT_LE(samples.slices(), 257U);
  EXPECT_GE(samples.slices(), 100U);
  const double each = static_cast<double>(samples.slice().ps()) / 1000;
  for (std::size_t i = 0; i + 1 < samples.slices(); ++i) {
    EXPECT_NEAR(static_cast<double>(samples.bytes(i, 0)), each, each * 0.05) << "slice " << i;
  }
}

TEST(LinkSamples, LooksLessOftenWhereLittleIsDoneBesideManyLinks) {
  // 2^16 links: 2^20 reads are free, which are 16 looks and one beyond, and each thing done pays
  // for 4: 2^15 of them for two looks more. What was carried is told all the same.
  constexpr std::uint32_t kLinks = 1U << 16;
  constexpr std::uint64_t kThings = 1U << 15;
  LinkSamples samples;
  std::int64_t now = 0;
  int looks = 0;
  samples.watch(kLinks, [&] {
    ++looks;
    return std::vector<std::int64_t>(kLinks, now / 1000);
  });
  constexpr std::int64_t kSteps = 1000;
  constexpr std::int64_t kEnd = 1'000'000'000;
  for (std::int64_t step = 0; step <= kSteps; ++step) {
    now = step * (kEnd / kSteps);
    const auto done = kThings * static_cast<std::uint64_t>(step) / kSteps;
    if (samples.due(now)) samples.advance(now, done);
  }
  EXPECT_LE(looks, 19);
  EXPECT_GE(looks, 17);
  samples.finish(Time::ps(kEnd));
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < samples.slices(); ++s) sum += samples.bytes(s, 7);
  EXPECT_EQ(sum, kEnd / 1000);
}

// 2^63 ps, the last instant that there is, fits into the slices, whose number stays small.
TEST(LinkSamples, ReachToTheEndOfTime) {
  LinkSamples samples;
  samples.watch(2, [] { return std::vector<std::int64_t>{3, 4}; });
  for (const std::int64_t ps : {std::int64_t{1'000'000}, INT64_MAX / 2, INT64_MAX - 1}) {
    samples.advance(ps, 1'000'000);
  }
  samples.finish(Time::ps(INT64_MAX - 1));
  EXPECT_LE(samples.slices(), 256U);
  EXPECT_EQ(samples.total()[1], 4);
}

}  // namespace
}  // namespace heddle::record
