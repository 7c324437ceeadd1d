// `heddle tune`, as its users run it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TuneTest : public testing::Test {
 protected:
  Outcome tune(const std::string& arguments) const {
    return heddle("tune " + arguments, folder_.path());
  }
  json document() const { return json::parse(file_text(folder_ / "t.json")); }
  TemporaryFolder folder_;
};

// Both files of rules appear, and fed back they give the times that were promised, which are no
// longer than those of the library's own rules. 256 KiB among 16 ranks are quicker in pieces than
// by recursive doubling, which sends all of them four times.
TEST_F(TuneTest, WritesRulesThatKeepTheirPromise) {
  const Outcome outcome = tune(
      "allreduce -p fat-tree-64 -n 16 --sizes 8,4KiB,256KiB --json t.json --csv t.csv --svg t.svg");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Fed back, the rules give these times."));
  EXPECT_THAT(outcome.out, HasSubstr("wrote allreduce.rules\n"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "allreduce.rules.json"));
  const json all = document();
  ASSERT_EQ(all["cases"].size(), 3U);
  for (const json& one : all["cases"]) {
    EXPECT_EQ(one["promised_ps"], one["fed_back_ps"]);
    EXPECT_LE(one["promised_ps"], one["library_ps"]);
  }
  for (const json& timed : all["cases"][2]["timed"]) {
    if (timed["algorithm"] != "rdb") continue;
    EXPECT_GT(timed["time_ps"], all["cases"][2]["promised_ps"]);
  }
  pugi::xml_document svg;
  EXPECT_TRUE(svg.load_file((folder_ / "t.svg").c_str()));
}

// The rules give a program what they promised, in both formats: one that is made of a barrier and
// an allreduce of 256 KiB takes as long as with the algorithm chosen by hand.
TEST_F(TuneTest, FeedsProgramsToo) {
  ASSERT_EQ(tune("bcast -p fat-tree-64 -n 16 --sizes 256KiB --only-openmpi --json t.json").status,
            0);
  std::ofstream(folder_ / "p.c") << "#include <mpi.h>\n#include <stdio.h>\nstatic char d[262144];\n"
                                    "int main(int argc, char** argv) {\n"
                                    "  MPI_Init(&argc, &argv);\n  MPI_Barrier(MPI_COMM_WORLD);\n"
                                    "  MPI_Bcast(d, 262144, MPI_BYTE, 0, MPI_COMM_WORLD);\n"
                                    "  MPI_Finalize();\n  return 0;\n}\n";
  const std::string compile = std::filesystem::path(HEDDLE_PROGRAM).parent_path().string() +
                              "/heddlecc " + (folder_ / "p.c") + " -o " + (folder_ / "p");
  ASSERT_EQ(std::system(compile.c_str()), 0);
  const auto time = [&](const std::string& options) {
    EXPECT_EQ(
        heddle("run -q -n 16 -p fat-tree-64 --json r.json " + options + " ./p", folder_.path())
            .status,
        0);
    return json::parse(file_text(folder_ / "r.json"))["time_ps"].get<std::int64_t>();
  };
  const json one = document()["cases"][0];
  const std::int64_t gain =
      one["library_ps"].get<std::int64_t>() - one["promised_ps"].get<std::int64_t>();
  EXPECT_GT(gain, 0);
  EXPECT_EQ(time("") - time("--set mpi.rules=bcast.rules"), gain);
  EXPECT_EQ(time("") - time("--set mpi.rules=bcast.rules.json"), gain);
}

TEST_F(TuneTest, TakesBarriersAndSeveralSizesOfCommunicators) {
  const Outcome outcome = tune("barrier -p fat-tree-64 -n 8,4 --rules b.rules --json t.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(document()["cases"].size(), 2U);
  EXPECT_THAT(file_text(folder_ / "b.rules"), HasSubstr("2 # sizes of communicators\n4 # ranks"));
}

TEST_F(TuneTest, SaysWhatIsWrong) {
  EXPECT_THAT(tune("allredcue -n 4").err, HasSubstr("did you mean 'allreduce'?"));
  EXPECT_THAT(tune("allreduce -n 4 --sizes 1MiB:8").err,
              HasSubstr("--sizes: '1MiB:8' is no range"));
  EXPECT_THAT(tune("allreduce -n 1").err, HasSubstr("--ranks: '1' is not accepted"));
  EXPECT_EQ(tune("allreduce -n 4 --fan-outs 1").status, 2);
  EXPECT_EQ(tune("allreduce -n 4 --memory much").status, 2);
  const Outcome small = tune("allreduce -n 64 -p fat-tree-64 --sizes 8B --memory 100KiB");
  EXPECT_EQ(small.status, 1);
  EXPECT_THAT(small.err, HasSubstr("takes more memory than the 100 KiB of a simulation"));
}

// Debian's Open MPI takes the rules: a program under them ends well, without a word about the file.
TEST_F(TuneTest, OpenMpiAcceptsTheRules) {
  if (std::system(
          "command -v mpirun mpicc >/dev/null && mpirun --version 2>&1 | grep -q 'Open MPI'") !=
      0) {
    GTEST_SKIP() << "Open MPI is not installed";
  }
  ASSERT_EQ(tune("allreduce -p fat-tree-64 -n 2,4 --sizes 8,64KiB --only-openmpi").status, 0);
  std::ofstream(folder_ / "p.c")
      << "#include <mpi.h>\nint main(int argc, char** argv) {\n"
         "  static double a[8192], b[8192];\n"
         "  MPI_Init(&argc, &argv);\n"
         "  MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
         "  MPI_Allreduce(a, b, 8192, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
         "  MPI_Finalize();\n  return 0;\n}\n";
  const std::string command =
      "cd '" + folder_.path() +
      "' && mpicc p.c -o p && mpirun --allow-run-as-root --oversubscribe -n 4 "
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_base_verbose 0 "
      "--mca coll_tuned_dynamic_rules_filename $PWD/allreduce.rules ./p >out 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << file_text(folder_ / "out");
  EXPECT_EQ(file_text(folder_ / "out"), "");
}

}  // namespace
}  // namespace heddle::cli
