// What libraries do where an algorithm does not fit: the messages that whole operations send,
// beside what the libraries themselves send (Open MPI 4.1.4 on simulated adapters, MPICH 4.0.2).
#include <mpi.h>

#include <algorithm>
#include <numeric>

#include "coll/rules/selector.hpp"
#include "collective_cases.hpp"

namespace heddle::coll {
namespace {

const Datatype& doubles() {
  return *Datatype::predefined(MPI_DOUBLE);
}
/// Memory that nobody looks at.
Buffer data(std::int64_t count, const Datatype& type = doubles()) {
  static std::byte somewhere[1];
  return {somewhere, count, &type};
}

/// Of an operation as a library chooses it, by rank: `say(steps)` for each.
template <class Say>
std::vector<int> sent_by_ranks(const CollConfig& config, int ranks, Say say) {
  const Selector selector(config);
  const Places places = places_of(ranks, 1);
  std::vector<int> sent;
  for (int r = 0; r < ranks; ++r) {
    Schedule schedule;
    Recorder recorder(schedule, r, ranks, places, &selector);
    say(recorder);
    sent.push_back(static_cast<int>(std::ranges::count(schedule.instructions, Schedule::Kind::send,
                                                       &Schedule::Instruction::kind)));
  }
  return sent;
}
template <class Say>
int messages(const CollConfig& config, int ranks, Say say) {
  const std::vector<int> sent = sent_by_ranks(config, ranks, say);
  return std::accumulate(sent.begin(), sent.end(), 0);
}
int of_allreduce(const CollConfig& config, int ranks, std::int64_t count,
                 const Datatype& type = doubles()) {
  return messages(config, ranks, [&](Steps& s) {
    const Buffer own = data(count, type);
    run_as_chosen(s, Collective::allreduce, allreduce_algorithms(), Allreduce{own}, bytes(own));
  });
}
CollConfig library(const char* name) {
  CollConfig config;
  config.selector = name;
  return config;
}

// Open MPI's rules name rings for 8 bytes on 4 to 7 and 16 to 63 ranks, and its rings leave fewer
// elements than ranks to recursive doubling: n log2 n messages where n is a power of two, and two
// more for each rank above one. A ring of 16 ranks would send 2 * 15 * 16 = 480.
TEST(CollFallback, RingsOfFewerElementsThanRanksAreDoubling) {
  const CollConfig openmpi = library("openmpi");
  EXPECT_EQ(of_allreduce(openmpi, 4, 1), 8);
  EXPECT_EQ(of_allreduce(openmpi, 7, 1), 8 + 2 * 3);
  EXPECT_EQ(of_allreduce(openmpi, 16, 1), 64);
  EXPECT_EQ(of_allreduce(openmpi, 31, 1), 64 + 2 * 15);
  EXPECT_EQ(of_allreduce(openmpi, 32, 1), 160);
  // It goes by elements: 16 ranks have a ring for 16 chars, and none for 15.
  const Datatype& chars = *Datatype::predefined(MPI_CHAR);
  EXPECT_EQ(of_allreduce(openmpi, 16, 15, chars), 64);
  EXPECT_EQ(of_allreduce(openmpi, 16, 16, chars), 480);
}

// 16 doubles on 32 ranks are one of the sizes for which Open MPI's rules name Rabenseifner's
// algorithm, which cannot cut 16 elements into 32 parts: in Open MPI rank 0 then takes one rank
// after another and tells all, 31 + 31 messages; MPICH doubles, 32 * 5.
TEST(CollFallback, RabenseifnerOfTooFewElementsIsWhatTheLibraryHas) {
  EXPECT_EQ(of_allreduce(library("openmpi"), 32, 16), 62);
  EXPECT_EQ(of_allreduce(library("openmpi"), 32, 32), 2 * 160);
  EXPECT_EQ(of_allreduce(library("mpich"), 32, 16), 160);
  CollConfig by_hand = library("openmpi");
  by_hand.allreduce = "rab_halves";
  EXPECT_EQ(of_allreduce(by_hand, 16, 1), 30);
  by_hand.allreduce = "rab";
  EXPECT_EQ(of_allreduce(by_hand, 16, 1), 64);
}

// Where ranks are no power of two, Open MPI's Rabenseifner lets the two ranks that stand for one
// halve their vectors: three messages before, and one after; MPICH's has one before, and one after.
// Of 5 ranks 4 go on, with 8 messages to halve and 8 to double.
TEST(CollFallback, PairsAboveAPowerOfTwo) {
  EXPECT_EQ(of_allreduce(library("openmpi"), 5, 4096), 3 + 16 + 1);
  EXPECT_EQ(of_allreduce(library("mpich"), 5, 4096), 1 + 16 + 1);
}

// A reduction of one double by parts (as Open MPI's rules say for 2 and 3 ranks) is one by a linear
// loop, a broadcast of 15 parts among 16 ranks goes straight from the root. Of a broadcast basic
// elements count, for its ranks may describe them by different types.
TEST(CollFallback, TreesOfPartsNeedAnElementForEachRank) {
  const auto reduce = [](int ranks, std::int64_t count) {
    CollConfig config = library("openmpi");
    config.reduce = "scatter_gather_halves";
    return messages(config, ranks, [&](Steps& s) {
      const Reduce work{data(count), data(count), 0};
      run_as_chosen(s, Collective::reduce, reduce_algorithms(), work, bytes(work.data));
    });
  };
  EXPECT_EQ(reduce(16, 15), 15);
  EXPECT_EQ(reduce(16, 16), 64 + 15);
  const auto bcast = [](int ranks, const Buffer& own) {
    CollConfig config = library("openmpi");
    config.bcast = "scatter_LR_allgather";
    return messages(config, ranks, [&](Steps& s) {
      run_as_chosen(s, Collective::bcast, bcast_algorithms(), Bcast{own, 0}, bytes(own));
    });
  };
  EXPECT_EQ(bcast(16, data(15)), 15);
  EXPECT_EQ(bcast(16, data(16)), 15 + 15 * 16);
  EXPECT_EQ(bcast(16, data(8, *Datatype::predefined(MPI_2INT))), 15 + 15 * 16);
}

// A split binary tree cuts data into halves: of one element it is a chain, and so it is where a
// segment is longer than a half. Of 8 ranks the root of a chain sends 64 KiB in segments of 48 KiB
// as two messages to the next rank; with segments of 32 KiB it sends a half to each of two ranks,
// and one to the last, which has no partner to get it from.
TEST(CollFallback, HalvesShorterThanSegmentsAreAChain) {
  const auto of_root = [](std::int64_t count, std::int64_t segment) {
    CollConfig config = library("openmpi");
    config.bcast = "split_bintree";
    config.segment = Bytes(segment);
    return sent_by_ranks(config, 8, [&](Steps& s) {
      const Buffer own = data(count);
      run_as_chosen(s, Collective::bcast, bcast_algorithms(), Bcast{own, 0}, bytes(own));
    })[0];
  };
  EXPECT_EQ(of_root(1, 1024), 1);
  EXPECT_EQ(of_root(8192, 49152), 2);
  EXPECT_EQ(of_root(8192, 32768), 3);
}

// Operations that are made of others do these as the library does: from 256 ranks on Open MPI
// reduces 8 bytes up a binomial tree and broadcasts them down a tree of fan-out 4; a reduce_scatter
// of less than 8 bytes on 4 ranks is a reduction to rank 0 (3 messages) and a scatterv (3).
TEST(CollFallback, PartsOfOperationsAreDoneAsTheLibraryDoesThem) {
  const std::vector<int> sent = sent_by_ranks(library("openmpi"), 256, [](Steps& s) {
    run_as_chosen(s, Collective::allreduce, allreduce_algorithms(), Allreduce{data(1)}, 8);
  });
  EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), 0), 2 * 255);
  EXPECT_EQ(sent[0], 12);  // Three for each of the four digits to the base 4.
  const int scattered = messages(library("openmpi"), 4, [](Steps& s) {
    const ReduceScatter work{Blocks::equal(data(1).address, 1, doubles()), data(1)};
    run_as_chosen(s, Collective::reduce_scatter, reduce_scatter_algorithms(), work, 4);
  });
  EXPECT_EQ(scattered, 3 + 3);
}

}  // namespace
}  // namespace heddle::coll
