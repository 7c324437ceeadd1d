// Nobody leaves a collective operation before those have entered it whose data it needs.
#include <gmock/gmock.h>

#include "convert_support.hpp"
#include "goal/operations.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/schedule_builder.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::traces {
namespace {

constexpr std::uint32_t kSizes[] = {2, 3, 7, 8, 13};
constexpr std::int64_t kLate = 1'000'000;  ///< us: when the last rank enters.

/// Whose data `rank` needs before it may leave.
enum class Needs { all, root, at_root, before };
bool needs(Needs rule, std::uint32_t rank, std::uint32_t other, std::uint32_t root) {
  if (rank == other || rule == Needs::all) return true;
  if (rule == Needs::root) return other == root;
  return rule == Needs::at_root ? rank == root : other < rank;
}

replay::ReplayResult replay(const goal::Schedule& schedule) {
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.unit = Time::us(1);
  config.rendezvous = Bytes(16);  // Some messages are eager and some are not.
  return replay::loggops_replay(schedule, {{Time::us(1),
                                            Time::us(1),
                                            Time::us(1),
                                            TimePerByte::attoseconds(1'000'000'000),
                                            {},
                                            config}});
}

void expect_waits(const replay::ReplayResult& result, Needs rule, std::uint32_t late,
                  std::uint32_t root) {
  for (std::uint32_t r = 0; r < result.finish.size(); ++r) {
    if (!needs(rule, r, late, root)) continue;
    EXPECT_GE(result.finish[r], Time::us(kLate))
        << "rank " << r << " with rank " << late << " late and root " << root;
  }
}

struct OrderCase {
  std::string call;  ///< Up to the end; R stands for the root.
  std::string parameter;
  std::vector<std::string> algorithms;
  Needs rule;
};

std::vector<OrderCase> cases() {
  const std::string reduced = ":9:99:5:I:3:", two = ":9:5:I:99:5:I:";
  return {
      {"Barrier:T:C", "barrier", {"dissemination", "linear"}, Needs::all},
      {"Bcast:T:9:5:I:R:C", "bcast", {"binomial", "binary", "linear"}, Needs::root},
      {"Reduce:T" + reduced + "R:C", "reduce", {"binomial", "binary", "linear"}, Needs::at_root},
      {"Allreduce:T" + reduced + "C",
       "allreduce",
       {"recursive-doubling", "dissemination", "rabenseifner", "ring"},
       Needs::all},
      {"Gather:T" + two + "R:C", "gather", {"binomial", "linear"}, Needs::at_root},
      {"Scatter:T" + two + "R:C", "scatter", {"binomial", "linear"}, Needs::root},
      {"Allgather:T" + two + "C", "allgather", {"bruck", "ring", "linear"}, Needs::all},
      {"Alltoall:T" + two + "C", "alltoall", {"linear", "pairwise"}, Needs::all},
      {"Scan:T" + reduced + "C", "scan", {"recursive-doubling", "linear"}, Needs::before},
      {"Exscan:T" + reduced + "C", "scan", {"recursive-doubling", "linear"}, Needs::before},
      {"Reduce_scatter_block:T" + reduced + "C",
       "reduce_scatter",
       {"pairwise", "linear"},
       Needs::all},
  };
}

std::string line(std::string call, std::int64_t enters, std::uint32_t root) {
  const std::string time = std::to_string(1000 + enters);
  call.replace(call.find(":T"), 2, ":" + time);
  if (const std::size_t at = call.find(":R:"); at != std::string::npos) {
    call.replace(at + 1, 1, std::to_string(root));
  }
  return "MPI_" + call + ":" + time + "\nMPI_Finalize:" + time + ":-\n";
}

// One rank enters a second after the others: whoever needs its data leaves after that second.
TEST(CollectiveOrder, ConvertedCollectivesWaitForTheLast) {
  for (const OrderCase& c : cases()) {
    for (const std::string& algorithm : c.algorithms) {
      ConvertConfig config = defaults();
      convert_table().set(config, *convert_table().find(c.parameter), algorithm, {});
      config.reduce_cost = TimePerByte::attoseconds(500'000'000'000);
      for (const std::uint32_t n : kSizes) {
        SCOPED_TRACE(c.call + " " + algorithm + " on " + std::to_string(n));
        for (std::uint32_t late = 0; late < n; ++late) {
          const std::uint32_t root = n / 2;
          std::vector<std::string> texts(n, line(c.call, 0, root));
          texts[late] = line(c.call, kLate, root);
          expect_waits(replay(schedule_of(texts, config)), c.rule, late, root);
        }
      }
    }
  }
}

/// Every rank does nothing, but one computes for a second.
goal::Schedule one_late(std::uint32_t ranks, std::uint32_t late) {
  goal::ScheduleBuilder builder(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    builder.begin_rank(r);
    builder.calc(r == late ? static_cast<std::uint64_t>(kLate) : 0);
    builder.end_rank();
  }
  return builder.finish();
}

// The same for generated patterns, with work in the rounds and without.
TEST(CollectiveOrder, PatternsWaitForTheLast) {
  const std::pair<const char*, Needs> patterns[] = {
      {"binary-bcast", Needs::root},          {"binary-reduce", Needs::at_root},
      {"binomial-bcast", Needs::root},        {"binomial-reduce", Needs::at_root},
      {"dissemination", Needs::all},          {"gather", Needs::at_root},
      {"linear-alltoall", Needs::all},        {"linear-barrier", Needs::all},
      {"nway-dissemination", Needs::all},     {"pairwise-alltoall", Needs::all},
      {"rabenseifner-allreduce", Needs::all}, {"recursive-doubling-allreduce", Needs::all},
      {"ring-allreduce", Needs::all},         {"scatter", Needs::root},
  };
  for (const auto& [name, rule] : patterns) {
    for (const std::uint32_t n : kSizes) {
      for (const int compute : {0, 7}) {
        SCOPED_TRACE(std::string(name) + " on " + std::to_string(n));
        goal::PatternConfig config = goal::pattern_table().defaults();
        config.ranks = n;
        config.size = Bytes(20);
        config.root = n / 2;
        config.compute = compute;
        const goal::Schedule pattern = goal::generate(name, config);
        for (std::uint32_t late = 0; late < n; ++late) {
          const goal::Schedule before = one_late(n, late);
          const goal::Schedule* parts[] = {&before, &pattern};
          expect_waits(replay(goal::one_after_another(parts)), rule, late, n / 2);
        }
      }
    }
  }
}

std::uint64_t sent_by(const goal::Schedule& s, std::uint32_t rank) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < s.rank(rank).size(); ++i) {
    sum += s.rank(rank).op(i).kind == goal::OpKind::send ? s.rank(rank).value(i) : 0;
  }
  return sum;
}

// Both ways to reduce by pieces send every byte twice to all but one of n ranks, 2 (n - 1) x bytes
// in all, whether n divides the bytes or not. On n = p + r ranks with p a power of two,
// Rabenseifner's runs on p of them and hands the data of r to them and back: 2 (p - 1) + 2 r times.
TEST(CollectiveOrder, NoByteOfAPieceIsLost) {
  for (const std::int64_t bytes : {0, 1, 5, 1000, 1024}) {
    for (const std::uint32_t n : {2U, 3U, 7U, 8U, 13U, 100U}) {
      for (const char* name : {"ring-allreduce", "rabenseifner-allreduce"}) {
        SCOPED_TRACE(std::string(name) + " of " + std::to_string(bytes) + " on " +
                     std::to_string(n));
        goal::PatternConfig config = goal::pattern_table().defaults();
        config.ranks = n;
        config.size = Bytes(bytes);
        const goal::Schedule schedule = goal::generate(name, config);
        std::uint64_t sum = 0;
        for (std::uint32_t r = 0; r < n; ++r) sum += sent_by(schedule, r);
        EXPECT_EQ(sum, 2 * (n - 1) * static_cast<std::uint64_t>(bytes));
        EXPECT_TRUE(check(schedule).empty());
      }
    }
  }
}

// 10 bytes on 4 ranks are pieces of 3, 3, 2 and 2. Rank 0 of the ring sends its own piece, then
// those of 3 and 2, then those that are complete: 1, 0 and 3. Rank 0 of Rabenseifner's gives pieces
// 2 and 3 away and then 1, and hands on 0, then 0 and 1.
TEST(CollectiveOrder, PiecesDifferByAByte) {
  goal::PatternConfig config = goal::pattern_table().defaults();
  config.ranks = 4;
  config.size = Bytes(10);
  const auto sends = [&](const char* name) {
    std::vector<std::uint64_t> sizes;
    const goal::Schedule schedule = goal::generate(name, config);
    for (std::uint32_t i = 0; i < schedule.rank(0).size(); ++i) {
      if (schedule.rank(0).op(i).kind == goal::OpKind::send) {
        sizes.push_back(schedule.rank(0).value(i));
      }
    }
    return sizes;
  };
  EXPECT_THAT(sends("ring-allreduce"), testing::ElementsAre(3, 2, 2, 3, 3, 2));
  EXPECT_THAT(sends("rabenseifner-allreduce"), testing::ElementsAre(4, 3, 3, 6));
}

}  // namespace
}  // namespace heddle::traces
