// Collectives of files: what is proved of them, how sizes follow the buffer, and steps of training
// that are carried out by them.
#include "goal/custom/collective_algorithm.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"
#include "goal/check.hpp"
#include "goal/custom/flow_proof.hpp"
#include "goal/small_model.hpp"
#include "goal/training/llm.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::goal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kBytes = 4096;

/// A ring of `n` GPUs.
Schedule ring_of(Ring kind, std::uint32_t n, std::uint64_t bytes = kBytes) {
  ScheduleBuilder builder(n, "ring.goal");
  for (std::uint32_t r = 0; r < n; ++r) {
    builder.begin_rank(r);
    StreamWriter(builder).ring(kind, Stream::compute, {0, 1, n, r}, bytes, Before());
    builder.end_rank();
  }
  return builder.finish();
}

/// Everybody sends to everybody `bytes` / `n`.
Schedule direct(std::uint32_t n, std::uint64_t bytes = kBytes) {
  ScheduleBuilder builder(n, "direct.goal");
  for (std::uint32_t r = 0; r < n; ++r) {
    builder.begin_rank(r);
    StreamWriter(builder).alltoall(Stream::compute, {0, 1, n, r}, bytes, Before());
    builder.end_rank();
  }
  return builder.finish();
}

std::string proof_of(const Schedule& schedule, CollectiveKind kind,
                     std::optional<std::uint64_t> bytes = std::nullopt) {
  const std::string file = "a.et";
  return error_of([&] { prove_flow(schedule, kind, bytes, file); });
}

// An all-reduce has to send each byte of its own and to receive one for each of its result; of an
// all-gather of four GPUs a quarter is sent and three quarters come, and so on.
TEST(FlowProof, TheLeastTraffic) {
  const auto least = [](CollectiveKind kind) {
    const LeastTraffic traffic = least_traffic(kind, 4, 4096);
    return std::pair(traffic.sent, traffic.received);
  };
  EXPECT_EQ(least(CollectiveKind::allreduce), std::pair(std::uint64_t{4096}, std::uint64_t{4096}));
  EXPECT_EQ(least(CollectiveKind::allgather), std::pair(std::uint64_t{1024}, std::uint64_t{3072}));
  EXPECT_EQ(least(CollectiveKind::reduce_scatter),
            std::pair(std::uint64_t{3072}, std::uint64_t{1024}));
  EXPECT_EQ(least(CollectiveKind::alltoall), std::pair(std::uint64_t{3072}, std::uint64_t{3072}));
}

TEST(FlowProof, AcceptsWhatDelivers) {
  for (const std::uint32_t n : {2U, 3U, 8U, 70U}) {
    const std::uint64_t bytes = kBytes * n;
    EXPECT_EQ(proof_of(ring_of(Ring::allreduce, n, bytes), CollectiveKind::allreduce, bytes),
              "no error");
    EXPECT_EQ(proof_of(ring_of(Ring::allgather, n, bytes), CollectiveKind::allgather, bytes),
              "no error");
    EXPECT_EQ(
        proof_of(ring_of(Ring::reduce_scatter, n, bytes), CollectiveKind::reduce_scatter, bytes),
        "no error");
    EXPECT_EQ(proof_of(direct(n, bytes), CollectiveKind::alltoall, bytes), "no error");
  }
}

// Three messages round a ring of four bring everything of an all-gather, and not enough for an
// all-reduce: 3072 of the 4096 bytes that each has to send.
TEST(FlowProof, CountsBytes) {
  const Schedule gather = ring_of(Ring::allgather, 4);
  EXPECT_EQ(proof_of(gather, CollectiveKind::allreduce), "no error");
  EXPECT_THAT(proof_of(gather, CollectiveKind::allreduce, kBytes),
              AllOf(HasSubstr("a.et"), HasSubstr("this is no allreduce"),
                    HasSubstr("GPU 0 sends 3072 bytes in all"), HasSubstr("at least 4096")));
}

/// Rank by rank: sends "1" to a GPU, receives "<0" from one, each behind the one before.
Schedule chain(const std::vector<std::vector<std::string>>& ranks) {
  ScheduleBuilder builder(static_cast<std::uint32_t>(ranks.size()), "chain.goal");
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    builder.begin_rank(r);
    for (const std::string& word : ranks[r]) {
      const bool receives = word[0] == '<';
      const auto peer = static_cast<std::uint32_t>(word.back() - '0');
      const std::uint32_t op = receives ? builder.recv(100, peer) : builder.send(100, peer);
      if (op > 0) builder.requires_end(op, op - 1);
    }
    builder.end_rank();
  }
  return builder.finish();
}

// GPU 1 hands on what it has before it gets anything from GPU 0: no chain leads from 0 to 2, though
// all are neighbours. The other way round one does.
TEST(FlowProof, FollowsChainsOfMessages) {
  const auto gather = [](const Schedule& schedule) {
    return proof_of(schedule, CollectiveKind::allgather);
  };
  EXPECT_THAT(gather(chain({{"1", "<1"}, {"2", "<0", "<2", "0"}, {"<1", "1"}})),
              HasSubstr("no chain of messages leads from GPU 0 to GPU 2"));
  EXPECT_EQ(gather(chain({{"1", "<1"}, {"<0", "2", "<2", "0"}, {"<1", "1"}})), "no error");
}

// A receive for which nothing is sent, GPUs that wait for each other, a receive from any GPU.
TEST(FlowProof, RefusesWhatCannotEnd) {
  const auto gather = [](const Schedule& schedule) {
    return proof_of(schedule, CollectiveKind::allgather);
  };
  EXPECT_THAT(gather(chain({{"1", "<1"}, {"<0"}})), HasSubstr("rank 0"));
  EXPECT_THAT(gather(chain({{"<1", "1"}, {"<0", "0"}})), HasSubstr("this is no allgather"));
  ScheduleBuilder open(2, "open.goal");
  for (std::uint32_t r = 0; r < 2; ++r) {
    open.begin_rank(r);
    open.send(1, 1 - r);
    open.recv(1, kAnySource);
    open.end_rank();
  }
  EXPECT_THAT(gather(open.finish()), HasSubstr("takes a message from any GPU"));
}

// Sizes and times by 3/2, rounded up and to the nearest; from GPU 0 to 1 tags 7 and 9 become 0 and
// 1, the other way 8 becomes 0.
TEST(CollectiveAlgorithm, SizesFollowTheBuffer) {
  ScheduleBuilder builder(2, "two.goal");
  builder.begin_rank(0);
  builder.send(101, 1, 9);
  builder.calc(100);
  builder.requires_end(1, 0);
  builder.send(4, 1, 7);
  builder.recv(6, 1, 8);
  builder.end_rank();
  builder.begin_rank(1);
  builder.recv(101, 0, 9);
  builder.recv(4, 0, 7);
  builder.send(6, 0, 8);
  builder.end_rank();
  const Schedule schedule = builder.finish();
  EXPECT_EQ(count_channels(schedule), 2U);
  const Schedule larger = scaled(schedule, 3, 2);
  EXPECT_EQ(larger.rank(0).op(0), (Op{OpKind::send, 152, 1, 1, 0, 0}));
  EXPECT_EQ(larger.rank(0).op(1).value, 150U);
  EXPECT_EQ(larger.rank(0).op(3).tag, 0U);
  EXPECT_EQ(larger.rank(1).op(0).tag, 1U);
  EXPECT_EQ(larger.rank(1).op(1).tag, 0U);
  EXPECT_EQ(larger.edges(), 1U);
}

LlmConfig small_step() {
  LlmConfig config = small(16);
  config.batch = 16;
  config.tp = 4;
  config.pp = 2;
  return config;
}

// A ring of a file, for the four GPUs of each tensor-parallel group, is the built-in ring: a step
// takes the same time. The two copies of the model still reduce as before, which is told, and so is
// a file that nobody needs.
TEST(CollectiveAlgorithm, StepsOfTrainingTakeIt) {
  const LlmPlan plan = plan_of(small_step());
  CollectiveAlgorithms algorithms;
  algorithms.add(std::make_unique<const CollectiveAlgorithm>(
      CollectiveKind::allreduce, "ring4", 4, 1,
      [](std::uint64_t bytes) { return scaled(ring_of(Ring::allreduce, 4, bytes), 1, 1); }));
  algorithms.add(std::make_unique<const CollectiveAlgorithm>(
      CollectiveKind::alltoall, "direct4", 4, 1,
      [](std::uint64_t bytes) { return scaled(direct(4, bytes), 1, 1); }));
  const Schedule with = generate_llm(plan, {}, algorithms);
  const Schedule without = generate_llm(plan);
  EXPECT_THAT(check(with), testing::IsEmpty());
  EXPECT_GT(with.ops(), without.ops());
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.rendezvous = Bytes(INT64_MAX);
  const replay::ReplayOptions options = {{Time::us(1), Time::zero(), Time::zero(),
                                          TimePerByte::attoseconds(100'000'000), TimePerByte(),
                                          config}};
  EXPECT_EQ(replay::loggops_replay(with, options).makespan(),
            replay::loggops_replay(without, options).makespan());
  const std::vector<std::string> remarks = algorithms.remarks();
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_THAT(remarks[0], AllOf(HasSubstr("allreduce of 2 GPUs"), HasSubstr("'ring4' is for 4")));
  EXPECT_THAT(remarks[1], HasSubstr("'direct4' is not used"));
}

}  // namespace
}  // namespace heddle::goal
