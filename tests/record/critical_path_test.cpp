// Paths through recordings whose answers follow from a few additions.
#include <gtest/gtest.h>

#include <string>

#include "record/critical_path.hpp"
#include "record/findings.hpp"
#include "record/overview.hpp"
#include "record/run_recorder.hpp"

namespace heddle::record {
namespace {

Time share(const CriticalPath& path, Resource resource) {
  return path.shares[static_cast<std::size_t>(resource)];
}
Time sum(const CriticalPath& path) {
  Time all;
  for (const Time part : path.shares) all += part;
  return all;
}

/// 1 us of latency, then 1 byte per ns through link 7, the bus before it twice as fast.
WayCost simple_way(const Carried& carried) {
  return {Time::us(1), Time::zero(), carried.bytes, {{3, 0.002, true}, {7, 0.001, false}}, {}};
}

/// Rank 0 computes `first`, then sends `bytes` in `way` to rank 1, which has waited from 5 us on.
void one_message(RunRecorder& recorder, Time first, std::int64_t bytes, Time way) {
  const Time sent = first + Time::us(1);
  recorder.span(1, Activity::compute, Time::us(0), Time::us(5));
  recorder.span(0, Activity::compute, Time::us(0), first);
  recorder.span(0, Activity::overhead, first, sent);
  const std::uint64_t number =
      recorder.message({0, 1, bytes, Way::eager, sent, Time::us(5), sent + way});
  recorder.causes().told(1, number, sent + way);
  recorder.wait(1, Time::us(5), sent + way);
  recorder.finish(sent + way);
}

TEST(CriticalPath, GoesThroughTheMessageThatEndedTheWait) {
  // 20 us of computing, 1 us to send, 1 us of latency and 8 us for 8,000 bytes, with 3 us more that
  // others are to blame for: 33 us in all.
  RunRecorder recorder;
  one_message(recorder, Time::us(20), 8000, Time::us(12));
  const CriticalPath path = find_critical_path(recorder, simple_way);
  EXPECT_EQ(path.length, Time::us(33));
  EXPECT_EQ(sum(path), Time::us(33)) << "the path has no gaps";
  EXPECT_EQ(share(path, Resource::compute), Time::us(20));
  EXPECT_EQ(share(path, Resource::overhead), Time::us(1));
  EXPECT_EQ(share(path, Resource::latency), Time::us(1));
  EXPECT_EQ(share(path, Resource::bandwidth), Time::us(8));
  EXPECT_EQ(share(path, Resource::contention), Time::us(3));
  ASSERT_TRUE(path.links.contains(7));
  // Twice as wide, link 7 would be as fast as the bus: 4 us less for the bytes.
  EXPECT_EQ(path.links.at(7).bandwidth, Time::us(8));
  EXPECT_NEAR(static_cast<double>(path.if_twice.links.ps()), 5.5e6, 1);
  ASSERT_EQ(path.pieces.size(), 3U);
  EXPECT_EQ(path.pieces.back().to, 1U);
  EXPECT_EQ(path.pieces.front().resource, Resource::compute);
}

TEST(CriticalPath, StaysOnTheReceiverThatCameLate) {
  // Rank 0 is ready at 2 us, rank 1 posts its receive at 30: the message could not go before, and
  // what rank 1 did until then is what the run owes its length to.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(2));
  recorder.span(1, Activity::compute, Time::us(0), Time::us(30));
  const std::uint64_t number =
      recorder.message({0, 1, 1000, Way::waited_recv, Time::us(2), Time::us(30), Time::us(32)});
  recorder.causes().told(0, number, Time::us(32));
  recorder.causes().told(1, number, Time::us(32));
  recorder.wait(1, Time::us(30), Time::us(32));
  recorder.wait(0, Time::us(2), Time::us(32));
  recorder.finish(Time::us(32));
  const CriticalPath path = find_critical_path(recorder, simple_way);
  EXPECT_EQ(sum(path), Time::us(32));
  EXPECT_EQ(share(path, Resource::compute), Time::us(30));
  EXPECT_EQ(path.by_rank[1][0], Time::us(30));
  EXPECT_EQ(path.by_rank[0][0], Time::us(0));
  EXPECT_EQ(path.late_receivers, 1U);
}

/// A step for operation 1.
StepRecord step(std::uint16_t what, std::uint32_t from, std::uint32_t to, std::int64_t bytes,
                Time begin, Time end, std::uint64_t cause) {
  return {what, 1, from, to, bytes, begin, end, cause, begin};
}

TEST(CriticalPath, TellsPcieAndWireOfAdaptersApart) {
  // Of 10 us between sending and arrival 2 are on the sender's bus, 4 on the wire, 1 on the
  // receiver's bus: 3 are left for the adapters. Alone the wire would take 1 us and 2 us for 2,000
  // bytes: 1 us is contention. What others do meanwhile is not looked at.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(5));
  const auto command = recorder.step(step(13, 0, 0, 64, Time::us(5), Time::us(7), 0));
  recorder.step(step(3, 0, 1, 2000, Time::us(7), Time::us(8), 0));
  const auto wire = recorder.step(step(3, 0, 1, 2000, Time::us(8), Time::us(12), command));
  recorder.causes().because_of(recorder.step(step(12, 1, 1, 64, Time::us(14), Time::us(15), wire)));
  const std::uint64_t number =
      recorder.message({0, 1, 2000, Way::eager, Time::us(5), Time::us(0), Time::us(15)});
  recorder.causes().told(1, number, Time::us(15));
  recorder.wait(1, Time::us(0), Time::us(15));
  recorder.finish(Time::us(15));
  const CriticalPath path = find_critical_path(recorder, [](const Carried& carried) {
    return WayCost{Time::us(1), Time::zero(), carried.bytes, {{7, 0.001, false}}, {}};
  });
  EXPECT_EQ(sum(path), Time::us(15));
  EXPECT_EQ(share(path, Resource::compute), Time::us(5));
  EXPECT_EQ(share(path, Resource::pcie), Time::us(3));
  EXPECT_EQ(share(path, Resource::nic), Time::us(3));
  EXPECT_EQ(share(path, Resource::latency), Time::us(1));
  EXPECT_EQ(share(path, Resource::bandwidth), Time::us(2));
  EXPECT_EQ(share(path, Resource::contention), Time::us(1));
}

TEST(CriticalPath, FollowsStepsOfAdaptersToWhomTheyServedBefore) {
  // Rank 2 sends at 1 us, rank 0 at 2 us. Rank 1's adapter is at work for rank 2 from 3 to 9 us,
  // and takes rank 0's message, which is there at 4 us, only then: that what ends rank 1's wait at
  // 11 us is the message of rank 0, but rank 2 is why it was so late.
  RunRecorder recorder;
  recorder.span(2, Activity::compute, Time::us(0), Time::us(1));
  recorder.span(0, Activity::compute, Time::us(0), Time::us(2));
  const auto first = recorder.step(step(3, 2, 1, 8, Time::us(1), Time::us(3), 0));
  recorder.step(step(3, 0, 1, 8, Time::us(2), Time::us(4), 0));
  const auto written = recorder.step(step(11, 1, 1, 8, Time::us(5), Time::us(9), first));
  const auto event = recorder.step(step(12, 1, 1, 64, Time::us(10), Time::us(11), written));
  recorder.wait(1, Time::us(0), Time::us(11), Time::zero(), {0, event});
  recorder.finish(Time::us(11));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  EXPECT_EQ(sum(path), Time::us(11));
  EXPECT_EQ(share(path, Resource::compute), Time::us(1)) << "of rank 2";
  EXPECT_EQ(share(path, Resource::latency), Time::us(2)) << "of its message";
  EXPECT_EQ(share(path, Resource::pcie), Time::us(5));
  EXPECT_EQ(share(path, Resource::nic), Time::us(3)) << "2 us and 1 us between steps";
}

TEST(CriticalPath, KnowsSleep) {
  RunRecorder recorder;
  recorder.span(0, Activity::sleep, Time::us(0), Time::us(9));
  recorder.finish(Time::us(9));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  EXPECT_EQ(share(path, Resource::sleep), Time::us(9));
  EXPECT_EQ(find_limits(path, make_overview(recorder, {}), {}).sentences.front(),
            "100 % of the critical path is sleep, as the program wanted it.");
}

TEST(CriticalPath, OfAnAnswerGoesBackToWhoAsked) {
  // Rank 0 computes for 10 us and asks rank 1 for 2,000 bytes: 1 us there, 1 us + 2 us back. Rank 1
  // computes all the time and has nothing to do with it.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(10));
  const std::uint64_t request =
      recorder.message({0, 1, 0, Way::eager, Time::us(10), Time::us(10), Time::us(11)});
  MessageRecord back{1, 0, 2000, Way::answer, Time::us(11), Time::us(11), Time::us(14)};
  back.cause = request;
  const std::uint64_t answer = recorder.message(back);
  recorder.causes().told(0, answer, Time::us(14));
  recorder.wait(0, Time::us(10), Time::us(14));
  recorder.span(1, Activity::compute, Time::us(0), Time::us(13));
  recorder.finish(Time::us(14));
  const CriticalPath path = find_critical_path(recorder, simple_way);
  EXPECT_EQ(sum(path), Time::us(14));
  EXPECT_EQ(share(path, Resource::compute), Time::us(10)) << "of rank 0";
  EXPECT_EQ(path.by_rank[1][static_cast<std::size_t>(Resource::compute)], Time::zero());
  EXPECT_EQ(share(path, Resource::latency), Time::us(2));
  EXPECT_EQ(share(path, Resource::bandwidth), Time::us(2));
}

TEST(CriticalPath, GoesOnInTheThreadThatEndedTheWait) {
  // The first thread computes for 2 us, begins a second one, and waits for that, which computes for
  // 20 us and wakes it.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(2));
  recorder.started({0, 1}, Time::us(2), 0);
  recorder.span({0, 1}, Activity::compute, Time::us(2), Time::us(22));
  recorder.wait(0, Time::us(2), Time::us(22), Time::zero(), {2, 0});
  recorder.span(0, Activity::overhead, Time::us(22), Time::us(23));
  recorder.finish(Time::us(23));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  EXPECT_EQ(share(path, Resource::compute), Time::us(22)) << "20 of them of the second thread";
  EXPECT_EQ(share(path, Resource::wait), Time::zero());
  EXPECT_EQ(sum(path), Time::us(23));
  ASSERT_GE(path.pieces.size(), 2U);
  EXPECT_EQ(path.pieces[path.pieces.size() - 2].thread, 1U);
}

TEST(CriticalPath, CountsTheFileSystem) {
  RunRecorder recorder;
  recorder.causes().held_up(0, Activity::storage, Time::us(9));
  recorder.wait(0, Time::us(0), Time::us(9));
  recorder.finish(Time::us(9));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  EXPECT_EQ(share(path, Resource::storage), Time::us(9));
}

TEST(Overview, CountsOperationsWhereNothingElseTellsOfMessages) {
  // A put of 100 bytes from 0 to 1, and a get of 1 that has 50 bytes come back from 0.
  RunRecorder recorder;
  recorder.step(step(3, 0, 1, 100, Time::us(0), Time::us(1), 0));
  recorder.step(step(4, 1, 0, 0, Time::us(1), Time::us(2), 0));
  recorder.step(step(2, 0, 1, 50, Time::us(2), Time::us(3), 0));
  recorder.step(step(kInjected, 0, 1, 50, Time::us(2), Time::us(3), 0));
  recorder.span({1, 3}, Activity::compute, Time::us(0), Time::us(3));
  recorder.finish(Time::us(3));
  const Overview overview = make_overview(recorder, {});
  EXPECT_EQ(overview.operations.puts, 1U);
  EXPECT_EQ(overview.operations.gets, 1U);
  EXPECT_EQ(overview.operations.bytes, 150);
  EXPECT_EQ(overview.messages.messages, 0U);
  EXPECT_EQ(overview.matrix[1].bytes, 150) << "data went from 0 to 1 in both";
  ASSERT_EQ(overview.threads.size(), 1U);
  EXPECT_EQ(overview.threads[0].thread, 3U);
  EXPECT_EQ(overview.by_rank[1].times[0], Time::zero()) << "of the first thread";
}

TEST(CriticalPath, OfManyPiecesKeepsTheSums) {
  RunRecorder recorder;
  constexpr int kRounds = 50'000;
  for (int i = 0; i < kRounds; ++i) {
    recorder.span(0, Activity::compute, Time::us(2 * i), Time::us(2 * i + 1));
    recorder.span(0, Activity::overhead, Time::us(2 * i + 1), Time::us(2 * i + 2));
  }
  recorder.finish(Time::us(2 * kRounds));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  EXPECT_EQ(share(path, Resource::compute), Time::us(kRounds));
  EXPECT_EQ(share(path, Resource::overhead), Time::us(kRounds));
  EXPECT_LE(path.pieces.size(), CriticalPath::kMostPieces);
  EXPECT_EQ(path.pieces.front().begin, Time::us(0));
  EXPECT_EQ(path.pieces.back().end, Time::us(2 * kRounds));
}

TEST(Findings, NameARankThatComputesLongerThanTheOthers) {
  // Rank 2 computes for 30 us, the others for 10 and wait: if it were like them, 20 us of 30 would
  // be gained.
  RunRecorder recorder;
  for (std::uint32_t r = 0; r < 4; ++r) {
    if (r != 2) recorder.span(r, Activity::compute, Time::us(0), Time::us(10));
  }
  recorder.span(2, Activity::compute, Time::us(0), Time::us(30));
  for (std::uint32_t r = 0; r < 4; ++r) {
    if (r == 2) continue;
    const std::uint64_t number =
        recorder.message({2, r, 0, Way::eager, Time::us(30), Time::us(30), Time::us(30)});
    recorder.causes().told(r, number, Time::us(30));
    recorder.wait(r, Time::us(10), Time::us(30));
  }
  recorder.finish(Time::us(30));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  const Findings findings = find_limits(path, make_overview(recorder, {}), {});
  EXPECT_EQ(findings.cause, "imbalance");
  EXPECT_NE(findings.sentences.front().find("rank 2"), std::string::npos);
  const auto gain = std::find_if(findings.what_if.begin(), findings.what_if.end(),
                                 [](const WhatIf& w) { return w.key == "imbalance"; });
  ASSERT_NE(gain, findings.what_if.end());
  EXPECT_EQ(gain->gain, Time::us(20));
  // Nothing is held up: that is what a rerun shows, but for 7 % of the run.
  EXPECT_TRUE(gain->sure);
  EXPECT_EQ(gain->at_least, Time::us(20) - Time::ns(2100));
}

TEST(Overview, AddsUpRanksMessagesAndSlices) {
  RunRecorder recorder;
  one_message(recorder, Time::us(20), 8000, Time::us(12));
  recorder.call(1, "MPI_Recv", Time::us(5), Time::us(33), 0);
  const Overview overview = make_overview(recorder, {});
  EXPECT_EQ(overview.ranks, 2U);
  EXPECT_EQ(overview.by_rank[0].times[0], Time::us(20));
  EXPECT_EQ(overview.by_rank[1].times[static_cast<std::size_t>(Activity::wait)], Time::us(28));
  EXPECT_EQ(overview.messages.bytes, 8000);
  EXPECT_EQ(overview.by_size[13].messages, 1U) << "4096 to 8191 bytes";
  EXPECT_EQ(overview.matrix[0 * 2 + 1].messages, 1U);
  EXPECT_EQ(overview.exact_ranks.size(), 2U) << "a small run is kept whole";
  const Cell first = overview.cells.front();
  EXPECT_EQ(first.activity, static_cast<std::uint8_t>(Activity::compute));
  EXPECT_EQ(first.share, 255);
  EXPECT_EQ(first.waiting, 0);
}

TEST(Overview, WaitingDoesNotHideWhatElseWasDone) {
  // In each of a hundred slices of 10 us the rank computes for 1 us and waits for 9.
  RunRecorder recorder;
  for (int i = 0; i < 100; ++i) {
    recorder.span(0, Activity::compute, Time::us(10 * i), Time::us(10 * i + 1));
    recorder.wait(0, Time::us(10 * i + 1), Time::us(10 * i + 10));
  }
  recorder.finish(Time::us(1000));
  OverviewConfig config;
  config.most_cells = 100;
  const Overview overview = make_overview(recorder, config);
  ASSERT_EQ(overview.cells.size(), 100U);
  for (const Cell& cell : overview.cells) {
    EXPECT_EQ(cell.activity, static_cast<std::uint8_t>(Activity::compute));
    EXPECT_EQ(cell.share, 25) << "a tenth of 255";
    EXPECT_EQ(cell.waiting, 229) << "nine tenths of 255";
  }
}

TEST(Findings, CallGapsOfLogGopsByTheirNames) {
  RunRecorder recorder;
  recorder.span(0, Activity::overhead, Time::us(0), Time::us(1));
  recorder.span(0, Activity::gap, Time::us(1), Time::us(10));
  recorder.finish(Time::us(10));
  const CriticalPath path = find_critical_path(recorder, nullptr);
  const Findings findings = find_limits(path, make_overview(recorder, {}), {});
  EXPECT_EQ(findings.cause, "nic");
  EXPECT_EQ(findings.sentences.front(),
            "90 % of the critical path is gaps between messages and their bytes (g and G).");
  EXPECT_EQ(findings.what_if.front().what, "g and G halved");
  EXPECT_EQ(findings.sentences.back().substr(0, 14), "g and G halved") << "which are two things";
}

/// A path of 100 us, all of it contention at link 0, and links that are so busy.
struct Congested {
  explicit Congested(const std::vector<double>& busy) {
    path.length = Time::us(100);
    path.by_rank.resize(2);
    path.shares[static_cast<std::size_t>(Resource::contention)] = Time::us(100);
    path.if_twice = {Time::us(50), Time::zero(), Time::us(50)};
    path.links[0] = {Time::zero(), Time::us(90), Time::us(45)};
    for (std::uint32_t l = 0; l < busy.size(); ++l) {
      links.used.push_back({l, "link" + std::to_string(l), 1000, busy[l], busy[l]});
    }
    links.of_fabric = 8;
    overview.ranks = 2;
    overview.by_rank.resize(2);
  }
  Findings judge() const { return find_limits(path, overview, links); }
  static Time gain(const Findings& findings, const std::string& key) {
    for (const WhatIf& w : findings.what_if) {
      if (w.key == key) return w.gain;
    }
    return Time::zero();
  }
  CriticalPath path;
  Overview overview;
  LinkFacts links;
};

TEST(Findings, NameASetOfLinksThatAreAsBusy) {
  // Four links are busy for 96 us of 100: to widen one of them leaves the others, so it gains no
  // more than 4 us; and bytes alone take 96, so none of the contention could go but 4 us.
  const Findings findings = Congested({0.96, 0.96, 0.96, 0.96, 0.2}).judge();
  EXPECT_EQ(findings.cause, "links");
  EXPECT_NE(findings.sentences.front().find("4 of 8 links are 96 % busy or more"),
            std::string::npos)
      << findings.sentences.front();
  EXPECT_EQ(Congested::gain(findings, "bandwidth"), Time::us(50));
  // All of the path is held up, so 7 and 120 us of it are not known: no figure is promised, and the
  // run may well become longer. Bytes alone take 48 us if links are twice as wide.
  const auto links = std::find_if(findings.what_if.begin(), findings.what_if.end(),
                                  [](const WhatIf& w) { return w.key == "bandwidth"; });
  ASSERT_NE(links, findings.what_if.end());
  EXPECT_FALSE(links->sure);
  EXPECT_EQ(links->at_least, Time::us(50 - 127));
  EXPECT_EQ(links->at_most, Time::us(52));
  EXPECT_NE(findings.sentences.back().find(
                "All links of the fabric twice as wide would take 50 % off the path"),
            std::string::npos)
      << findings.sentences.back();
  EXPECT_NE(findings.sentences.back().find("The run itself may gain up to"), std::string::npos)
      << findings.sentences.back();
  EXPECT_EQ(Congested::gain(findings, "link"), Time::us(4));
  EXPECT_EQ(Congested::gain(findings, "contention"), Time::us(4));
  EXPECT_EQ(findings.floor, Time::us(96));
}

TEST(Findings, NameTheOneLinkThatIsBusy) {
  // The next is busy for 20 us: that leaves all of the 45.
  const Findings findings = Congested({0.96, 0.2}).judge();
  EXPECT_EQ(findings.cause, "link");
  EXPECT_EQ(Congested::gain(findings, "link"), Time::us(45));
}

TEST(Findings, AskForLinksAndBusesTogetherWhereOneAloneGainsNothing) {
  // Bytes pass a link and a bus of the same width, 80 us of 100: only both can be made shorter.
  Congested run({0.8});
  run.path.shares = {};
  run.path.shares[static_cast<std::size_t>(Resource::bandwidth)] = Time::us(80);
  run.path.if_twice = {Time::zero(), Time::zero(), Time::us(40)};
  run.path.links.clear();
  run.links.used.push_back({9, "n0 pcie", 1000, 0.8, 0.8, true});
  const Findings findings = run.judge();
  EXPECT_EQ(Congested::gain(findings, "bandwidth"), Time::zero());
  EXPECT_EQ(Congested::gain(findings, "pcie"), Time::zero());
  EXPECT_EQ(Congested::gain(findings, "bandwidth+pcie"), Time::us(40));
  EXPECT_NE(findings.sentences.front().find("links and PCIe buses, which are equally narrow"),
            std::string::npos)
      << findings.sentences.front();
}

TEST(Findings, SpeakOfRanksInFewWords) {
  EXPECT_EQ(ranks_text({3}), "rank 3");
  EXPECT_EQ(ranks_text({3, 4, 5, 6, 7}), "ranks 3 to 7");
  EXPECT_EQ(ranks_text({1, 4, 9}), "ranks 1, 4 and 9");
  EXPECT_EQ(ranks_text({1, 4, 9, 16, 25}), "5 ranks");
}

}  // namespace
}  // namespace heddle::record
