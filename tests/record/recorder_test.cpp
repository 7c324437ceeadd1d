// What is recorded is read back as it was, forwards and backwards, whatever its length.
#include <gtest/gtest.h>

#include "record/run_recorder.hpp"

namespace heddle::record {
namespace {

TEST(RunRecorder, ReadsBackEveryKindOfRecord) {
  RunRecorder recorder;
  recorder.span(3, Activity::compute, Time::us(0), Time::us(10));
  const std::uint64_t number = recorder.message(
      {3, 70'000, 4096, Way::waited_recv, Time::us(10), Time::us(12), Time::us(15)});
  recorder.told(70'000, number, Time::us(15));
  recorder.wait(70'000, Time::us(1), Time::us(15));
  recorder.call(70'000, "MPI_Recv", Time::us(1), Time::us(15), 7);
  recorder.step(13, 5, 3, 4, 64, Time::us(15), Time::us(16));
  recorder.finish(Time::us(20));

  std::vector<Record> all;
  recorder.for_each([&](const Record& r) { all.push_back(r); });
  ASSERT_EQ(all.size(), 5U);
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
  recorder.told(2, answer, Time::us(6));
  recorder.wait({2, 5}, Time::us(4), Time::us(6));
  recorder.wait(2, Time::us(0), Time::us(7), Time::zero(), 6);
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

TEST(RunRecorder, AWaitForSomethingThatIsNoMessageIsThat) {
  // 5 us until the file system has answered; then 2 us of waiting for another thread.
  RunRecorder recorder;
  recorder.held_up(0, Activity::storage, Time::us(5));
  recorder.wait(0, Time::us(0), Time::us(5));
  recorder.wait(0, Time::us(6), Time::us(8), Time::zero(), 3);
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

TEST(RunRecorder, ReadsManyChunksInBothDirections) {
  constexpr int kSpans = 200'000;  // More than one chunk of 256 KiB at a few bytes each.
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
  recorder.for_each_backwards([&](const Record& r) {
    backwards += r.kind == Kind::span ? 1 : 0;
    return backwards < 1000;
  });
  EXPECT_EQ(backwards, 1000) << "stops when told to";
  EXPECT_LT(recorder.compressed_bytes(), 16U * kSpans) << "a few bytes for each record";
}

TEST(RunRecorder, AWaitIsOverheadWhileTheProcessorIsBusyAndAfterItWasDecided) {
  // Of a wait from 0 to 10 us the processor is busy until 2, and the last 3 are late: what is left
  // to wait are 5 us, from 2 to 7.
  RunRecorder recorder;
  recorder.busy(0, Time::us(2));
  const std::uint64_t first =
      recorder.message({1, 0, 8, Way::eager, Time::us(0), Time::us(0), Time::us(7)});
  recorder.told(0, first, Time::us(7));
  recorder.decided(0);
  const std::uint64_t second =
      recorder.message({1, 0, 8, Way::eager, Time::us(0), Time::us(0), Time::us(8)});
  recorder.told(0, second, Time::us(8));
  recorder.wait(0, Time::us(0), Time::us(10), Time::us(3));
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

TEST(ChunkStore, KeepsChunksBeyondItsMemoryInAFile) {
  ChunkStore store(100);
  std::vector<std::vector<std::byte>> chunks;
  for (int i = 0; i < 20; ++i) {
    std::vector<std::byte>& chunk = chunks.emplace_back(1000);
    for (std::size_t j = 0; j < chunk.size(); ++j) {
      chunk[j] = static_cast<std::byte>((j * j + static_cast<std::size_t>(i) * 31) >> 3);
    }
    store.append(chunk);
  }
  std::vector<std::byte> read;
  for (std::size_t i = chunks.size(); i-- > 0;) {
    store.read(i, read);
    EXPECT_EQ(read, chunks[i]) << "chunk " << i;
  }
}

TEST(LinkSamples, SlicesAddUpHoweverLongTheRun) {
  // A link that carries 1 byte per ns: every slice of w ns has w bytes, and all of them 10 ms'
  // 10,000,000.
  LinkSamples samples;
  std::int64_t now = 0;
  samples.watch(1, [&] { return std::vector<std::int64_t>{now / 1000}; });
  for (now = 0; now <= 10'000'000'000; now += 333'333) {
    if (samples.due(now)) samples.advance(now);
  }
  now = 10'000'000'000;
  samples.finish(Time::ps(now));
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < samples.slices(); ++s) sum += samples.bytes(s, 0);
  EXPECT_EQ(sum, 10'000'000);
  EXPECT_LE(samples.slices(), 257U);
  EXPECT_GE(samples.slices(), 100U);
  const double each = static_cast<double>(samples.slice().ps()) / 1000;
  for (std::size_t i = 0; i + 1 < samples.slices(); ++i)
    EXPECT_NEAR(static_cast<double>(samples.bytes(i, 0)), each, each * 0.05) << "slice " << i;
}

}  // namespace
}  // namespace heddle::record
