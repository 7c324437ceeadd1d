// NCCL's collectives as schedules: steps, bytes of links, and times on an idle machine.
#include "goal/nccl/nccl_pattern.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"
#include "goal/check.hpp"
#include "goal/operations.hpp"
#include "replay/loggops/loggops_replay.hpp"

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

// Every entry of the list that has a schedule, on numbers of GPUs that are powers of two and not,
// with all protocols and several channels, has no message without counterpart and runs to its end.
TEST(Nccl, AllAreComplete) {
  for (const coll::nccl::Entry& entry : coll::nccl::entries()) {
    if (entry.algorithm == Algorithm::nvls || entry.algorithm == Algorithm::nvls_tree) continue;
    for (const std::int64_t ranks : {2, 3, 8, 12}) {
      for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
        const bool pat = entry.algorithm == Algorithm::pat;
        if (pat && protocol != Protocol::simple) continue;
        SCOPED_TRACE(std::string(name_of(entry.operation)) + " " +
                     std::string(name_of(entry.algorithm)) + " " + std::to_string(ranks));
        NcclConfig config = config_of(entry.operation, entry.algorithm, protocol, ranks,
                                      pat ? 1 : (ranks % 4 == 0 ? 4 : 1), 5'000'001);
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

// What does not go together, or has no schedule, is refused.
TEST(Nccl, Refusals) {
  const auto problem = [](Operation operation, Algorithm algorithm, std::int64_t ranks,
                          std::int64_t per_node) {
    return error_of(
        [&] { plan_of(config_of(operation, algorithm, Protocol::simple, ranks, per_node, 8)); });
  };
  EXPECT_THAT(problem(Operation::allgather, Algorithm::tree, 8, 8), HasSubstr("has no tree"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::nvls, 8, 8), HasSubstr("no rank"));
  EXPECT_THAT(problem(Operation::allgather, Algorithm::pat, 8, 4), HasSubstr("one GPU per node"));
  EXPECT_THAT(problem(Operation::allreduce, Algorithm::ring, 12, 8), HasSubstr("do not fill"));
}

}  // namespace
}  // namespace heddle::goal
