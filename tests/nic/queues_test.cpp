// Finite queues and engines, and the order of requests: times on the machine that put_test.cpp
// describes.
#include <gmock/gmock.h>

#include "support.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;

/// Five gets at once, room for two. The engine holds a get for 2 + 1006.4 + 250 = 1258.4 ns. The
/// first two cross the bus behind each other (256.4, 262.8). The first leaves the queue at once, so
/// that the third crosses (512.8); the fourth has to wait for the second to leave, at 1514.8, and
/// the fifth for the third, at 2773.2; each then crosses in 256.4 ns.
TEST(CommandQueue, PushesBack) {
  Bed bed({"nic.command_queue_depth=2"});
  for (int i = 0; i < 5; ++i) bed.issue(bed.request(Operation::get, 0));
  bed.simulation.run();
  const Time kExpected[] = {Time::ps(256'400), Time::ps(262'800), Time::ps(512'800),
                            Time::ps(1'514'800 + 256'400), Time::ps(2'773'200 + 256'400)};
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_THAT(bed.page(i + 1).accepted, ElementsAre(kExpected[i])) << i;
  }
}

/// Each process has a queue of its own.
TEST(CommandQueue, IsNotSharedByProcesses) {
  Bed bed({"nic.command_queue_depth=1"});
  bed.issue(bed.request(Operation::get, 0));
  Request other = bed.request(Operation::get, 0);
  other.initiator.pid = 5;
  bed.issue(other);
  bed.simulation.run();
  EXPECT_THAT(bed.page(2).accepted, ElementsAre(Time::ps(262'800)));
}

/// The acknowledgement engine of the target is busy for 2 + 1003.2 + 200 ns per put; engines divide
/// that.
TEST(Engines, DivideTheTimePerMessage) {
  const auto per_put = [](const std::string& engines) {
    Bed bed({"nic.transmit_engines=" + engines, "nic.match_engines=" + engines});
    constexpr std::uint32_t kPuts = 200;
    std::uint32_t issued = 1;
    bed.notebook.on_accepted = [&](std::uint32_t) {
      if (issued++ < kPuts) bed.put(8);
    };
    bed.put(8);
    bed.simulation.run();
    return (bed.page(kPuts).completed[0] - bed.page(1).completed[0]) / (kPuts - 1);
  };
  EXPECT_EQ(per_put("1"), Time::ps(1'205'200));
  EXPECT_NEAR(static_cast<double>(per_put("2").ps()), 602'600, 3'000);
  EXPECT_NEAR(static_cast<double>(per_put("4").ps()), 301'300, 3'000);
}

/// If engines do not wait for delivery, an acknowledgement costs 2 + 3.2 + 200 ns, and the match
/// engine is the slowest: 200.508 + 250.8 ns.
TEST(Engines, NeedNotWaitForDelivery) {
  Bed bed({"nic.wait_for_delivery=no"});
  for (int i = 0; i < 100; ++i) bed.put(8);
  bed.simulation.run();
  EXPECT_EQ((bed.page(100).completed[0] - bed.page(1).completed[0]) / 99, Time::ps(451'308));
}

/// The second put is small and reaches the target first, but is matched behind the first.
TEST(Order, IsThatOfTheCommands) {
  Bed bed({"nic.transmit_engines=4", "nic.match_engines=4"});
  bed.put(1 << 20);
  bed.put(8);
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1, 2));
  const ActivityRecord first_there = bed.records.of(Activity::put)[0];
  EXPECT_EQ(first_there.size, Bytes(8));
  EXPECT_EQ(bed.page(2).arrived, bed.page(1).arrived);
}

TEST(Order, IsNotKeptForUnorderedRequests) {
  Bed bed({"nic.transmit_engines=4", "nic.match_engines=4"});
  bed.put(1 << 20);
  Request small = bed.request(Operation::put, 8);
  small.unordered = true;
  bed.issue(small);
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(2, 1));
}

/// Service requests have engines of their own: a get in the way of others does not delay them.
TEST(VirtualNetworks, AreIndependent) {
  Bed bed;
  bed.issue(bed.request(Operation::get, 0));
  Request service = bed.request(Operation::get, 0);
  service.service = true;
  bed.issue(service);
  bed.simulation.run();
  EXPECT_THAT(bed.page(1).arrived, ElementsAre(Time::ps(258'400 + 1'006'400)));
  EXPECT_THAT(bed.page(2).arrived, ElementsAre(Time::ps(264'800 + 1'006'400)));
  EXPECT_EQ(bed.records.of(Activity::get)[1].virtual_network, 0);
  EXPECT_EQ(bed.records.of(Activity::get_response)[1].virtual_network, 2);
}

/// One request under way between the nodes: the second goes 2 ns after the first was acknowledged,
/// at 2264.4. With E2E it follows the acknowledgement of that acknowledgement, 32 B, onto the
/// cable.
TEST(FlowControl, LimitsPairsOfNodes) {
  for (const bool e2e : {true, false}) {
    Bed bed({"nic.max_in_flight_nodes=1", e2e ? "nic.e2e=yes" : "nic.e2e=no"});
    bed.put(8);
    bed.put(8);
    bed.simulation.run();
    EXPECT_THAT(bed.page(2).arrived,
                ElementsAre(Time::ps(2'264'400 + 2'000 + (e2e ? 3'200 : 0) + 1'000'800)));
  }
}

/// A limit per pair of processes holds up the pair, not its neighbours.
TEST(FlowControl, LimitsPairsOfProcesses) {
  Bed bed({"nic.max_in_flight_processes=1", "nic.e2e=no"});
  bed.put(8);
  bed.put(8);
  Request neighbour = bed.request(Operation::put, 8);
  neighbour.target.pid = 9;
  bed.issue(neighbour);
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1, 3, 2));
  EXPECT_THAT(bed.page(2).arrived, ElementsAre(Time::ps(2'264'400 + 2'000 + 1'000'800)));
}

TEST(FlowControl, WorksForBothAtOnce) {
  Bed bed({"nic.max_in_flight_processes=1", "nic.max_in_flight_nodes=2"});
  for (std::uint32_t i = 0; i < 30; ++i) {
    Request request = bed.request(Operation::put, 8);
    request.target.pid = i % 3;
    bed.issue(request);
  }
  bed.simulation.run();
  for (std::uint32_t i = 1; i <= 30; ++i) EXPECT_EQ(bed.page(i).released.size(), 1U) << i;
  EXPECT_EQ(bed.adapters->stuck(), "");
}

/// The same bits on every run; a run with another order of events has other ones.
TEST(Determinism, SameRunSameFingerprint) {
  const auto fingerprint = [](int puts) {
    Bed bed({"nic.transmit_engines=3", "nic.e2e_timeout=30us"}, kPair, {0.1, 0.05, {}});
    for (int i = 0; i < puts; ++i) bed.put(i % 7 * 100);
    bed.simulation.run();
    return bed.simulation.fingerprint();
  };
  EXPECT_EQ(fingerprint(60), fingerprint(60));
  EXPECT_NE(fingerprint(60), fingerprint(61));
}

}  // namespace
}  // namespace heddle::nic
