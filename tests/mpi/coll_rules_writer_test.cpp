#include "mpi/coll/rules_writer.hpp"

#include <gmock/gmock.h>

namespace heddle::mpi::coll {
namespace {

using testing::HasSubstr;

const std::vector<Rule> kRules = {{4, 0, "rdb", kWhole, 0},
                                  {4, 1024, "ring_segmented", 4096, 0},
                                  {64, 0, "", kWhole, 0},
                                  {64, 65536, "rab", kWhole, 2}};

void expect_same(const RulesFile& file) {
  const RuleList rules = file.rules(Collective::allreduce);
  ASSERT_EQ(rules.size(), kRules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(rules[i].ranks, kRules[i].ranks);
    EXPECT_EQ(rules[i].bytes, kRules[i].bytes);
    EXPECT_EQ(rules[i].algorithm, kRules[i].algorithm);
    EXPECT_EQ(rules[i].segment, kRules[i].segment);
    EXPECT_EQ(rules[i].radix, kRules[i].radix);
  }
}

// What is written reads back to the same rules; allreduce is collective 2 of Open MPI, and its
// algorithms rdb, ring_segmented and rab have the numbers 3, 5 and 6.
TEST(CollRulesWriter, WritesWhatIsRead) {
  const std::string classic = classic_rules_text(Collective::allreduce, kRules, "two\nlines");
  EXPECT_THAT(classic, HasSubstr("# two\n# lines\n1 # collective\n2 # allreduce\n2 # sizes"));
  EXPECT_THAT(classic, HasSubstr("\n1024 5 0 4096 #"));
  EXPECT_THAT(classic, HasSubstr("\n0 0 0 0 # bytes or more: ignore"));
  expect_same(RulesFile("f", classic));
  const std::string json = json_rules_text(Collective::allreduce, kRules);
  EXPECT_THAT(json, HasSubstr("\"alg\": \"segmented_ring\""));
  expect_same(RulesFile("f", json));
}

// Open MPI looks at the data of an allreduce, at what all ranks of an allgather have together, and
// at nothing of an alltoallv.
TEST(CollRulesWriter, CountsSizesAsOpenMpi) {
  EXPECT_EQ(size_in_rules(Collective::allreduce, 16, 100), 100);
  EXPECT_EQ(size_in_rules(Collective::allgather, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::alltoall, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::alltoallv, 16, 100), 0);
}

}  // namespace
}  // namespace heddle::mpi::coll
