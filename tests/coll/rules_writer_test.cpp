#include "coll/rules/rules_writer.hpp"

#include <gmock/gmock.h>

namespace heddle::coll {
namespace {

using testing::HasSubstr;

const std::vector<Rule> kRules = {{4, 0, "rdb", kWhole, 0},
                                  {4, 1024, "ring_segmented", 4096, 0},
                                  {64, 0, "", kWhole, 0},
                                  {64, 65536, "rab_halves", kWhole, 2}};

void expect_same(const RulesFile& file) {
  for (const int ranks : {1, 3, 4, 63, 64, 1000}) {
    for (const std::int64_t bytes : {0, 1023, 1024, 65535, 65536, 1 << 30}) {
      const Rule* const expected = find_rule(kRules, ranks, bytes);
      const Rule* const found = file.find(Collective::allreduce, ranks, bytes);
      ASSERT_EQ(found == nullptr, expected == nullptr) << ranks << " ranks, " << bytes << " bytes";
      if (found == nullptr) continue;
      EXPECT_EQ(found->ranks, expected->ranks);
      EXPECT_EQ(found->bytes, expected->bytes);
      EXPECT_EQ(found->algorithm, expected->algorithm);
      EXPECT_EQ(found->segment, expected->segment);
      EXPECT_EQ(found->radix, expected->radix);
    }
  }
}

// What is written reads back to the same rules; allreduce is collective 2 of Open MPI, and its
// algorithms rdb, ring_segmented and rab_halves have the numbers 3, 5 and 6. Of JSON, Open MPI
// takes the first rule that holds, so the largest sizes come first.
TEST(CollRulesWriter, WritesWhatIsRead) {
  const std::string classic = classic_rules_text(Collective::allreduce, kRules, "two\nlines");
  EXPECT_THAT(classic, HasSubstr("# two\n# lines\n1 # collective\n2 # allreduce\n2 # sizes"));
  EXPECT_THAT(classic, HasSubstr("\n1024 5 0 4096 #"));
  EXPECT_THAT(classic, HasSubstr("\n0 0 0 0 # bytes or more: ignore"));
  expect_same(RulesFile("f", classic));
  const std::string json = json_rules_text(Collective::allreduce, kRules);
  EXPECT_THAT(json, HasSubstr("\"alg\": \"segmented_ring\", \"faninout\": 0, \"seg_size\": 4096}"));
  EXPECT_LT(json.find("\"comm_size_min\": 64"), json.find("\"comm_size_min\": 4,"));
  EXPECT_LT(json.find("\"msg_size_min\": 1024"), json.rfind("\"msg_size_min\": 0"));
  expect_same(RulesFile("f", json));
}

// Open MPI looks at the data of an allreduce, at what all ranks of an allgather, gather or scatter
// have together, at what they have on average of an allgatherv, and at nothing of an alltoallv.
TEST(CollRulesWriter, CountsSizesAsOpenMpi) {
  EXPECT_EQ(size_in_rules(Collective::allreduce, 16, 100), 100);
  EXPECT_EQ(size_in_rules(Collective::allgather, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::alltoall, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::gather, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::scatter, 16, 100), 1600);
  EXPECT_EQ(size_in_rules(Collective::allgatherv, 16, 100), 100);
  EXPECT_EQ(size_in_rules(Collective::alltoallv, 16, 100), 0);
}

}  // namespace
}  // namespace heddle::coll
