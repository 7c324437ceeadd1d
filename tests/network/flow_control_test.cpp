// Switches that pause or lose packets, and sources that send again what is lost: over whole
// networks, as users see them.
#include <gtest/gtest.h>

#include <map>

#include "core/random.hpp"
#include "network/packet/rules.hpp"
#include "network/support.hpp"
#include "platform/topology/fat_tree.hpp"
#include "sanitized.hpp"

namespace heddle::network {
namespace {

/// Counts the instants of each message.
class TwiceIsTooOften final : public TransferClient {
 public:
  void transfer_reached(Instant instant, std::uint64_t cookie) override {
    ++seen[{cookie, instant}];
  }
  std::map<std::pair<std::uint64_t, Instant>, int> seen;
};

/// Four leaves with four nodes each, and four spines.
platform::Platform tree(const std::string& routing_name) {
  auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(4, 2));
  auto routing = platform::make_routing(routing_name, *topology);
  const MachineParams params;
  return {"tree",      std::move(topology), std::move(routing),
          params.link, params.switches,     params.node,
          {}};
}

struct Mix {
  const char* flow_control;
  const char* repair;
  const char* full;
};

std::string name_of(const Mix& mix, const std::string& control, const std::string& routing) {
  return std::string(mix.flow_control) + " " + mix.repair + " " + mix.full + " " + control + " " +
         routing;
}

/// Messages of all sizes, many of them to few nodes, at all times.
PacketCounts check_all_arrive(const Mix& mix, const std::string& control,
                              const std::string& routing, std::uint64_t seed) {
  SCOPED_TRACE(name_of(mix, control, routing));
  std::vector<std::string> assignments = {std::string("packet.flow_control=") + mix.flow_control,
                                          std::string("repair.mode=") + mix.repair,
                                          "packet.congestion=" + control,
                                          "packet.max_packet=1KiB",
                                          "packet.lanes=2",
                                          "packet.lane_by=class"};
  if (std::string(mix.flow_control) == "pfc") {
    // Headroom for two packets is too little: some are lost.
    for (const char* a : {"pfc.threshold=2KiB", "pfc.headroom=2KiB"}) assignments.emplace_back(a);
    if (std::string(mix.repair) == "none") assignments.back() = "pfc.headroom=auto";
  }
  if (std::string(mix.flow_control) == "lossy") {
    for (const char* a : {"lossy.queue=8KiB", "repair.timeout=50us"}) assignments.emplace_back(a);
    assignments.push_back(std::string("lossy.full=") + mix.full);
  }
  const platform::Platform platform = tree(routing);
  Bed bed("packet", platform, assignments);
  TwiceIsTooOften client;
  RandomStream random(seed);
  std::int64_t bytes = 0;
  constexpr int kMessages = 120;
  for (int i = 0; i < kMessages; ++i) {
    Transfer transfer;
    transfer.source.node = NodeId{static_cast<std::uint32_t>(random.below(16))};
    transfer.destination.node =
        NodeId{static_cast<std::uint32_t>(random.below(random.below(2) == 0 ? 3 : 16))};
    transfer.size = Bytes(
        static_cast<std::int64_t>(random.below(4) == 0 ? random.below(3) : random.below(60'000)));
    transfer.traffic_class = static_cast<std::uint8_t>(random.below(2));
    transfer.wants = kAllInstants;
    transfer.client = &client;
    transfer.cookie = static_cast<std::uint64_t>(i);
    bytes += transfer.size.count();
    bed.network->start(transfer);
    bed.simulation.run_until(bed.simulation.now() +
                             Time::ns(static_cast<std::int64_t>(random.below(2'000))));
  }
  bed.simulation.run();
  EXPECT_EQ(bed.network->stuck(), "");
  EXPECT_EQ(bed.network->delivered(), Bytes(bytes));
  EXPECT_EQ(client.seen.size(), 3U * kMessages);
  for (const auto& [instant, times] : client.seen) EXPECT_EQ(times, 1) << instant.first;
  return bed.network->packets_arrived();
}

std::vector<std::string> controls() {
  std::vector<std::string> names = {"none"};
  for (const auto* rule : congestion_controls()) names.emplace_back(rule->name);
  return names;
}

// Whatever the flow control, the congestion control, the repair and the routes are: every message
// is there once, with every byte of it, and nothing is left.
TEST(FlowControl, NothingIsLostDoubledOrInvented) {
  const Mix mixes[] = {{"credits", "none", "drop"},      {"credits", "go-back-n", "drop"},
                       {"credits", "selective", "drop"}, {"pfc", "none", "drop"},
                       {"pfc", "go-back-n", "drop"},     {"pfc", "selective", "drop"},
                       {"lossy", "go-back-n", "drop"},   {"lossy", "selective", "drop"},
                       {"lossy", "go-back-n", "trim"},   {"lossy", "selective", "trim"}};
  std::uint64_t seed = 1;
  for (const Mix& mix : mixes) {
    for (const std::string& control : controls()) {
      ++seed;
      if (kSanitized && seed % 3 != 0) continue;
      const bool sprays = seed % 2 != 0;
      const PacketCounts counts =
          check_all_arrive(mix, control, sprays ? "spray" : "minimal", seed);
      const std::string flow_control = mix.flow_control;
      const bool may_lose =
          flow_control == "lossy" || (flow_control == "pfc" && std::string(mix.repair) != "none");
      EXPECT_TRUE(may_lose || counts.dropped + counts.trimmed == 0);
      EXPECT_EQ(counts.trimmed > 0, std::string(mix.full) == "trim");
      EXPECT_EQ(counts.pauses > 0, flow_control == "pfc");
      if (may_lose && control == "none") {
        EXPECT_GT(counts.dropped + counts.trimmed, 0U);
        EXPECT_GT(counts.sent_again, 0U);
      }
    }
  }
}

/// Five nodes on a switch, with cables of 100 Gb/s, 80 ps per byte, and 235.56 ns; that of node 0
/// is so slow that next to nothing leaves by it. Node 1 sends 40 packets of 2048 B to node 0, and
/// is paused when the fourth of them is in the switch, which is for the headroom. Nodes 3 and 4
/// send to node 1, so that the wire to that is busy, and packets for it wait.
struct Jam {
  explicit Jam(const std::string& headroom) : platform(star(5, cables())) {
    platform::LinkParams slow = cables().link;
    slow.bandwidth = Bandwidth::bits_per_second(100'000'000);
    platform.set_cable(0, slow);
    bed = std::make_unique<Bed>(
        "packet", platform,
        std::vector<std::string>{"packet.flow_control=pfc", "packet.header=0B",
                                 "packet.max_packet=2048B", "pfc.reserve=0B", "pfc.threshold=8191B",
                                 "pfc.headroom=" + headroom, "repair.timeout=100s"});
    bed->send(0, 1, 0, 40 * 2048);
    bed->send(1, 3, 1, 100 * 2048);
    bed->send(2, 4, 1, 100 * 2048);
    bed->simulation.run();
    EXPECT_EQ(bed->network->delivered(), Bytes(240 * 2048));
  }
  static MachineParams cables() {
    MachineParams params;
    params.link.latency = Time::ps(235'560);
    return params;
  }
  std::int64_t statistic(std::string_view name, std::uint32_t node) const {
    LinkId link{0};
    while (platform.links().ends(link).from != VertexId{node}) {
      link = LinkId{static_cast<std::uint32_t>(index(link) + 1)};
    }
    for (const LinkStatistic& one : bed->network->link_statistics(link)) {
      if (one.name == name) return one.value;
    }
    ADD_FAILURE() << name;
    return -1;
  }
  std::uint64_t dropped() const { return bed->network->packets_arrived().dropped; }

  platform::Platform platform;
  std::unique_ptr<Bed> bed;
};

// The head of a packet that left its source at 0 is at the switch at 235.56 ns, and is one too
// many. The pause waits for a packet on the wire back, 163.84 ns, and takes 5.12 ns for its own 64
// B and 235.56 ns: it is there at 640.08 ns. Until then the source lets packets pass, one in 163.84
// ns, as soon as its output buffer of 36 flits has room for one and a flit, which is 15.36 ns
// before the packet comes to the wire: those that begin to leave at 0, 163.84, 327.68, 491.52 and,
// as this is before 640.08 + 15.36, at 655.36 ns, by a tenth of a nanosecond less than it may be
// (655.44 ns). That is five packets, 10240 B. By the formula: 2 * 235.56 + 5.12 + 163.84 + 35
// * 5.12 ns are worth 10241 B, of which the last would begin with the pause: 10240 B.
TEST(FlowControl, HeadroomIsNoLargerThanItMustBe) {
  const Jam as_derived("auto");
  EXPECT_EQ(as_derived.statistic("headroom_bytes", 1), 10'240);
  EXPECT_EQ(as_derived.dropped(), 0U);
  EXPECT_GT(as_derived.statistic("pauses", 1), 0);
  // Three packets, and then what the headroom takes.
  EXPECT_EQ(as_derived.statistic("max_buffer_bytes", 1), 3 * 2'048 + 10'240);
  EXPECT_EQ(Jam("10240B").dropped(), 0U);
  EXPECT_GT(Jam("10239B").dropped(), 0U);
}

/// The link from a node to its switch, or, `back`, to it.
LinkId link_of(const platform::Platform& platform, std::uint32_t node, bool back = false) {
  for (std::uint32_t link = 0;; ++link) {
    const platform::LinkEnds ends = platform.links().ends(LinkId{link});
    if ((back ? ends.to : ends.from) == VertexId{node}) return LinkId{link};
  }
}

// Two packets of 2048 B from two nodes to a third: the heads of both are at the switch's arbiter at
// 125 ns, and the first passes it until 283.7 ns. At 200 ns the other waits, 2048 B; when all is
// over nothing does, and 4096 B have been carried.
TEST(LinkStates, SayWhatWaitsNow) {
  const platform::Platform platform = star(3);
  Bed bed("packet", platform, {"packet.header=0B", "packet.max_packet=2048B"});
  bed.send(0, 1, 0, 2048);
  bed.send(1, 2, 0, 2048);
  bed.simulation.run_until(Time::ns(200));
  const std::size_t last = index(link_of(platform, 0, true));
  const LinkState waits = bed.network->link_states().at(last);
  EXPECT_EQ(waits.queued, 2048);
  EXPECT_EQ(waits.carried, 2048);
  EXPECT_EQ(bed.network->link_states().at(index(link_of(platform, 1))).queued, 0);
  bed.simulation.run();
  EXPECT_EQ(bed.network->link_states().at(last).queued, 0);
  EXPECT_EQ(bed.network->link_states().at(last).carried, 4096);
}

// A node sends to one whose cable is a thousand times slower than its own, and is soon paused for a
// long time: each microsecond of that counts when it has passed, not only when the pause is over.
// When all is over, pauses are as long as statistics say.
TEST(LinkStates, PausesCountWhileTheyLast) {
  platform::Platform platform = star(2);
  platform::LinkParams slow = MachineParams().link;
  slow.bandwidth = Bandwidth::bits_per_second(100'000'000);
  platform.set_cable(0, slow);
  Bed bed("packet", platform, {"packet.flow_control=pfc", "pfc.threshold=8KiB"});
  bed.send(0, 1, 0, 100'000);
  const LinkId paused = link_of(platform, 1);
  const auto held_up = [&] { return bed.network->link_states().at(index(paused)).held_up; };
  bed.simulation.run_until(Time::us(10));
  const Time before = held_up();
  EXPECT_GT(before, Time::zero());
  bed.simulation.run_until(Time::us(11));
  EXPECT_EQ(held_up() - before, Time::us(1));
  bed.simulation.run();
  std::int64_t paused_ps = 0;
  for (const LinkStatistic& statistic : bed.network->link_statistics(paused)) {
    if (statistic.name == "paused_ps") paused_ps = statistic.value;
  }
  EXPECT_EQ(held_up().ps(), paused_ps);
}

// What links say of losses and marks adds up to what the network counts: an incast of four nodes
// through queues of 8 KiB, marked from 2 KiB on.
TEST(LinkStates, LossesAndMarksAddUp) {
  const platform::Platform platform = star(5);
  Bed bed("packet", platform,
          {"packet.flow_control=lossy", "lossy.queue=8KiB", "packet.congestion=dcqcn",
           "dcqcn.mark_low=2KiB", "dcqcn.mark_high=4KiB"});
  for (std::uint32_t node = 1; node < 5; ++node) bed.send(node, node, 0, 100'000);
  bed.simulation.run();
  std::uint64_t lost = 0;
  std::uint64_t marked = 0;
  for (const LinkState& state : bed.network->link_states()) {
    lost += static_cast<std::uint64_t>(state.lost);
    marked += static_cast<std::uint64_t>(state.marked);
  }
  const PacketCounts counts = bed.network->packets_arrived();
  EXPECT_GT(lost, 0U);
  EXPECT_GT(marked, 0U);
  EXPECT_EQ(lost, counts.dropped + counts.trimmed);
  EXPECT_EQ(marked, counts.marked);
}

// Models without packets have no such states.
TEST(LinkStates, OfModelsWithoutPacketsThereAreNone) {
  const platform::Platform platform = star(2);
  EXPECT_TRUE(Bed("queue", platform).network->link_states().empty());
  EXPECT_TRUE(Bed("fluid", platform).network->link_states().empty());
}

}  // namespace
}  // namespace heddle::network
