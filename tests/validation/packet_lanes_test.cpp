// Machines, routings and lanes that `heddle topo --lanes` calls safe, at full load for long.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/random.hpp"
#include "network/lane_cases.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

/// Sends from each node to random others, one message of four packets after another.
class FullLoad final : public TransferClient {
 public:
  FullLoad(Bed& bed, std::uint32_t nodes, std::uint64_t messages)
      : bed_(bed), nodes_(nodes), left_(messages) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (int i = 0; i < 8; ++i) send(n);
    }
  }
  void transfer_reached(Instant, std::uint64_t node) override {
    ++arrived_;
    send(static_cast<std::uint32_t>(node));
  }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t arrived() const { return arrived_; }

 private:
  void send(std::uint32_t from) {
    if (left_ == 0) return;
    --left_;
    ++sent_;
    const auto to = static_cast<std::uint32_t>((from + 1 + random_.below(nodes_ - 1)) % nodes_);
    Transfer transfer = bed_.transfer(from, from, to, 4 * 2'156);
    transfer.client = this;
    bed_.network->start(transfer);
  }

  Bed& bed_;
  std::uint32_t nodes_;
  std::uint64_t left_;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
  RandomStream random_{1};
};

// 250,000 messages of four packets each, with room for one packet per buffer and lane: all arrive.
TEST(PacketLanes, AMillionPacketsWithoutCirclesAllArrive) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  for (const LaneCase& c : safe_cases()) {
    const platform::Platform platform = machine_of(c);
    ASSERT_TRUE(checked(c, platform).circle.empty()) << text_of(c);
    std::vector<std::string> settings = c.packet;
    settings.emplace_back("packet.buffer=34");
    Bed bed("packet", platform, settings);
    FullLoad load(bed, platform.nodes(), 250'000);
    bed.simulation.run();
    EXPECT_EQ(load.arrived(), load.sent()) << text_of(c);
    EXPECT_EQ(bed.network->packets_arrived().arrived, 1'000'000U) << text_of(c);
    validation_row("Packets that no circle of buffers can stop", text_of(c),
                   std::to_string(bed.network->packets_arrived().arrived) + " packets arrived",
                   "1000000", "", "0");
  }
}

}  // namespace
}  // namespace heddle::network
