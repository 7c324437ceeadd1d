// NCCL's collectives as schedules: steps, bytes of links, and times on an idle machine.
#include "goal/nccl/nccl_pattern.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"
#include "goal/check.hpp"
#include "goal/operations.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/inner_switches.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/network_replay.hpp"

namespace heddle::goal {
namespace {

using coll::nccl::Algorithm;
using coll::nccl::Operation;
using coll::nccl::Protocol;
using testing::HasSubstr;

NcclConfig config_of(Operation operation, Algorithm algorithm, Protocol protocol,
                     std::int64_t ranks, std::int64_t per_node, std::int64_t bytes) {
  NcclConfig config = nccl_table().defaults();
  config.operation = operation;
  config.algorithm = algorithm;
  config.protocol = protocol;
  config.ranks = ranks;
  config.ranks_per_node = per_node;
  config.size = Bytes(bytes);
  config.channels = 1;
  return config;
}

Schedule made(const NcclConfig& config) {
  return generate_nccl(plan_of(config));
}

struct Sent {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Sent&) const = default;
};
Sent sends_of(const Schedule& schedule, std::uint32_t rank) {
  Sent sent;
  for (std::uint32_t i = 0; i < schedule.rank(rank).size(); ++i) {
    const Op op = schedule.rank(rank).op(i);
    if (op.kind != OpKind::send) continue;
    ++sent.messages;
    sent.bytes += op.value;
  }
  return sent;
}

/// Nanoseconds over LogGOPS with nothing but L and G.
std::int64_t takes(const Schedule& schedule, std::int64_t latency, std::int64_t ns_per_byte) {
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.rendezvous = Bytes(INT64_MAX);
  const replay::ReplayOptions options = {{Time::ns(latency), Time::zero(), Time::zero(),
                                          TimePerByte::attoseconds(ns_per_byte * 1'000'000'000),
                                          TimePerByte(), config}};
  return replay::loggops_replay(schedule, options).makespan().ps() / 1000;
}

/// GPUs of a node, where an algorithm is for some only.
std::int64_t gpus_of_node(Algorithm algorithm, std::int64_t ranks) {
  if (algorithm == Algorithm::pat) return 1;
  if (algorithm == Algorithm::nvls) return ranks;
  if (algorithm == Algorithm::nvls_tree) return ranks / 2;
  return ranks % 4 == 0 ? 4 : 1;
}

// Every entry of the list, on numbers of GPUs that are powers of two and not,
// with all protocols and several channels, has no message without counterpart and runs to its end.
TEST(Nccl, AllAreComplete) {
  for (const coll::nccl::Entry& entry : coll::nccl::entries()) {
    const bool in_twos = entry.algorithm == Algorithm::nvls_tree;
    for (const std::int64_t ranks : {in_twos ? 4 : 2, in_twos ? 6 : 3, 8, 12}) {
      for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
        const bool simple = entry.algorithm == Algorithm::pat || is_nvls(entry.algorithm);
        if (simple && protocol != Protocol::simple) continue;
        SCOPED_TRACE(std::string(name_of(entry.operation)) + " " +
                     std::string(name_of(entry.algorithm)) + " " + std::to_string(ranks));
        NcclConfig config = config_of(entry.operation, entry.algorithm, protocol, ranks,
                                      gpus_of_node(entry.algorithm, ranks), 5'000'001);
        config.channels = 3;
        const Schedule schedule = made(config);
        for (const Finding& finding : check(schedule)) ADD_FAILURE() << finding.text;
        EXPECT_GT(takes(schedule, 1000, 0), 0);
      }
    }
  }
}

// A ring of n sends (n-1)/n of the buffer from each GPU to gather or scatter it, in n - 1 steps,
// and twice that to reduce it to all. LL doubles the bytes, LL128 adds a fifteenth.
TEST(Nccl, StepsAndBytesOfRings) {
  const auto sent = [](Operation operation, Protocol protocol) {
    return sends_of(made(config_of(operation, Algorithm::ring, protocol, 8, 8, 240'000)), 3);
  };
  EXPECT_EQ(sent(Operation::allgather, Protocol::simple), (Sent{7, 210'000}));
  EXPECT_EQ(sent(Operation::reduce_scatter, Protocol::simple), (Sent{7, 210'000}));
  EXPECT_EQ(sent(Operation::allreduce, Protocol::simple), (Sent{14, 420'000}));
  EXPECT_EQ(sent(Operation::allreduce, Protocol::ll), (Sent{14, 840'000}));
  EXPECT_EQ(sent(Operation::allreduce, Protocol::ll128), (Sent{14, 448'000}));
}

// Chunks of 2 MiB go in slices of 1 MiB: 32 MiB on 8 GPUs are two loops of 14 steps of two slices.
// With 16 channels each has 2 MiB: one loop of 14 steps of 256 KiB.
TEST(Nccl, LoopsSlicesAndChannels) {
  NcclConfig config = config_of(Operation::allreduce, Algorithm::ring, Protocol::simple, 8, 8,
                                std::int64_t{32} << 20);
  EXPECT_EQ(sends_of(made(config), 0), (Sent{2 * 14 * 2, std::uint64_t{56} << 20}));
  config.channels = 16;
  EXPECT_EQ(sends_of(made(config), 0), (Sent{16 * 14, std::uint64_t{56} << 20}));
}

// The ring all-reduce of one chunk each on an idle machine: 2 (n-1) steps of L + (bytes/n - 1) G.
TEST(Nccl, TimeOfARing) {
  const Schedule schedule =
      made(config_of(Operation::allreduce, Algorithm::ring, Protocol::simple, 8, 8, 80'000));
  EXPECT_EQ(takes(schedule, 1000, 1), 14 * (1000 + 9'999));
}

// A tree of n sends the buffer up and down every edge: 2 (n-1) times in all, over both trees half
// the channels' data each. With latency only and 8 nodes of one GPU the way up has 3 edges, so has
// the way down; with 4 GPUs to each of 8 nodes, 3 more edges of the chain each way.
TEST(Nccl, TreesUpAndDown) {
  NcclConfig config =
      config_of(Operation::allreduce, Algorithm::tree, Protocol::simple, 8, 1, 4096);
  EXPECT_EQ(info_of(made(config)).bytes, 2U * 7 * 4096);
  EXPECT_EQ(takes(made(config), 1000, 0), 2 * 3 * 1000);
  config.channels = 2;
  EXPECT_EQ(info_of(made(config)).bytes, 2U * 7 * 4096);
  EXPECT_EQ(takes(made(config), 1000, 0), 2 * 3 * 1000);
  config.ranks = 32;
  config.ranks_per_node = 4;
  EXPECT_EQ(info_of(made(config)).bytes, 2U * 31 * 4096);
  EXPECT_EQ(takes(made(config), 1000, 0), 2 * (3 + 3) * 1000);
}

// Chunks follow each other up and down a tree: c chunks over 2 d edges take 2 d + c - 1 turns where
// one takes a turn. Of two GPUs, one edge, with G of 1 ns/B and no latency: up and down go on at
// the same time, c + 1 turns of 512 KiB - 1.
TEST(Nccl, ChunksFillThePipeline) {
  const Schedule schedule = made(config_of(Operation::allreduce, Algorithm::tree, Protocol::simple,
                                           2, 1, std::int64_t{8} * 512 * 1024));
  EXPECT_EQ(takes(schedule, 0, 1), 9 * (512 * 1024 - 1));
}

// PAT gathers in log2 n steps: of 8 GPUs 1, 2 and 4 chunks to the ones 4, 2 and 1 away.
TEST(Nccl, StepsOfPat) {
  const auto config = [](Operation operation, std::int64_t ranks) {
    return config_of(operation, Algorithm::pat, Protocol::simple, ranks, 1, ranks * 1000);
  };
  const Schedule schedule = made(config(Operation::allgather, 8));
  EXPECT_EQ(sends_of(schedule, 5), (Sent{3, 7000}));
  EXPECT_EQ(takes(schedule, 1000, 0), 3 * 1000);
  EXPECT_EQ(sends_of(made(config(Operation::reduce_scatter, 8)), 5), (Sent{3, 7000}));
  EXPECT_EQ(sends_of(made(config(Operation::allgather, 11)), 5), (Sent{4, 10'000}));
}

// Channels leave a node by different GPUs: with as many channels as GPUs each sends a quarter.
TEST(Nccl, ChannelsLeaveByDifferentGpus) {
  NcclConfig config =
      config_of(Operation::allgather, Algorithm::ring, Protocol::simple, 8, 4, 64'000);
  config.channels = 4;
  const Schedule schedule = made(config);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    std::uint64_t left = 0;
    for (std::uint32_t i = 0; i < schedule.rank(rank).size(); ++i) {
      const Op op = schedule.rank(rank).op(i);
      if (op.kind == OpKind::send && op.peer >= 4) left += op.value;
    }
    EXPECT_EQ(left, 7U * 2000);
  }
}

// The switch of a node of n GPUs: each sends it the n parts of a loop to be added up and the sum of
// its own part to be spread, n + 1 messages with S (1 + 1/n) bytes, and receives as many. The
// switch sends n sums and n parts to n GPUs each: S and n S.
TEST(Nccl, StepsAndBytesOfSwitches) {
  const auto config = config_of(Operation::allreduce, Algorithm::nvls, Protocol::simple, 8, 8,
                                std::int64_t{8} * 10'000);
  const Schedule schedule = made(config);
  ASSERT_EQ(schedule.ranks(), 8U + 1);
  EXPECT_EQ(sends_of(schedule, 3), (Sent{8 + 1, 80'000 + 10'000}));
  EXPECT_EQ(sends_of(schedule, 8), (Sent{8 + 64, 80'000 + 8 * 80'000}));
  // With latency alone: to the switch, back, to it again, and to all.
  EXPECT_EQ(takes(schedule, 1000, 0), 4 * 1000);
  // Ten chunks of 16 KiB for each GPU and channel: as many loops with the same messages.
  NcclConfig larger = config;
  larger.size = Bytes(10 * 8 * (16 << 10));
  larger.channels = 16;
  EXPECT_EQ(plan_of(larger).division.chunk, 16U << 10);
  larger.channels = 1;
  EXPECT_EQ(plan_of(larger).division.chunk, 32U << 10);
  EXPECT_EQ(sends_of(made(larger), 0).messages, 5U * 9);
}

// Over nodes the GPUs of one part are a tree: each of its N - 1 edges has a part up and down. With
// latency alone and 2^k nodes: four ways to and from switches, k edges up and k down.
TEST(Nccl, TreesOfSwitches) {
  for (const std::int64_t k : {1, 2, 3}) {
    const std::int64_t nodes = std::int64_t{1} << k;
    const Schedule schedule = made(config_of(Operation::allreduce, Algorithm::nvls_tree,
                                             Protocol::simple, 4 * nodes, 4, 4 * 10'000));
    ASSERT_EQ(schedule.ranks(), 5 * nodes);
    EXPECT_EQ(takes(schedule, 1000, 0), (4 + 2 * k) * 1000);
    std::uint64_t between = 0;
    for (std::uint32_t rank = 0; rank < 4 * nodes; ++rank) {
      for (std::uint32_t i = 0; i < schedule.rank(rank).size(); ++i) {
        const Op op = schedule.rank(rank).op(i);
        if (op.kind == OpKind::send && op.peer < 4 * nodes) between += op.value;
      }
    }
    EXPECT_EQ(between, 2 * static_cast<std::uint64_t>(nodes - 1) * 40'000);
  }
}

/// A replay on a machine: how long it takes, and the bytes of each link by its name.
struct OnMachine {
  std::int64_t ps = 0;
  std::map<std::string, std::int64_t> bytes;
};
OnMachine over_queue(const NcclConfig& config, const std::string& machine) {
  const NcclPlan plan = plan_of(config);
  const Schedule schedule = generate_nccl(plan);
  Settings settings(network::fabric_sections());
  const auto description = platform::read_machine(machine, settings);
  const auto platform = platform::build_platform(description, settings);
  Simulation simulation;
  const auto network = network::make_network("queue", simulation, *platform, settings);
  replay::ReplayConfig replay = replay::replay_table().defaults();
  replay::Carrier carrier{
      simulation, *network,
      replay::place_with_switches(schedule.ranks(), plan.switches(), platform->nodes(), replay)};
  carrier.memory = replay::bind_ranks(*platform, carrier.nodes);
  replay::check_switches(schedule, plan.switches(), *platform, carrier.nodes);
  replay::bind_switches(plan.switches(), carrier.nodes, carrier.memory);
  replay::ReplayOptions options;
  options.parameters = replay::combine_for_network({}, replay);
  OnMachine found;
  found.ps = replay::network_replay(schedule, options, carrier).makespan().ps();
  const network::LinkBytes carried = network->carried();
  for (std::uint32_t link = 0; link < carried.size(); ++link) {
    if (carried[link] > 0) found.bytes[platform->links().name(LinkId{link})] = carried[link];
  }
  return found;
}

// Nodes of eight H100: every cable between a GPU and the switch carries S (1 + 1/n) each way, and
// nothing leaves the node. At 450 GB/s that takes S (1 + 1/n) / 450 GB/s at least; with 16 channels
// that have two loops each under way, of 8, the last quarter comes down when all is up.
TEST(Nccl, SwitchesOfAMachine) {
  constexpr std::int64_t kChunk = 64 << 10;
  NcclConfig config = config_of(Operation::allreduce, Algorithm::nvls, Protocol::simple, 8, 8,
                                std::int64_t{8} * 16 * 8 * kChunk);
  config.channels = 16;
  ASSERT_EQ(plan_of(config).division.chunk, kChunk);
  const OnMachine found = over_queue(config, "gpu-h100-256");
  EXPECT_EQ(found.bytes.size(), 16U);
  for (const auto& [link, bytes] : found.bytes) {
    EXPECT_THAT(link, HasSubstr("n0 inner"));
    EXPECT_EQ(bytes, 8 * 16 * 9 * kChunk) << link;
  }
  const double least = 8.0 * 16 * 9 * kChunk / 0.45;
  EXPECT_GT(static_cast<double>(found.ps), least);
  EXPECT_LT(static_cast<double>(found.ps), 1.3 * least);
}

// Two such nodes: inside them the same, and on each rail a part in each direction.
TEST(Nccl, SwitchesOfSeveralNodes) {
  const OnMachine found = over_queue(
      config_of(Operation::allreduce, Algorithm::nvls_tree, Protocol::simple, 16, 8, 8 * 10'000),
      "gpu-h100-256");
  std::size_t inner = 0;
  for (const auto& [link, bytes] : found.bytes) {
    const bool inside = link.find("inner") != std::string::npos;
    inner += inside;
    EXPECT_EQ(bytes, inside ? 9 * 10'000 : 10'000) << link;
  }
  EXPECT_EQ(inner, 32U);
  EXPECT_EQ(found.bytes.size(), 32U + 32);  // A cable from and to each of 16 adapters.
}

// Only switches that reduce do so, in nodes of the size that the schedule is for.
TEST(Nccl, MachinesWithoutSuchSwitches) {
  const auto config =
      config_of(Operation::allreduce, Algorithm::nvls, Protocol::simple, 4, 4, 40'000);
  EXPECT_THAT(error_of([&] { over_queue(config, "gpu-a100-256"); }), HasSubstr("gpu-h100-256"));
  replay::ReplayConfig replay = replay::replay_table().defaults();
  replay.ranks_per_node = 8;
  EXPECT_THAT(error_of([&] { replay::place_with_switches(5, 1, 4, replay); }),
              HasSubstr("accepted is 4"));
  EXPECT_THAT(error_of([&] { replay::place_with_switches(8, 3, 4, {}); }),
              HasSubstr("as many of the others each"));
  EXPECT_THAT(error_of([&] { replay::place_with_switches(10, 2, 1, {}); }),
              HasSubstr("for 2 nodes, and there are 1"));
}

// What the schedule's text says of its switches is read back; others have none.
TEST(Nccl, NotesOfSwitches) {
  const auto note = [](Algorithm algorithm) {
    return switches_note(
        plan_of(config_of(Operation::allreduce, algorithm, Protocol::simple, 8, 8, 800)));
  };
  EXPECT_EQ(noted_switches(note(Algorithm::nvls) + "num_ranks 9\n"), 1U);
  EXPECT_EQ(note(Algorithm::ring), "");
  EXPECT_EQ(noted_switches("num_ranks 9\n"), 0U);
}

// NCCL's own choice, where switches may be chosen: Hopper's for 2 to 16 MiB on one node.
TEST(Nccl, SwitchesAreChosenWhereTheyMayBe) {
  NcclConfig config = nccl_table().defaults();
  config.ranks = config.ranks_per_node = 8;
  config.size = Bytes(8 << 20);
  EXPECT_NE(plan_of(config).algorithm, Algorithm::nvls);
  config.inner_reduction = true;
  EXPECT_EQ(plan_of(config).algorithm, Algorithm::nvls);
}

// What does not go together is refused.
TEST(Nccl, Refusals) {
  const auto problem = [](Operation operation, Algorithm algorithm, std::int64_t ranks,
                          std::int64_t per_node) {
    return error_of(
        [&] { plan_of(config_of(operation, algorithm, Protocol::simple, ranks, per_node, 8)); });
  };
  EXPECT_THAT(problem(Operation::allgather, Algorithm::tree, 8, 8), HasSubstr("has no tree"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::nvls, 16, 8), HasSubstr("nvls-tree"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::nvls_tree, 8, 8), HasSubstr("is nvls"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::nvls_tree, 8, 1),
              HasSubstr("accepted are 2 to 128"));
  EXPECT_THAT(problem(Operation::allgather, Algorithm::pat, 8, 4), HasSubstr("one GPU per node"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::ring, 12, 8), HasSubstr("do not fill"));
}

}  // namespace
}  // namespace heddle::goal
