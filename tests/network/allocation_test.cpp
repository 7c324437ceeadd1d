// Hot paths allocate nothing: this program counts its allocations.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "network/support.hpp"
#include "platform/topology/dragonfly.hpp"

namespace {

std::size_t allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocations;
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
  Bed bed(GetParam().model, platform, {"packet.congestion_control=yes"});
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

INSTANTIATE_TEST_SUITE_P(Of, Allocations,
                         testing::Values(Case{"loggops", "minimal"}, Case{"queue", "minimal"},
                                         Case{"queue", "adaptive"}, Case{"queue", "valiant"},
                                         Case{"fluid", "minimal"}, Case{"fluid", "adaptive"},
                                         Case{"packet", "minimal"}, Case{"packet", "adaptive"}),
                         [](const auto& test) {
                           return test.param.model + "_" + test.param.routing;
                         });

}  // namespace
}  // namespace heddle::network
