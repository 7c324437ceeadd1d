// Hot paths allocate nothing: this program counts its allocations.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "core/random.hpp"
#include "network/lane_cases.hpp"
#include "network/support.hpp"
#include "platform/topology/dragonfly.hpp"

namespace {

std::size_t allocations = 0;
std::size_t allocated_bytes = 0;

void* counted(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  allocated_bytes += size;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  allocated_bytes += size;
  return std::malloc(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, alignment);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace heddle::network {
namespace {

struct Case {
  std::string model;
  std::string routing;
  std::string name = {};
  std::vector<std::string> more = {};
};

/// Each node sends so many messages, the next when the last is there, to nodes that follow from
/// the number of the message.
class Traffic final : public TransferClient {
 public:
  Traffic(Network& network, std::uint32_t nodes) : network_(network), sent_(nodes) {}

  void start(int messages) {
    messages_ = messages;
    std::fill(sent_.begin(), sent_.end(), 0);
    for (std::uint32_t node = 0; node < sent_.size(); ++node) send(node);
  }
  void transfer_reached(Instant instant, std::uint64_t node) override {
    if (instant == Instant::tail) send(static_cast<std::uint32_t>(node));
  }

 private:
  void send(std::uint32_t node) {
    if (sent_[node] == messages_) return;
    const auto nodes = static_cast<std::uint32_t>(sent_.size());
    const auto number = static_cast<std::uint32_t>(sent_[node]++);
    Transfer transfer;
    transfer.source.node = NodeId{node};
    transfer.destination.node = NodeId{(node + 1 + 7 * number) % nodes};
    transfer.size = Bytes(200 + 300 * (number % 5));
    transfer.wants = kAllInstants;
    transfer.client = this;
    transfer.cookie = node;
    network_.start(transfer);
  }

  Network& network_;
  std::vector<int> sent_;
  int messages_ = 0;
};

class Allocations : public testing::TestWithParam<Case> {};

// A first round lets pools, queues and heaps grow. A second round of the same messages then works
// in the memory that is there: events, messages, packets and flows come and go without a single
// allocation, whatever the routing.
TEST_P(Allocations, NoneInAWarmRun) {
  auto topology = std::make_unique<platform::Dragonfly>(platform::DragonflyShape{9, 4, 2, 2});
  auto routing = platform::make_routing(GetParam().routing, *topology);
  const MachineParams params;
  const platform::Platform platform("machine", std::move(topology), std::move(routing), params.link,
                                    params.switches, params.node, {});
  std::vector<std::string> settings = GetParam().more;
  settings.emplace_back("packet.congestion=ib");
  Bed bed(GetParam().model, platform, settings);
  Traffic traffic(*bed.network, platform.nodes());
  for (int warm_up = 0; warm_up < 3; ++warm_up) {
    traffic.start(60);
    bed.simulation.run();
  }
  const std::size_t before = allocations;
  const std::uint64_t events = bed.simulation.events_fired();
  traffic.start(60);
  bed.simulation.run();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(bed.simulation.events_fired() - events, 60u * platform.nodes());
}

INSTANTIATE_TEST_SUITE_P(
    Of, Allocations,
    testing::Values(Case{"loggops", "minimal"}, Case{"queue", "minimal"}, Case{"queue", "adaptive"},
                    Case{"queue", "valiant"}, Case{"fluid", "minimal"}, Case{"fluid", "adaptive"},
                    Case{"packet", "minimal"}, Case{"packet", "adaptive"},
                    Case{"packet", "adaptive", "_islip", {"packet.allocation=islip"}},
                    Case{"packet",
                         "minimal",
                         "_oldest_shared",
                         {"packet.allocation=oldest-first", "packet.buffer_sharing=switch",
                          "packet.forwarding=store-and-forward"}}),
    [](const auto& test) { return test.param.model + "_" + test.param.routing + test.param.name; });

/// Bytes that it takes to make a machine and to lead a message each between 1000 pairs of nodes by
/// its routing.
std::size_t bytes_for(const LaneCase& c, std::uint32_t nodes) {
  const std::size_t before = allocated_bytes;
  const platform::Platform platform = machine_of(c);
  EXPECT_EQ(platform.nodes(), nodes);
  const platform::NoLoads idle;
  RandomStream random(1);
  for (int pair = 0; pair < 1000; ++pair) {
    const auto from = static_cast<std::uint32_t>(random.below(nodes));
    const auto to = static_cast<std::uint32_t>((from + 1 + random.below(nodes - 1)) % nodes);
    platform::Walk walk =
        platform.routes().walk({NodeId{from}}, {NodeId{to}}, static_cast<std::uint32_t>(pair));
    std::uint32_t links = 0;
    while (platform.routes().next(walk, idle) != kNoLink) ++links;
    EXPECT_GE(links, 2U);
    EXPECT_LE(links, 8U);
  }
  return allocated_bytes - before;
}

// A slim fly of 10,830 nodes with 21,299 cables and a dragonfly+ of 105,300 nodes with 263,250:
// a byte for every pair of nodes would be 117 MB and 11 GB, one for every pair of switches 0.5 MB
// and 137 MB. 100 B per cable are 2 and 26 MB.
TEST(LargeFabrics, HaveNoTablesOfAllPairs) {
  const std::vector<std::string> plus = {
      "dragonfly-plus.groups=325", "dragonfly-plus.leaves_per_group=18",
      "dragonfly-plus.spines_per_group=18", "dragonfly-plus.global_per_spine=18",
      "dragonfly-plus.nodes_per_leaf=18"};
  for (const char* routing : {"minimal", "adaptive", "ugal-l"}) {
    EXPECT_LE(bytes_for({"slim-fly", {"slim-fly.q=19"}, routing, {}}, 10'830), 21'299U * 100)
        << routing;
    EXPECT_LE(bytes_for({"dragonfly-plus", plus, routing, {}}, 105'300), 263'250U * 100) << routing;
  }
}

}  // namespace
}  // namespace heddle::network
