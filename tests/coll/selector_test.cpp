// Which algorithm is chosen: tables of libraries, by hand, and files of rules.
#include "coll/rules/selector.hpp"

#include <gmock/gmock.h>

#include <set>

#include "core/error.hpp"
#include "error_of.hpp"

namespace heddle::coll {
namespace {

using testing::HasSubstr;

Places one_per_node(int ranks) {
  const auto own = [](int rank) { return static_cast<std::uint64_t>(rank); };
  return Places(ranks, own, own);
}
std::string chosen(const CollConfig& config, Collective collective, int ranks, std::int64_t bytes,
                   bool commutative = true) {
  const Selector selector(config);
  const Places places = one_per_node(ranks);
  return std::string(selector.choose(collective, {ranks, bytes, commutative}, places).algorithm);
}
CollConfig config_of_library(const char* name) {
  CollConfig config;
  config.selector = name;
  return config;
}

/// Every name in every table is an algorithm of its collective, and tables are in order.
TEST(CollSelector, TablesNameAlgorithmsThatThereAre) {
  for (const Library& one : libraries()) {
    for (const auto& lists : {one.rules, one.rules_of_nodes}) {
      for (const CollectiveRules& list : lists) {
        for (const RuleList rules : {list.rules, list.in_order}) {
          for (std::size_t i = 0; i < rules.size(); ++i) {
            EXPECT_EQ(algorithm_named(list.collective, rules[i].algorithm), rules[i].algorithm)
                << one.name << " " << name_of(list.collective);
            if (i == 0) continue;
            const bool ascends =
                rules[i - 1].ranks < rules[i].ranks ||
                (rules[i - 1].ranks == rules[i].ranks && rules[i - 1].bytes < rules[i].bytes);
            EXPECT_TRUE(ascends) << one.name << " " << name_of(list.collective) << " row " << i;
          }
        }
      }
    }
  }
}

/// What stands in for an algorithm that does not fit exists, and names do not repeat.
TEST(CollSelector, StandInsExist) {
  for (int i = 0; i < kCollectives; ++i) {
    const auto collective = static_cast<Collective>(i);
    std::set<std::string_view> names;
    for (const AlgorithmEntry& one : algorithms_of(collective)) {
      EXPECT_TRUE(names.insert(one.name).second) << one.name;
      EXPECT_FALSE(one.about.empty());
      if (one.otherwise.empty()) continue;
      EXPECT_TRUE(algorithm_named(collective, one.otherwise)) << name_of(collective) << one.name;
    }
  }
}

/// At least as many as SMPI 3.32 has, its selectors not counted.
TEST(CollSelector, AsManyAlgorithmsAsSmpi) {
  const std::pair<Collective, std::size_t> wanted[] = {
      {Collective::allgather, 16},     {Collective::allgatherv, 8}, {Collective::allreduce, 16},
      {Collective::alltoall, 15},      {Collective::alltoallv, 11}, {Collective::barrier, 9},
      {Collective::bcast, 19},         {Collective::gather, 5},     {Collective::reduce, 14},
      {Collective::reduce_scatter, 7}, {Collective::scatter, 6}};
  for (const auto& [collective, count] : wanted) {
    EXPECT_GE(algorithms_of(collective).size(), count) << name_of(collective);
  }
}

/// MPICH 4.0: recursive doubling up to 8 bytes, Rabenseifner above; a binomial tree up to 12 KiB;
/// Bruck's from 9 ranks on.
TEST(CollSelector, LibrariesChooseBySize) {
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::allreduce, 16, 8), "rdb");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::allreduce, 16, 9), "rab");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::bcast, 8, 12288), "binomial_tree");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::bcast, 8, 12289),
            "scatter_rdb_allgather");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::alltoall, 8, 8), "scatter_dest");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::alltoall, 9, 8), "bruck");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::bcast, 4, 1 << 20), "binomial_tree");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::bcast, 8, 1 << 20),
            "scatter_LR_allgather");
  // 16 blocks of 8 KiB are 128 KiB together: beyond the 80 KiB up to which Bruck's is taken.
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::allgather, 16, 8192), "rdb");
  EXPECT_EQ(chosen(config_of_library("mpich"), Collective::allgather, 128, 8192), "NTSLR");
  // Open MPI 4.1, 64 ranks: recursive doubling for 8 bytes, Rabenseifner for 1 MiB on 1,024.
  EXPECT_EQ(chosen(config_of_library("openmpi"), Collective::allreduce, 64, 8), "rdb");
  EXPECT_EQ(chosen(config_of_library("openmpi"), Collective::allreduce, 1024, 1 << 20),
            "rab_halves");
}

/// Where nodes are shared, Open MPI 5 goes in two levels.
TEST(CollSelector, LibrariesThatKnowNodes) {
  const Selector selector(config_of_library("openmpi5"));
  const auto node = [](int rank) { return static_cast<std::uint64_t>(rank / 4); };
  const Places shared(8, node, node);
  EXPECT_EQ(selector.choose(Collective::allreduce, {8, 8}, shared).algorithm, "smp_rdb");
  EXPECT_EQ(selector.choose(Collective::allreduce, {8, 8}, one_per_node(8)).algorithm,
            chosen(config_of_library("openmpi"), Collective::allreduce, 8, 8));
}

TEST(CollSelector, ByHand) {
  CollConfig config = config_of_library("mpich");
  config.allreduce = "ompi-ring_segmented";
  EXPECT_EQ(chosen(config, Collective::allreduce, 4, 8), "ring_segmented");
  config.allreduce = "rign";
  EXPECT_THAT(error_of([&] { Selector selector(config); }),
              HasSubstr("mpi.coll.allreduce = rign: there is no such algorithm"));
}

/// What the field calls an algorithm is understood as well, unless the operation has one of that
/// very name: allgather's `ring` is not its logical ring.
TEST(CollSelector, ByCommonNames) {
  EXPECT_EQ(algorithm_named(Collective::allreduce, "ring"), "lr");
  EXPECT_EQ(algorithm_named(Collective::allgather, "ring"), "ring");
  EXPECT_EQ(algorithm_named(Collective::allreduce, "recursive-doubling"), "rdb");
  EXPECT_EQ(algorithm_named(Collective::barrier, "recursive_doubling"), "recursivedoubling");
  EXPECT_EQ(algorithm_named(Collective::allreduce, "Rabenseifner"), "rab");
  EXPECT_EQ(algorithm_named(Collective::reduce, "rabenseifner"), "scatter_gather");
  EXPECT_EQ(algorithm_named(Collective::alltoall, "pairwise"), "pair");
  EXPECT_EQ(algorithm_named(Collective::alltoall, "linear"), "basic_linear");
  EXPECT_EQ(algorithm_named(Collective::bcast, "binomial"), "binomial_tree");
  EXPECT_EQ(algorithm_named(Collective::barrier, "dissemination"), "bruck");
  EXPECT_EQ(algorithm_named(Collective::barrier, "ring"), std::nullopt);
}

/// Two communicator sizes; algorithm 0 leaves the choice to the library.
constexpr const char* kClassic =
    "1            # collectives\n"
    "2            # allreduce\n"
    "2            # communicator sizes\n"
    "4 2          # from 4 ranks on, two message sizes\n"
    "0 3 0 0      # recursive doubling\n"
    "1024 5 0 4096  # ring in segments of 4 KiB\n"
    "64 1\n"
    "0 0 0 0\n";

TEST(CollSelector, ClassicRules) {
  const RulesFile file("rules.txt", kClassic);
  const auto rule = [&](int ranks, std::int64_t bytes) {
    return file.find(Collective::allreduce, ranks, bytes);
  };
  EXPECT_EQ(rule(3, 8), nullptr);
  EXPECT_EQ(rule(5, 8)->algorithm, "rdb");
  EXPECT_EQ(rule(5, 1024)->algorithm, "ring_segmented");
  EXPECT_EQ(rule(5, 1024)->segment, 4096);
  EXPECT_EQ(rule(64, 1024)->algorithm, "");
  EXPECT_EQ(file.find(Collective::bcast, 5, 8), nullptr);
}

// Sizes may have a most, too, and of rules that hold the first counts: 2 to 8 ranks have a list of
// their own, in which nothing holds from 1 MiB on, and in the list of the others the second rule
// never counts.
TEST(CollSelector, JsonRules) {
  const RulesFile file("rules.json",
                       "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {\n"
                       "  \"bcast\": [{\"comm_size_min\": 2, \"comm_size_max\": 8, \"rules\": [\n"
                       "    {\"msg_size_max\": 4095, \"alg\": \"binomial\", \"reqs\": 4},\n"
                       "    {\"msg_size_min\": 4096, \"msg_size_max\": 1048575, \"alg\": 7,\n"
                       "     \"faninout\": 8, \"seg_size\": 1024}]},\n"
                       "  {\"comm_size_max\": \"inf\", \"comm_rank_distribution\": \"any\",\n"
                       "   \"rules\": [{\"alg\": \"chain\"}, {\"alg\": \"pipeline\"}]}]}}\n");
  const auto rule = [&](int ranks, std::int64_t bytes) {
    return file.find(Collective::bcast, ranks, bytes);
  };
  EXPECT_EQ(rule(2, 0)->algorithm, "binomial_tree");
  EXPECT_EQ(rule(8, 5000)->algorithm, "knomial");
  EXPECT_EQ(rule(8, 5000)->radix, 0);  // Open MPI has a variable for that of k-nomial trees.
  EXPECT_EQ(rule(8, 5000)->segment, 1024);
  EXPECT_EQ(rule(8, 1 << 20), nullptr);
  EXPECT_EQ(rule(1, 0)->algorithm, rule(9, 1 << 20)->algorithm);
  EXPECT_EQ(rule(9, 0)->algorithm, openmpi_algorithms(Collective::bcast)[1].name);
}

// Open MPI 4.1.4 has 6 algorithms of allgather and 7 of reduce (ompi_info says so), and ends a job
// whose rules name others; the next version has two and one more. 4.1 reads no files with a
// version, and drops one whose first rule is not for all sizes.
TEST(CollSelector, FilesKeepToTheVersionThatTheyAreFor) {
  const auto error = [](const std::string& text, OpenMpi version) {
    return error_of([&] { RulesFile file("f", text, version); });
  };
  EXPECT_EQ(openmpi_algorithms(Collective::allgather, OpenMpi::v4_1).size(), 6U);
  EXPECT_EQ(openmpi_algorithms(Collective::allgatherv, OpenMpi::v4_1).size(), 5U);
  EXPECT_EQ(openmpi_algorithms(Collective::allreduce, OpenMpi::v4_1).size(), 6U);
  EXPECT_EQ(openmpi_algorithms(Collective::reduce, OpenMpi::v4_1).size(), 7U);
  const std::string direct = "1\n0\n1 2 2\n0 3 0 0\n16384 8 0 0\n";
  EXPECT_EQ(error(direct, OpenMpi::v4_1),
            "f:5:7: allgather has no algorithm 8 in Open MPI 4.1: accepted are 0 to 6, and 0 to 8 "
            "with mpi.rules_for=5");
  EXPECT_EQ(RulesFile("f", direct, OpenMpi::v5).find(Collective::allgather, 2, 20000)->algorithm,
            "spreading_simple");
  EXPECT_THAT(error("1\n0\n1 2 1\n0 9 0 0\n", OpenMpi::v5),
              testing::EndsWith("allgather has no algorithm 9 in Open MPI 5: accepted are 0 to 8"));
  EXPECT_THAT(error("rule-file-version-2\n0\n", OpenMpi::v4_1),
              HasSubstr("f:1:1: Open MPI 4.1 reads no files with a version"));
  EXPECT_THAT(error("1\n0\n1 2 1\n64 3 0 0\n", OpenMpi::v4_1),
              HasSubstr("f:4:1: the first rule of a communicator size is for 64 bytes or more: "
                        "accepted is 0"));
}

// A fan-out of 0 is one chain in a file, and in the library's own rules; by hand it is four.
TEST(CollSelector, NoFanOutIsOneChain) {
  const RulesFile file("f", "1\n7\n1 2 1\n0 2 0 0\n");
  EXPECT_EQ(file.find(Collective::bcast, 2, 8)->radix, 1);
  EXPECT_EQ(Selector(config_of_library("openmpi"))
                .choose(Collective::bcast, {3, 131072}, one_per_node(3))
                .tuning.radix,
            1);
}

TEST(CollSelector, MistakesInFilesAreNamedWithTheirPlace) {
  const auto error = [](const char* text) { return error_of([&] { RulesFile file("f", text); }); };
  EXPECT_THAT(error("1\n77\n"), HasSubstr("f:2:1: there is no collective 77"));
  EXPECT_THAT(error("1\n2 1 4 1\n0 x 0 0\n"), HasSubstr("f:3:3: 'x' is no algorithm"));
  EXPECT_THAT(error("1\n2 1 4 1\n0 9 0 0\n"), HasSubstr("f:3:3: allreduce has no algorithm 9"));
  EXPECT_THAT(error("1\n2 1 4\n"), HasSubstr("the file ends where a number of message sizes"));
  EXPECT_THAT(error("0\n5\n"), HasSubstr("f:2:1: '5' comes after the last rule"));
  EXPECT_THAT(error("{\"collectives\": {\n \"bcats\": []}}"),
              HasSubstr("f:2:2: there is no collective 'bcats'"));
  EXPECT_THAT(error("{\"collectives\": {\"bcast\": [{\"rules\": [{\"alg\": \"best\"}]}]}}"),
              HasSubstr("bcast has no algorithm 'best'"));
  EXPECT_THAT(error("{"), HasSubstr("f:1:1: not YAML at its end: "));
  EXPECT_THAT(error("{\"collectives\": {}} and"), HasSubstr("f:1:21: text behind the rules: "));
  EXPECT_THAT(error("{\"collectives\": {},\n \"collectives\": {}}"),
              HasSubstr("f:2:2: 'collectives' is given twice"));
  EXPECT_THAT(
      error("{\"collectives\": {\"scan\": [{\"rules\": [\n{\"alg\": 1, \"segsize\": 4}]}]}}"),
      HasSubstr("f:2:12: unknown member 'segsize' (did you mean 'seg_size'?): accepted are "
                "msg_size_min, "));
  EXPECT_THAT(error("{\"comm_rank_distribution\": \"single-node\", \"collectives\": {}}"),
              HasSubstr("f:1:28: comm_rank_distribution is 'single-node': accepted is \"any\""));
}

}  // namespace
}  // namespace heddle::coll
