#include "study/result_store.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "cli/program.hpp"
#include "error_of.hpp"
#include "study/result_table.hpp"

namespace heddle::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResultStoreTest : public testing::Test {
 protected:
  static Outcome outcome(const std::string& hash, double value, const std::string& error = "") {
    return {hash, "heddle traffic", error, Json{{"value", value}, {"saturated", false}}};
  }
  TemporaryFolder folder_;
  std::string path_ = folder_ / "r.sqlite";
};

// Two points, one of which another study wants, too: both have its result, though it was put once;
// the point that nobody computed has none.
TEST_F(ResultStoreTest, KeepsPointsForAllStudies) {
  ResultStore store(path_, ResultStore::Access::write);
  store.put_study("one", {{1, "aa", {{"load", "0.1"}}}, {2, "bb", {{"load", "0.2"}}}});
  store.put_study("two", {{1, "bb", {{"traffic.load", "20%"}}}, {2, "cc", {{"load", "0.3"}}}});
  store.put({outcome("aa", 1), outcome("bb", 2.5, "too bad")});
  const auto two = store.points("two");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].status, "failed");
  EXPECT_EQ(two[0].error, "too bad");
  EXPECT_EQ(two[0].result["value"], 2.5);
  EXPECT_EQ(two[1].status, "");
  EXPECT_THAT(store.studies(), ElementsAre("one", "two"));
  const auto known = store.known({"aa", "bb", "cc"});
  EXPECT_EQ(known.size(), 2U);
  EXPECT_EQ(known.at("aa"), ResultStore::Known::done);
}

// The view has a column for each parameter and each measure; afterwards there is one file only.
TEST_F(ResultStoreTest, ShowsColumnsToOthers) {
  {
    ResultStore store(path_, ResultStore::Access::write);
    store.put_study("my-study", {{1, "aa", {{"link.latency", "5ns"}}}});
    store.put(outcome("aa", 7));
    store.put_view("my-study", {"link.latency"}, {"value", "saturated"});
    store.finish();
  }
  EXPECT_EQ(folder_.entries(), 1U);
  Database database(path_, Database::Access::read);
  Query query(database, "SELECT \"link.latency\", value FROM \"my-study\"");
  ASSERT_TRUE(query.next());
  EXPECT_EQ(query.text(0), "5ns");
  EXPECT_EQ(query.real(1), 7);
}

TEST_F(ResultStoreTest, WritesCsv) {
  ResultStore store(path_, ResultStore::Access::write);
  store.put_study("one", {{1, "aa", {{"load", "0.1"}}}, {2, "bb", {{"load", "0.2"}}}});
  store.put(outcome("aa", 1.5));
  EXPECT_EQ(csv_of(store.points("one")),
            "number,hash,status,error,load,value,saturated\n"
            "1,aa,done,,0.1,1.5,no\n2,bb,,,0.2,,\n");
}

// Neither another program's file is taken, nor is one made where results are only looked at.
TEST_F(ResultStoreTest, RefusesOtherFiles) {
  std::ofstream(path_) << "something else";
  const auto open = [](const std::string& path, ResultStore::Access access) {
    return error_of<InputError>([&] { ResultStore(path, access); });
  };
  EXPECT_THAT(open(path_, ResultStore::Access::write),
              HasSubstr("file is not a database: accepted is a file of results"));
  EXPECT_THAT(open(folder_ / "none", ResultStore::Access::read), HasSubstr("there are no results"));
  { Database(folder_ / "other", Database::Access::write).execute("CREATE TABLE t(a)"); }
  EXPECT_THAT(open(folder_ / "other", ResultStore::Access::write),
              HasSubstr("does not hold results"));
}

}  // namespace
}  // namespace heddle::study
