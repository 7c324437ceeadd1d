// Who does what together: rounds of collectives belong to a communicator, an operation and a
// program.
#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <vector>

#include "cli/hosted.hpp"
#include "cli/json_schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// rows: even and odd ranks on communicators of their own. Even ranks make three allreduces and a
/// barrier, 1 us apart; odd ones two and a broadcast, 10 us apart; of each the last to come is the
/// last but one by number. all COUNT: so many all-to-alls. late RANK: one rank computes for long.
constexpr const char* kGroupedProgram = R"(
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, i;
  double x = 1, y, *in, *out;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(v[1], "rows")) {
    MPI_Comm own;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own);
    const int last = rank / 2 == size / 2 - 2;
    for (i = 0; i < (rank % 2 ? 2 : 3); ++i) {
      heddle_compute((rank % 2 ? 10e-6 : 1e-6) * (last ? 2 : 1));
      MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, own);
    }
    if (rank % 2) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, own); else MPI_Barrier(own);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Comm_free(&own);
  } else if (!strcmp(v[1], "all")) {
    in = calloc(size, sizeof *in);
    out = calloc(size, sizeof *out);
    for (i = 0; i < atoi(v[2]); ++i)
      MPI_Alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  } else {
    heddle_compute(rank == atoi(v[2]) ? 5e-3 : 1e-3);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
})";

using CsvRow = std::map<std::string, std::string>;

/// The lines of a table by the names of its columns.
std::vector<CsvRow> csv_rows(const std::string& path) {
  std::istringstream lines(file_text(path));
  const auto split = [](const std::string& line) {
    std::vector<std::string> words;
    std::istringstream text(line);
    for (std::string word; std::getline(text, word, ',');) words.push_back(word);
    return words;
  };
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = split(line);
  std::vector<CsvRow> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> words = split(line);
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < words.size(); ++i) row[names[i]] = words[i];
  }
  return rows;
}

class ReportGroups : public testing::Test {
 protected:
  static const CompiledProgram& compiled() {
    static const CompiledProgram program(kGroupedProgram);
    return program;
  }
  void SetUp() override {
    ASSERT_EQ(compiled().compilation().status, 0) << compiled().compilation().err;
  }
  void run(const std::string& words) const {
    const Outcome outcome = heddle("run -q " + words, folder_.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
  static std::string program(const std::string& arguments) {
    return compiled().folder() + "/program " + arguments;
  }
  TemporaryFolder folder_;
};

double spread_of_round(const CsvRow& row) {
  return std::stod(row.at("last_begin_ps")) - std::stod(row.at("first_begin_ps"));
}

// Of 8 ranks, the even ones meet in three allreduces and a barrier, the odd ones in two allreduces
// and a broadcast, each four at a time. What is late in one half is not late in the other: the last
// to come, ranks 4 and 5, are 1 us and 10 us behind the others in their first rounds. What one rank
// does alone, on MPI_COMM_SELF, is no round.
TEST_F(ReportGroups, RoundsBelongToCommunicatorsAndOperations) {
  run("-n 8 --tables t --report p.html " + program("rows"));
  std::map<std::string, int> rounds;
  for (const CsvRow& row : csv_rows(folder_ / "t/collectives.csv")) {
    EXPECT_EQ(row.at("program"), "1");
    EXPECT_EQ(row.at("complete"), "yes") << row.at("call") << " on " << row.at("communicator");
    const bool all = row.at("communicator") == "MPI_COMM_WORLD";
    EXPECT_EQ(row.at("ranks"), all ? "8" : "4") << row.at("call");
    if (all) continue;
    const bool even = std::stoi(row.at("last_rank")) % 2 == 0;
    ++rounds[row.at("call") + (even ? " even" : " odd")];
    if (row.at("call") != "MPI_Allreduce" || row.at("round") != "0") continue;
    EXPECT_EQ(row.at("last_rank"), even ? "4" : "5");
    EXPECT_NEAR(spread_of_round(row), even ? 1e6 : 10e6, 0.5e6);
  }
  const std::map<std::string, int> expected = {{"MPI_Allreduce even", 3},
                                               {"MPI_Allreduce odd", 2},
                                               {"MPI_Barrier even", 1},
                                               {"MPI_Bcast odd", 1}};
  EXPECT_EQ(rounds, expected);
}

// Two programs that know nothing of each other: 4 ranks with 3 all-to-alls, and 8 of which one, its
// rank 5, computes for 5 ms where the others do for 1 ms. The rounds are theirs, the run's verdict
// is that of the second, with ranks as it numbers them, and each has one of its own: that of the
// first does not speak of rank 5, which it does not have.
TEST_F(ReportGroups, ProgramsApartHaveRoundsAndVerdictsOfTheirOwn) {
  run("--worlds apart --tables t --summary s.json --report p.html -n 4 " + program("all 3") +
      " : -n 8 " + program("late 5"));
  std::map<std::string, int> rounds;
  for (const CsvRow& row : csv_rows(folder_ / "t/collectives.csv")) {
    ++rounds[row.at("program") + " " + row.at("call") + " " + row.at("ranks")];
    if (row.at("call") != "MPI_Allreduce") continue;
    EXPECT_EQ(row.at("last_rank"), "5");
  }
  EXPECT_EQ(rounds["1 MPI_Alltoall 4"], 3);
  EXPECT_EQ(rounds["2 MPI_Allreduce 8"], 1);
  const json s = json::parse(file_text(folder_ / "s.json"), nullptr, false);
  EXPECT_EQ(s["cause"], "imbalance");
  EXPECT_THAT(s["verdict"][0].get<std::string>(),
              AllOf(HasSubstr("Program 2, program late 5, ends last: "),
                    HasSubstr("computation on rank 5, which")));
  ASSERT_EQ(s["programs"].size(), 2U);
  const json& first = s["programs"][0];
  const json& second = s["programs"][1];
  EXPECT_EQ(first["title"], "program all 3");
  EXPECT_EQ(first["first_rank"], 0);
  EXPECT_EQ(first["ranks"], 4);
  EXPECT_EQ(second["first_rank"], 4);
  EXPECT_EQ(second["time_ps"], s["time_ps"]);
  EXPECT_LT(first["time_ps"], second["time_ps"]);
  EXPECT_EQ(first["critical_path"]["length_ps"], first["time_ps"]);
  EXPECT_NE(first["cause"], "imbalance");
  EXPECT_THAT(first["verdict"].dump(), Not(HasSubstr("rank 5")));
  EXPECT_EQ(second["cause"], "imbalance");
  const std::string page = file_text(folder_ / "p.html");
  EXPECT_THAT(page, HasSubstr("\"programs\""));
}

// Teams of OpenSHMEM: even PEs synchronise twice, odd ones once; all of them at the end.
TEST_F(ReportGroups, TeamsAreGroups) {
  const CompiledProgram teams(R"(
#include <shmem.h>
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_team_t own;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, n / 2, NULL, 0, &own);
  shmem_team_t odd;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
  if (me % 2) own = odd;
  shmem_team_sync(own);
  if (me % 2 == 0) shmem_team_sync(own);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
})");
  ASSERT_EQ(teams.compilation().status, 0) << teams.compilation().err;
  run("-n 8 --tables t " + teams.folder() + "/program");
  std::map<std::string, int> rounds;
  for (const CsvRow& row : csv_rows(folder_ / "t/collectives.csv")) {
    EXPECT_EQ(row.at("complete"), "yes") << row.at("call");
    const bool even = std::stoi(row.at("last_rank")) % 2 == 0;
    if (row.at("ranks") == "4") ++rounds[row.at("call") + (even ? " even" : " odd")];
  }
  const std::map<std::string, int> expected = {{"shmem_team_sync even", 2},
                                               {"shmem_team_sync odd", 1}};
  EXPECT_EQ(rounds, expected);
}

}  // namespace
}  // namespace heddle::cli
