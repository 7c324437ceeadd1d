// What tests of MPI share: a job on a small machine whose ranks are functions of the test.
#pragma once

#include <gmock/gmock.h>
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "job_bed.hpp"
#include "mpi/setup/mpi.hpp"

namespace heddle::mpi {

#define EXPECT_MPI(call) EXPECT_EQ((call), MPI_SUCCESS)

/// Two links of 1 us and 12.5 GB/s between any two nodes.
class Bed : public JobBed {
 public:
  explicit Bed(std::uint32_t ranks, const std::vector<std::string>& sets = {},
               std::uint32_t ranks_per_node = 1)
      : JobBed({ranks, ranks_per_node, kPlainMachine, "fluid"}, {&mpi_table()}, sets),
        world_(job(), network(), settings().get(mpi_table())) {}
  ~Bed() { unwind(); }

  /// Every rank runs `body(rank)` between MPI_Init and MPI_Finalize, as in run_plain().
  void run(std::function<void(int)> body) {
    run_plain([body = std::move(body)](int rank) {
      PMPI_Init(nullptr, nullptr);
      body(rank);
      PMPI_Finalize();
    });
  }
  Mpi& world() { return world_; }

 private:
  Mpi world_;
};

/// What a run of `body` on so many ranks fails with, or "".
inline std::string failure(std::uint32_t ranks, const std::function<void(int)>& body,
                           const std::vector<std::string>& sets = {}) {
  Bed bed(ranks, sets);
  return failure_of(bed, body);
}

/// Simulated microseconds since the start.
inline double now_us() {
  return host::current_rank()->now().seconds() * 1e6;
}
inline void sleep_us(std::int64_t us) {
  host::current_rank()->thread().waits().sleep(Time::us(us));
}

inline void send(int value, int dest, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  EXPECT_MPI(PMPI_Send(&value, 1, MPI_INT, dest, tag, comm));
}
inline int receive(int source, int tag, MPI_Comm comm = MPI_COMM_WORLD,
                   MPI_Status* status = MPI_STATUS_IGNORE) {
  int value = -1;
  EXPECT_MPI(PMPI_Recv(&value, 1, MPI_INT, source, tag, comm, status));
  return value;
}

}  // namespace heddle::mpi
