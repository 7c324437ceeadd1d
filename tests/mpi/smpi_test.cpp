// SMPI's times of point-to-point messages, as SimGrid 3.32 gives them: to 0.01 us.
#include <fstream>
#include <nlohmann/json.hpp>

#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

constexpr double kTolerance = 0.01;  // us

const nlohmann::json& reference() {
  static const nlohmann::json document =
      nlohmann::json::parse(std::ifstream(HEDDLE_TEST_DATA "/smpi_p2p_ref.json"));
  return document.at("runs");
}

/// Our parameters for the options that SMPI was run with.
std::vector<std::string> settings_of(const std::string& run) {
  std::vector<std::string> sets = {"mpi.preset=smpi"};
  if (run == "async_small_65536") sets.emplace_back("mpi.eager_limit=65536");
  if (run == "detached_0") sets.emplace_back("mpi.detached_limit=0");
  if (run == "os_or_ois") {
    sets.emplace_back("mpi.send_overhead=0:1e-6:1e-10");
    sets.emplace_back("mpi.receive_overhead=0:2e-6:2e-10");
    sets.emplace_back("mpi.isend_overhead=0:3e-6:1e-10");
  }
  return sets;
}

/// Half a round trip, the mean of ten, with one look at the clock in them.
double one_way_us(const std::string& run, int bytes) {
  double result = 0;
  Bed bed(2, settings_of(run));
  bed.run([&](int rank) {
    constexpr int kRounds = 10;
    std::vector<char> buffer(static_cast<std::size_t>(bytes) + 1);
    const double begin = PMPI_Wtime();
    for (int i = 0; i < kRounds; ++i) {
      if (rank == 0) PMPI_Send(buffer.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      PMPI_Recv(buffer.data(), bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) PMPI_Send(buffer.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) result = (PMPI_Wtime() - begin) * 1e6 / (2 * kRounds);
  });
  return result;
}

class SmpiTimes : public testing::TestWithParam<const char*> {};

TEST_P(SmpiTimes, OneWayOfEverySize) {
  for (const auto& [size, expected] : reference().at(GetParam()).at("oneway_us").items()) {
    EXPECT_NEAR(one_way_us(GetParam(), std::stoi(size)), expected.get<double>(), kTolerance)
        << size << " bytes";
  }
}

/// When MPI_Send and MPI_Recv return if one of them is called 1 ms late.
TEST_P(SmpiTimes, LateSendersAndReceivers) {
  for (const auto& late : reference().at(GetParam()).at("late")) {
    const int bytes = late.at("bytes");
    const int late_rank = late.at("case") == "late_send" ? 0 : 1;
    double returned[2] = {0, 0};
    Bed bed(2, settings_of(GetParam()));
    bed.run([&](int rank) {
      std::vector<char> buffer(static_cast<std::size_t>(bytes));
      const double begin = PMPI_Wtime();
      if (rank == late_rank) sleep_us(1000);
      if (rank == 0) {
        PMPI_Send(buffer.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      } else {
        PMPI_Recv(buffer.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      returned[rank] = (PMPI_Wtime() - begin) * 1e6;
    });
    EXPECT_NEAR(returned[0], late.at("send_returns_us").get<double>(), kTolerance) << late.dump();
    EXPECT_NEAR(returned[1], late.at("recv_returns_us").get<double>(), kTolerance) << late.dump();
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, SmpiTimes,
                         testing::Values("default", "async_small_65536", "detached_0", "os_or_ois"),
                         [](const auto& run) { return std::string(run.param); });

}  // namespace
}  // namespace heddle::mpi
