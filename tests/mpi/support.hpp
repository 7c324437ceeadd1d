// What tests of MPI share: a job on a small machine whose ranks are functions of the test.
#pragma once

#include <gmock/gmock.h>
#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/job.hpp"
#include "mpi/world.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"

namespace heddle::mpi {

#define EXPECT_MPI(call) EXPECT_EQ((call), MPI_SUCCESS)

/// Ranks on nodes of one switch: two links of 1 us and 12.5 GB/s between any two.
class Bed {
 public:
  /// `sets` are assignments such as "mpi.preset=smpi".
  explicit Bed(std::uint32_t ranks, const std::vector<std::string>& sets = {},
               std::uint32_t ranks_per_node = 1)
      : settings_(network::fabric_sections({&mpi_table()})), program_([this](host::Rank& rank) {
          PMPI_Init(nullptr, nullptr);
          body_(static_cast<int>(rank.id()));
          PMPI_Finalize();
          return 0;
        }) {
    for (const std::string& set : sets) settings_.assign(set, {"test"});
    const std::uint32_t nodes = (ranks + ranks_per_node - 1) / ranks_per_node;
    const auto machine = platform::read_machine_text(
        "topology: {kind: single-switch, nodes: " + std::to_string(nodes) +
            "}\nlink: {bandwidth: 12.5GBps, latency: 1us}\nswitch: {latency: 0ns}\n",
        "test", settings_);
    platform_ = platform::build_platform(machine, settings_);
    network_ = network::make_network("fluid", simulation, *platform_, settings_);
    job_ = std::make_unique<host::Job>(fibers_, *platform_, program_,
                                       host::JobConfig{ranks, ranks_per_node});
    world_ = std::make_unique<World>(*job_, *network_, settings_.get(mpi_table()));
  }

  /// Ranks that have not ended are unwound while everything is still there that they use.
  ~Bed() { fibers_.end(); }
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;

  /// Every rank runs `body(rank)` between MPI_Init and MPI_Finalize; returns when nothing is left
  /// to happen. Throws RunError if ranks wait for ever.
  void run(std::function<void(int)> body) {
    body_ = std::move(body);
    fibers_.run();
  }
  World& world() { return *world_; }
  host::Job& job() { return *job_; }

  Simulation simulation;

 private:
  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<network::Network> network_;
  std::function<void(int)> body_;
  host::FunctionProgram program_;
  FiberScheduler fibers_{simulation, {Bytes(256 * 1024), 1024}};
  std::unique_ptr<host::Job> job_;
  std::unique_ptr<World> world_;
};

/// What a run of `body` on so many ranks fails with, or "".
inline std::string failure(std::uint32_t ranks, const std::function<void(int)>& body,
                           const std::vector<std::string>& sets = {}) {
  Bed bed(ranks, sets);
  try {
    bed.run(body);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

/// Simulated microseconds since the start.
inline double now_us() {
  return host::current_rank()->now().seconds() * 1e6;
}
inline void sleep_us(std::int64_t us) {
  host::current_rank()->sleep(Time::us(us));
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
