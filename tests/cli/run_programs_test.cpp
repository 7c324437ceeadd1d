// Several programs in one run: in one world, and each in its own.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Two programs in a folder.
class TwoPrograms {
 public:
  TwoPrograms(const std::string& a, const std::string& b) {
    std::ofstream(folder_ / "a.c") << a;
    std::ofstream(folder_ / "b.c") << b;
    const std::string compiler = built("heddlecc");
    compilation =
        shell(compiler + " -Wall a.c -o a && " + compiler + " -Wall b.c -o b", folder_.path());
  }
  Outcome run(const std::string& arguments) const {
    return heddle("run " + arguments, folder_.path());
  }
  Outcome again(const std::string& file) const { return heddle("again " + file, folder_.path()); }
  std::string file(const std::string& name) const { return file_text(folder_ / name); }
  Outcome compilation;

 private:
  TemporaryFolder folder_;
};

/// Says which program it is, who it is and what it was told, after all others are there.
std::string greeting(const std::string& name) {
  return R"(
    #include <heddle.h>
    #include <stdio.h>
    static int calls;
    int main(int argc, char** argv) {
      heddle_barrier();
      printf(")" +
         name +
         R"( %d/%d node %d globals %d:", heddle_rank(), heddle_size(), heddle_node(), ++calls);
      for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
      printf("\n");
      return 0;
    })";
}

// Ranks 0 to 2 run a, 3 and 4 run b, each with its own arguments; all are one job.
TEST(SeveralPrograms, ShareOneWorld) {
  const TwoPrograms programs(greeting("a"), greeting("b"));
  ASSERT_EQ(programs.compilation.err, "");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(programs.run("-q --privatize " + how + " -n 3 ./a x y : -np 2 ./b z").out,
              "a 0/5 node 0 globals 1: x y\na 1/5 node 1 globals 1: x y\n"
              "a 2/5 node 2 globals 1: x y\nb 3/5 node 3 globals 1: z\n"
              "b 4/5 node 4 globals 1: z\n")
        << how;
  }
  EXPECT_EQ(programs.run("-q -n 1 --nodes 7,9 ./a : -n 1 ./b : -n 1 --map by-node ./a").status, 2);
  EXPECT_EQ(programs.run("-q -n 1 --map by-node --nodes 7,9 ./a : -n 2 ./b").out,
            "a 0/3 node 7 globals 1:\nb 1/3 node 9 globals 1:\nb 2/3 node 7 globals 1:\n");
}

// MPI has one world for both: the sum over it of 1 from each of two ranks of a and 10 from each of
// three of b is 32.
TEST(SeveralPrograms, ShareOneMpiWorld) {
  const auto program = [](const std::string& value) {
    return R"(
      #include <mpi.h>
      #include <stdio.h>
      int main(int argc, char** argv) {
        int mine = )" +
           value + R"(, sum, rank, found, *program;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &found);
        if (rank == 4 && found) printf("%d of program %d\n", sum, *program);
        MPI_Finalize();
        return 0;
      })";
  };
  const TwoPrograms programs(program("1"), program("10"));
  for (const std::string transport : {"hybrid", "portals"}) {
    EXPECT_EQ(programs.run("-q --set mpi.transport=" + transport + " -n 2 ./a : -n 3 ./b").out,
              "32 of program 1\n")
        << transport;
  }
}

// Each is a job of its own with ranks from 0; lines say of which.
TEST(SeveralPrograms, HaveWorldsApart) {
  const TwoPrograms programs(greeting("a"), greeting("b"));
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(
        programs
            .run("-q --prefix-output --worlds apart --privatize " + how + " -n 2 ./a : -n 1 ./b")
            .out,
        "[2:0] b 0/1 node 2 globals 1:\n[1:0] a 0/2 node 0 globals 1:\n"
        "[1:1] a 1/2 node 1 globals 1:\n")
        << how;
  }
  const Outcome shared = programs.run("--worlds apart --ranks-per-node 2 -n 1 ./a : -n 1 ./b");
  EXPECT_EQ(shared.status, 2);
  EXPECT_THAT(shared.err, HasSubstr("programs 1 and 2 are both on node n0"));
}

// On a ring of the torus, from node 0 to node 2 and from node 1 to node 3: both ways lead over the
// cable between nodes 1 and 2, so that each program takes longer than alone. The results have a
// line for each.
TEST(SeveralPrograms, SlowEachOther) {
  const std::string text = R"(
    #include <mpi.h>
    #include <stdlib.h>
    int main(int argc, char** argv) {
      int rank;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      char* data = calloc(1 << 20, 1);
      for (int i = 0; i < 10; ++i) {
        if (rank == 0) MPI_Send(data, 1 << 20, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(data, 1 << 20, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      MPI_Finalize();
      return 0;
    })";
  const TwoPrograms programs(text, text);
  const Outcome outcome = programs.run(
      "--worlds apart --slowdown --platform torus-512 --network fluid --nodes 0,2,1,3 "
      "--json r.json -n 2 ./a : -n 2 ./b");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("program 1"), HasSubstr("program 2")));
  const auto json = nlohmann::json::parse(programs.file("r.json"));
  ASSERT_EQ(json["programs"].size(), 2u);
  EXPECT_EQ(json["programs"][1]["first_rank"], 2);
  for (const auto& program : json["programs"]) {
    EXPECT_GT(program["time_ps"], program["time_alone_ps"]);
    EXPECT_GT(program["slowdown"], 0.1);
  }
}

// What is said wrongly, and what would be right.
TEST(SeveralPrograms, SayWhatIsAccepted) {
  const TwoPrograms programs(greeting("a"), greeting("b"));
  EXPECT_THAT(programs.run("-n 1 ./a :").err, HasSubstr("no program given"));
  EXPECT_THAT(programs.run("-n 1 ./a : -n 0 ./b").err, HasSubstr("1"));
  EXPECT_THAT(programs.run("-n 1 ./a : --map by-node ./b").err,
              HasSubstr("'--map' before a further program: accepted is -n N"));
  EXPECT_THAT(programs.run("--slowdown -n 1 ./a").err, HasSubstr("--worlds apart"));
  const Outcome crash = programs.run("-q -n 1 ./a : -n 1 ./missing");
  EXPECT_EQ(crash.status, 2);
}

// A result with two programs is repeated from its JSON.
TEST(SeveralPrograms, AreRepeated) {
  const TwoPrograms programs(greeting("a"), greeting("b"));
  ASSERT_EQ(programs.run("-q --json r.json -n 2 ./a 1 : -n 2 ./b 2").status, 0);
  const auto json = nlohmann::json::parse(programs.file("r.json"));
  EXPECT_EQ(json["programs"][1]["arguments"][0], "2");
  const Outcome again = programs.again("r.json");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("as before"));
}

}  // namespace
}  // namespace heddle::cli
