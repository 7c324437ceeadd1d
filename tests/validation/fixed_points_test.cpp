// Flows that send for ever to one node share its link. With DCQCN, equally and over a queue as the
// fluid model has it (Zhu et al., CoNEXT 2016); with HPCC, 95 % of it and with next to no queue.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "network/support.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

/// As many flows as there are sources, each with two messages to send at any time.
class EndlessFlows final : public TransferClient {
 public:
  EndlessFlows(Bed& bed, std::uint32_t sources) : bed_(bed), messages_(sources + 1) {
    for (std::uint32_t from = 1; from <= sources; ++from) {
      send(from);
      send(from);
    }
  }
  void transfer_reached(Instant, std::uint64_t from) override {
    ++messages_[from];
    send(static_cast<std::uint32_t>(from));
  }
  /// That have arrived, by source.
  const std::vector<std::int64_t>& messages() const { return messages_; }

 private:
  void send(std::uint32_t from) {
    constexpr std::int64_t kSize = 49 * 1'000;
    Transfer transfer = bed_.transfer(from, from, 0, kSize);
    transfer.client = this;
    bed_.network->start(transfer);
  }

  Bed& bed_;
  std::vector<std::int64_t> messages_;
};

/// Jain's index of fairness: 1 if all are equal, 1/n if one has everything.
double fairness(const std::vector<double>& shares) {
  double sum = 0;
  double squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

struct Measured {
  double queue;  ///< Its mean, in bytes.
  double fairness;
  double use;  ///< Of the link, in parts.
};

/// The queue is all that is on its way but what fills the cables.
Measured measure(const std::string& control, std::uint32_t sources, std::int64_t gbps, Time cable,
                 Time settle, Time measured) {
  MachineParams machine;
  machine.link.bandwidth = Bandwidth::gbps(gbps);
  machine.link.latency = cable;
  machine.switches.latency = Time::zero();
  const platform::Platform platform = star(sources + 1, machine);
  Bed bed("packet", platform,
          {"packet.congestion=" + control, "packet.flit=50B", "packet.header=0B",
           "packet.max_packet=1000B", "packet.buffer=1M", "packet.switch_output=21"});
  EndlessFlows flows(bed, sources);
  bed.simulation.run_until(settle);
  const std::vector<std::int64_t> before = flows.messages();
  const Bytes delivered_before = bed.network->delivered();
  const double idle = static_cast<double>(gbps) / 8e3 * static_cast<double>(cable.ps());
  double queue = 0;
  int samples = 0;
  for (Time at = settle; at < settle + measured; at += Time::us(2)) {
    bed.simulation.run_until(at);
    const LinkBytes carried = bed.network->carried();
    std::int64_t waiting = 0;
    for (std::uint32_t link = 0; link < platform.links().ids(); ++link) {
      const platform::LinkEnds ends = platform.links().ends(LinkId{link});
      if (ends.to == VertexId{0}) waiting -= carried[link];
      if (index(ends.from) >= 1 && index(ends.from) <= sources) waiting += carried[link];
    }
    queue += static_cast<double>(waiting);
    ++samples;
  }
  std::vector<double> shares;
  for (std::uint32_t from = 1; from <= sources; ++from) {
    shares.push_back(static_cast<double>(flows.messages()[from] - before[from]));
  }
  const double bytes = static_cast<double>((bed.network->delivered() - delivered_before).count());
  const double use = bytes * 8 / (static_cast<double>(gbps) * 1e9 * measured.seconds());
  return {queue / samples - idle * use, fairness(shares), use};
}

struct FixedPoint {
  std::uint32_t flows;
  std::int64_t gbps;
  double queue;  ///< Of the whole fluid model, in kB.
};

void compare(const FixedPoint& expected, Time settle, Time measured) {
  const Measured found =
      measure("dcqcn", expected.flows, expected.gbps, Time::ns(100), settle, measured);
  const double error = 100 * (found.queue / 1e3 - expected.queue) / expected.queue;
  const std::string what = fmt::format("{} flows at {} Gb/s", expected.flows, expected.gbps);
  const std::string subject = "DCQCN against the fixed point of its fluid model";
  validation_row(subject, what + ": mean queue", fmt::format("{:.1f} kB", found.queue / 1e3),
                 fmt::format("{:.1f} kB", expected.queue), fmt::format("{:+.1f} %", error), "30 %");
  validation_row(subject, what + ": Jain's index", fmt::format("{:.4f}", found.fairness), "1", "",
                 "> 0.95");
  validation_row(subject, what + ": use of the link", fmt::format("{:.2f} %", 100 * found.use),
                 "100 %", "", "> 97 %");
  EXPECT_LT(std::abs(error), 30) << what;
  EXPECT_GT(found.fairness, 0.95) << what;
  EXPECT_GT(found.use, 0.97) << what;
}

// Two flows of 40 Gb/s: 20.2 kB.
TEST(DcqcnFixedPoint, OfTwoFlows) {
  compare({2, 40, 20.2}, Time::ms(10), Time::ms(20));
}

TEST(DcqcnFixedPoint, OfManyFlows) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  const FixedPoint all[] = {
      {4, 40, 41.8}, {10, 40, 123}, {2, 100, 9.7}, {4, 100, 16.4}, {10, 100, 41.8}};
  for (const FixedPoint& expected : all) compare(expected, Time::ms(50), Time::ms(100));
}

// 95 % of the link and the additive part, 5 % of it for 100 flows: 95 % / (1 - 0.0005 N). A queue
// of less than a packet for each flow.
TEST(HpccFixedPoint, LeavesAPartOfTheLinkIdle) {
  for (const std::uint32_t flows : {2U, 8U}) {
    const Measured found = measure("hpcc", flows, 100, Time::ns(2'500), Time::ms(4), Time::ms(4));
    const double expected = 0.95 + 0.0005 * flows;
    const std::string subject = "HPCC: use of a link and queue";
    const std::string what = fmt::format("{} flows at 100 Gb/s", flows);
    validation_row(subject, what + ": use of the link", fmt::format("{:.2f} %", 100 * found.use),
                   fmt::format("{:.2f} %", 100 * expected),
                   fmt::format("{:+.2f} %", 100 * (found.use / expected - 1)), "2 %");
    validation_row(subject, what + ": mean queue", fmt::format("{:.2f} kB", found.queue / 1e3), "0",
                   "", fmt::format("{} kB", flows));
    validation_row(subject, what + ": Jain's index", fmt::format("{:.4f}", found.fairness), "1", "",
                   "> 0.95");
    EXPECT_LT(std::abs(found.use / expected - 1), 0.02) << what;
    EXPECT_LT(found.queue, 1e3 * flows) << what;
    EXPECT_GT(found.fairness, 0.95) << what;
  }
}

}  // namespace
}  // namespace heddle::network
