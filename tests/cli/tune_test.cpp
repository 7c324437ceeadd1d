// `heddle tune`, as its users run it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/hosted.hpp"

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

/// One operation on 2, 3 and 4 ranks, of sizes on both sides of those that are tuned for.
constexpr const char* kEverySize = R"(
    #include <mpi.h>
    #include <string.h>
    static double out[8192], in[8192];
    static void call(const char* name, int n, int members, MPI_Comm comm) {
      int parts[4] = {0};
      for (int i = 0; i < members; ++i) parts[i] = n / members;
      if (!strcmp(name, "barrier")) MPI_Barrier(comm);
      if (!strcmp(name, "bcast")) MPI_Bcast(out, n, MPI_DOUBLE, 0, comm);
      if (!strcmp(name, "gather")) MPI_Gather(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, 0, comm);
      if (!strcmp(name, "scatter")) MPI_Scatter(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, 0, comm);
      if (!strcmp(name, "allgather")) MPI_Allgather(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, comm);
      if (!strcmp(name, "alltoall")) MPI_Alltoall(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, comm);
      if (!strcmp(name, "reduce")) MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_SUM, 0, comm);
      if (!strcmp(name, "allreduce")) MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, comm);
      if (!strcmp(name, "reduce_scatter")) MPI_Reduce_scatter(out, in, parts, MPI_DOUBLE, MPI_SUM, comm);
      if (!strcmp(name, "scan")) MPI_Scan(out, in, n, MPI_DOUBLE, MPI_SUM, comm);
      if (!strcmp(name, "exscan")) MPI_Exscan(out, in, n, MPI_DOUBLE, MPI_SUM, comm);
    }
    int main(int argc, char** argv) {
      int rank;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      for (int members = 2; members <= 4; ++members) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < members ? 0 : MPI_UNDEFINED, rank, &some);
        if (rank >= members) continue;
        for (int n = 1; n <= 2048; n *= 8) call(argv[1], n, members, some);
        MPI_Comm_free(&some);
      }
      MPI_Finalize();
      return 0;
    })";

// Debian's Open MPI takes the rules of every operation that there are rules for: a program ends
// well under them, without a word, on as many ranks as were tuned for and on others. (A number that
// it does not have, or an algorithm for two ranks on three, would end it with MPI_ERR_ARG or
// MPI_ERR_UNSUPPORTED_OPERATION.)
TEST_F(TuneTest, OpenMpiObeysTheRulesOfEveryOperation) {
  std::ofstream(folder_ / "p.c") << kEverySize;
  if (shell("mpicc.openmpi p.c -o p", folder_.path()).status != 0) {
    GTEST_SKIP() << "Open MPI is not installed";
  }
  for (const std::string operation :
       {"barrier", "bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce",
        "reduce_scatter", "scan", "exscan"}) {
    const bool one_size = operation == "gather" || operation == "scatter";
    const std::string sizes = one_size ? " --sizes 1KiB" : " --sizes 64,1KiB,16KiB";
    const Outcome outcome = tune(operation + " -p fat-tree-64 -n 2,4 --only-openmpi" +
                                 (operation == "barrier" ? "" : sizes));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Outcome run = shell(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.openmpi --oversubscribe "
        "--mca mpi_yield_when_idle 1 --mca btl self,vader -n 4 "
        "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $PWD/" +
            operation + ".rules ./p " + operation,
        folder_.path());
    EXPECT_EQ(run.status, 0) << operation << "\n" << run.err;
    EXPECT_EQ(run.out + run.err, "") << operation;
  }
}

// The rules are for 4.1 unless another version is asked for, and what is printed is what they call
// an algorithm. Of 16 ranks a reduction of 64 B by a k-nomial tree, number 8 of the next version,
// is the quickest; under the numbers of 4.1 such a file is refused.
TEST_F(TuneTest, KeepsToTheVersionOfOpenMpi) {
  const std::string what = "reduce -p fat-tree-64 -n 16 --sizes 64 --only-openmpi ";
  const Outcome older = tune(what);
  EXPECT_EQ(older.status, 0) << older.err;
  EXPECT_THAT(file_text(folder_ / "reduce.rules"),
              AllOf(HasSubstr("for Open MPI 4.1, "), testing::Not(HasSubstr("knomial"))));
  const Outcome newer = tune(what + "--for 5");
  EXPECT_EQ(newer.status, 0) << newer.err;
  EXPECT_THAT(newer.out, HasSubstr("knomial"));
  EXPECT_THAT(file_text(folder_ / "reduce.rules"), HasSubstr("\n0 8 0 0 # bytes or more: knomial"));
  const Outcome refused = tune("reduce -n 4 --sizes 64 --set mpi.rules=reduce.rules");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("reduce has no algorithm 8 in Open MPI 4.1: accepted are 0 to "
                                     "7, and 0 to 8 with mpi.rules_for=5"));
  EXPECT_EQ(tune("reduce -n 4 --for 3").status, 2);
  EXPECT_THAT(tune("allreduce -p fat-tree-64 -n 16 --sizes 8").out,
              AllOf(HasSubstr("recursive_doubling"), HasSubstr("mpi.transport=portals")));
}

}  // namespace
}  // namespace heddle::cli
