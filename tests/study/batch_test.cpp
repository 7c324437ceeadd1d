#include "study/batch.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "cli/program.hpp"
#include "error_of.hpp"

namespace heddle::study {
namespace {

using testing::HasSubstr;

class BatchTest : public testing::Test {
 protected:
  static Outcome outcome(const std::string& hash) {
    return {hash, "heddle traffic", "", Json{{"value", 1}}, 0.5, 1000, "node1"};
  }
  TemporaryFolder folder_;
  Batch batch_ = Batch::of(folder_ / "r.sqlite", "s");
};

// Five points in tasks of two are three tasks; a point that is done is not in its task any more.
TEST_F(BatchTest, PartsPointsIntoTasks) {
  BatchTask all;
  for (const char* hash : {"a", "b", "c", "d", "e"}) all.points.push_back({{"traffic"}, hash, {}});
  all.measures = {{"rate", {"rate: ([0-9]+)", {}}}};
  all.jobs = 2;
  all.memory = Bytes(1 << 20);
  EXPECT_EQ(batch_.create(all, 2), 3U);
  EXPECT_FALSE(batch_.exists()) << "nobody has taken it yet";
  batch_.set_job("17");
  EXPECT_EQ(batch_.job(), "17");
  EXPECT_EQ(batch_.points(), 5U);
  { OutcomeFile(batch_, 1).append(outcome("c")); }
  const BatchTask task = batch_.task(1);
  ASSERT_EQ(task.points.size(), 1U);
  EXPECT_EQ(task.points[0].hash, "d");
  EXPECT_EQ(task.measures[0].pattern.text, "rate: ([0-9]+)");
  EXPECT_EQ(task.jobs, 2U);
  EXPECT_EQ(task.memory, Bytes(1 << 20));
  EXPECT_THAT(error_of<InputError>([&] { batch_.task(3); }), HasSubstr("plan/3.json"));
}

// A line that a dying computer left unfinished is no outcome, those before it are.
TEST_F(BatchTest, LeavesOutWhatWasNotFinished) {
  batch_.create({{{{"traffic"}, "a", {}}}, {}, 1, Bytes(1)}, 1);
  { OutcomeFile(batch_, 0).append(outcome("a")); }
  std::ofstream(batch_.folder() + "/done/0.other.1.jsonl") << "{\"hash\": \"b\", \"comm";
  std::ofstream(batch_.folder() + "/done/0.other.2.jsonl") << "{\"hash\": \"b\"}\n17\n";
  const auto outcomes = batch_.outcomes();
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].hash, "a");
  EXPECT_EQ(outcomes[0].host, "node1");
  EXPECT_EQ(outcomes[0].result["value"], 1);
  batch_.remove();
  EXPECT_EQ(folder_.entries(), 0U);
}

}  // namespace
}  // namespace heddle::study
