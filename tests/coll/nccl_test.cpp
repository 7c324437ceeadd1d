// NCCL's trees and its choice of algorithms.
#include "coll/nccl/tuning.hpp"

#include <algorithm>

#include <gmock/gmock.h>

namespace heddle::coll::nccl {
namespace {

using testing::ElementsAre;

// Of 14: 13's parent is 12, 12's is 8, and 8 has 4 and 12; 0 is the root and has 8 alone.
TEST(NcclTrees, AreThePublishedOnes) {
  EXPECT_EQ(first_tree(13, 14).parent, 12U);
  EXPECT_EQ(first_tree(12, 14).parent, 8U);
  EXPECT_THAT(first_tree(8, 14).children, ElementsAre(4, 12));
  EXPECT_FALSE(first_tree(0, 14).parent);
  EXPECT_THAT(first_tree(0, 14).children, ElementsAre(8));
  // Of 12 the second is the mirror of the first: its root is 11.
  EXPECT_FALSE(second_tree(11, 12).parent);
  EXPECT_THAT(second_tree(11, 12).children, ElementsAre(3));
}

// For every number up to 70 both are trees: one root, everybody is a child of its parent, at most
// two children and a depth of about log2 n; whoever is inside one with two children is a leaf of
// the other, so that nobody sends more than others, if the number is even.
TEST(NcclTrees, AreTreesForAnyNumber) {
  for (std::uint32_t n = 1; n <= 70; ++n) {
    for (const auto tree : {first_tree, second_tree}) {
      std::uint32_t roots = 0;
      std::uint32_t children = 0;
      for (std::uint32_t me = 0; me < n; ++me) {
        const TreePlace place = tree(me, n);
        ASSERT_LE(place.children.size(), 2U);
        children += static_cast<std::uint32_t>(place.children.size());
        for (const std::uint32_t child : place.children) ASSERT_EQ(tree(child, n).parent, me) << n;
        if (!place.parent) {
          ++roots;
          continue;
        }
        const auto siblings = tree(*place.parent, n).children;
        ASSERT_NE(std::find(siblings.begin(), siblings.end(), me), siblings.end())
            << n << " " << me;
      }
      ASSERT_EQ(roots, 1U) << n;
      ASSERT_EQ(children, n - 1) << n;
    }
    for (std::uint32_t me = 0; n % 2 == 0 && me < n; ++me) {
      ASSERT_FALSE(first_tree(me, n).children.size() == 2 &&
                   second_tree(me, n).children.size() == 2);
    }
  }
}

// LL: four bytes of flag with every four of data. LL128: 120 of 128 bytes are data.
TEST(NcclProtocols, BytesOnTheWire) {
  EXPECT_EQ(wire_bytes(Protocol::simple, 1000), 1000U);
  EXPECT_EQ(wire_bytes(Protocol::ll, 1000), 2000U);
  EXPECT_EQ(wire_bytes(Protocol::ll128, 120), 128U);
  EXPECT_EQ(wire_bytes(Protocol::ll128, 1), 2U);
}

Cluster cluster_of(std::uint32_t gpus, Gpu gpu) {
  Cluster cluster;
  cluster.ranks = gpus;
  cluster.nodes = (gpus + 7) / 8;
  cluster.gpu = gpu;
  return filled_in(cluster);
}

double estimate(Operation operation, const Cluster& cluster, std::uint64_t bytes,
                Algorithm algorithm, Protocol protocol) {
  for (const Estimate& one : estimates(operation, cluster, bytes)) {
    if (one.algorithm == algorithm && one.protocol == protocol) return one.microseconds;
  }
  return -1;
}

// By hand, 8 Hopper GPUs of one node with 16 channels of 20 GB/s (320 GB/s on the bus), 1 MiB:
// ring LL: 6.6 + 14 x 0.6 us, min(141, 160) x 8/14 GB/s; ring Simple: 8.4 + 14 x 3.4 us, 320 x
// 8/14; tree LL: 6.8 + 14 x 0.6 us, min(0.92 x 320 / 3.8, 141) / 2 x 0.5 for 2^14 times 64 bytes;
// NVLS: 25 us, 0.85 x 320 x 8/14.
TEST(NcclTuning, EstimatesOfOneNode) {
  const Cluster cluster = cluster_of(8, Gpu::hopper);
  ASSERT_EQ(cluster.channels * cluster.inside, 320);
  const auto of = [&](Algorithm algorithm, Protocol protocol) {
    return estimate(Operation::allreduce, cluster, 1 << 20, algorithm, protocol);
  };
  const double bytes = 1048.576;  // Over GB/s: microseconds.
  EXPECT_NEAR(of(Algorithm::ring, Protocol::ll), 15.0 + bytes / (141 * 8.0 / 14), 1e-9);
  EXPECT_NEAR(of(Algorithm::ring, Protocol::simple), 56.0 + bytes / (320 * 8.0 / 14), 1e-9);
  EXPECT_NEAR(of(Algorithm::tree, Protocol::ll), 15.2 + bytes / (0.92 * 320 / 3.8 / 2 * 0.5), 1e-9);
  EXPECT_NEAR(of(Algorithm::nvls, Protocol::simple), 25 + bytes / (0.85 * 320 * 8 / 14), 1e-9);
}

// By hand, 64 GPUs of 8 nodes: a ring has 126 steps, 14 of them between nodes: with LL 6.6 + 112 x
// max(0.6, 1) + 14 x 2.7 us; Simple 1.4 times 8.4 + 112 x max(3.4, 3) + 14 x 14 us. A tree 6.8 +
// 2 (7 x 0.6 + 3 x 5) us with LL.
TEST(NcclTuning, EstimatesOfSeveralNodes) {
  const Cluster cluster = cluster_of(64, Gpu::hopper);
  const auto latency = [&](Algorithm algorithm, Protocol protocol) {
    // Twice as long for twice the bytes, but for the latency; both in one row of corrections.
    const double one = estimate(Operation::allreduce, cluster, 1 << 30, algorithm, protocol);
    const double two = estimate(Operation::allreduce, cluster, 1U << 31, algorithm, protocol);
    return 2 * one - two;
  };
  EXPECT_NEAR(latency(Algorithm::ring, Protocol::ll), 6.6 + 112 * 1 + 14 * 2.7, 1e-6);
  EXPECT_NEAR(latency(Algorithm::ring, Protocol::simple), 1.4 * (8.4 + 112 * 3.4 + 14 * 14), 1e-6);
  EXPECT_NEAR(latency(Algorithm::tree, Protocol::ll), 6.8 + 2 * (7 * 0.6 + 3 * 5), 1e-6);
}

/// "nvls simple", by powers of two from 1 KiB to 4 GiB; equal ones once.
std::vector<std::string> choices(Operation operation, const Cluster& cluster) {
  std::vector<std::string> all;
  for (std::uint64_t bytes = 1 << 10; bytes <= std::uint64_t{4} << 30; bytes *= 2) {
    const Estimate best = choose(operation, cluster, bytes);
    const std::string text =
        std::string(name_of(best.algorithm)) + " " + std::string(name_of(best.protocol));
    if (all.empty() || all.back() != text) all.push_back(text);
  }
  return all;
}

// From small to large: LL, whose steps are shortest, then LL128, then Simple, whose bandwidth is
// largest. On one node of Ampere rings do it all; Hopper's switch reduces large data. On several
// nodes trees are for small data, as they have fewer steps.
TEST(NcclTuning, ChoicesBySize) {
  const auto on = [](std::uint32_t gpus, Gpu gpu) {
    return choices(Operation::allreduce, cluster_of(gpus, gpu));
  };
  EXPECT_THAT(on(8, Gpu::ampere), ElementsAre("ring ll", "ring ll128", "ring simple"));
  EXPECT_THAT(on(8, Gpu::hopper), testing::Contains("nvls simple"));
  EXPECT_EQ(on(8, Gpu::hopper).front(), "ring ll");
  for (const Gpu gpu : {Gpu::ampere, Gpu::hopper}) {
    for (const std::uint32_t gpus : {16U, 64U}) {
      EXPECT_EQ(on(gpus, gpu).front(), "tree ll") << gpus;
      EXPECT_THAT(on(gpus, gpu).back(), testing::EndsWith("simple")) << gpus;
    }
  }
  EXPECT_EQ(on(64, Gpu::ampere).back(), "ring simple");
  // Gathering is for rings, and for PAT where every node has one GPU.
  EXPECT_THAT(choices(Operation::allgather, cluster_of(64, Gpu::hopper)),
              ElementsAre("ring ll", "ring ll128", "ring simple"));
  Cluster alone = cluster_of(64, Gpu::hopper);
  alone.nodes = 64;
  EXPECT_THAT(choices(Operation::allgather, alone), testing::Contains("pat simple"));
}

/// "tree ll from 1 KiB, ring simple from 8 MiB": where the choice for an all-reduce changes.
std::string changes(const Cluster& cluster) {
  std::string all;
  std::string last;
  for (std::uint64_t bytes = 1 << 10; bytes <= std::uint64_t{4} << 30; bytes *= 2) {
    const Estimate best = choose(Operation::allreduce, cluster, bytes);
    const std::string text =
        std::string(name_of(best.algorithm)) + " " + std::string(name_of(best.protocol));
    if (text == last) continue;
    last = text;
    const int unit = bytes < 1 << 20 ? 10 : bytes < 1 << 30 ? 20 : 30;
    all += (all.empty() ? "" : ", ") + text + " from " + std::to_string(bytes >> unit) + " " +
           "KMG"[unit / 10 - 1] + "iB";
  }
  return all;
}

// The choices of NCCL's tables for 8, 16 and 64 GPUs from 1 KiB to 4 GiB, worked out apart from
// this program, by the formulas of docs/models.md.
TEST(NcclTuning, ChoicesAreThoseOfTheTables) {
  const struct {
    Gpu gpu;
    std::uint32_t gpus;
    const char* changes;
  } all[] = {
      {Gpu::volta, 8, "ring ll from 1 KiB, ring ll128 from 1 MiB, ring simple from 32 MiB"},
      {Gpu::volta, 16,
       "tree ll from 1 KiB, ring ll from 256 KiB, tree ll128 from 512 KiB, ring ll128 from 8 MiB, "
       "ring simple from 256 MiB"},
      {Gpu::volta, 64,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, ring ll128 from 32 MiB, ring simple from 512 "
       "MiB"},
      {Gpu::ampere, 8, "ring ll from 1 KiB, ring ll128 from 4 MiB, ring simple from 32 MiB"},
      {Gpu::ampere, 16,
       "tree ll from 1 KiB, ring ll from 256 KiB, tree ll128 from 512 KiB, ring ll128 from 8 MiB, "
       "ring simple from 128 MiB"},
      {Gpu::ampere, 64,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, ring ll128 from 64 MiB, ring simple from 256 "
       "MiB"},
      {Gpu::hopper, 8, "ring ll from 1 KiB, nvls simple from 2 MiB, ring simple from 32 MiB"},
      {Gpu::hopper, 16,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, ring ll128 from 16 MiB, ring simple from 256 "
       "MiB"},
      {Gpu::hopper, 64,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, nvls-tree simple from 128 MiB, tree ll128 "
       "from 256 MiB, ring ll128 from 512 MiB, ring simple from 1 GiB"},
      {Gpu::blackwell, 8,
       "ring ll from 1 KiB, nvls simple from 4 MiB, ring ll128 from 32 MiB, ring simple from 64 "
       "MiB"},
      {Gpu::blackwell, 16,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, ring ll128 from 32 MiB, ring simple from 512 "
       "MiB"},
      {Gpu::blackwell, 64,
       "tree ll from 1 KiB, tree ll128 from 256 KiB, nvls-tree simple from 32 MiB, ring ll128 from "
       "256 MiB, ring simple from 2 GiB"},
  };
  for (const auto& one : all) {
    EXPECT_EQ(changes(cluster_of(one.gpus, one.gpu)), one.changes) << one.gpus;
  }
}

// Simple sends chunks of 2 MiB in slices of 1 MiB round rings, and steps of 512 KiB elsewhere; LL
// 32 KiB; LL128 576000 bytes, which trees halve until there are enough of them: here 576000 / 8 =
// 72000 for 1 MiB over 16 channels of 8 GPUs on one node, where few is less than 64 x 1.8 / 8 and
// then 16 x 1.8 / 8.
TEST(NcclProtocols, Chunks) {
  const auto of = [](Operation operation, Algorithm algorithm, Protocol protocol) {
    const Division division = division_of(operation, algorithm, protocol, 1 << 20, 16, 8, 1);
    return std::pair(division.chunk, division.slice);
  };
  using enum Algorithm;
  using enum Protocol;
  EXPECT_EQ(of(Operation::allreduce, ring, simple), std::pair(2UL << 20, 1UL << 20));
  EXPECT_EQ(of(Operation::broadcast, ring, simple), std::pair(512UL << 10, 512UL << 10));
  EXPECT_EQ(of(Operation::allreduce, tree, simple), std::pair(512UL << 10, 512UL << 10));
  EXPECT_EQ(of(Operation::allreduce, ring, ll), std::pair(32UL << 10, 32UL << 10));
  EXPECT_EQ(of(Operation::allreduce, ring, ll128), std::pair(576000UL, 576000UL));
  EXPECT_LT(of(Operation::allreduce, tree, ll128).first, 128UL << 10);
}

}  // namespace
}  // namespace heddle::coll::nccl
