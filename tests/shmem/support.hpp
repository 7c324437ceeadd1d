// What tests of OpenSHMEM share: a job on a small machine whose PEs are functions of the test.
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/job.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "portals/machine.hpp"
#include "shmem/api/calls.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {

/// PEs on nodes of one switch.
class Bed {
 public:
  /// `sets` are assignments such as "shmem.transport=portals".
  explicit Bed(std::uint32_t pes, const std::vector<std::string>& sets = {},
               std::uint32_t pes_per_node = 1)
      : settings_(network::fabric_sections({&portals::portals_table(), &shmem_table()})),
        program_([this](host::Rank& rank) {
          body_(static_cast<int>(rank.id()));
          return 0;
        }) {
    settings_.assign("shmem.heap=1MiB", {"test"});
    for (const std::string& set : sets) settings_.assign(set, {"test"});
    const std::uint32_t nodes = (pes + pes_per_node - 1) / pes_per_node;
    const auto machine = platform::read_machine_text(
        "topology: {kind: single-switch, nodes: " + std::to_string(nodes) +
            "}\nlink: {bandwidth: 10GBps, latency: 500ns}\nswitch: {latency: 0ns}\n"
            "node: {pcie_bandwidth: 10GBps, pcie_latency: 250ns, loopback_latency: 100ns}\n",
        "test", settings_);
    platform_ = platform::build_platform(machine, settings_);
    network_ = network::make_network("queue", simulation, *platform_, settings_);
    job_ = std::make_unique<host::Job>(fibers_, *platform_, program_,
                                       host::JobConfig{pes, pes_per_node});
    portals_ = std::make_unique<portals::Machine>(*job_, *network_,
                                                  settings_.get(portals::portals_table()));
    world_ =
        std::make_unique<World>(*job_, *network_, settings_.get(shmem_table()), portals_.get());
  }

  /// PEs that have not ended are unwound while everything is still there that they use.
  ~Bed() { fibers_.end(); }
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;

  /// Every PE runs `body(pe)` between shmem_init and shmem_finalize; returns when nothing is left
  /// to happen. Throws RunError if PEs wait for ever.
  void run(std::function<void(int)> body) {
    run_plain([body = std::move(body)](int pe) {
      pshmem_init();
      body(pe);
      pshmem_finalize();
    });
  }
  void run_plain(std::function<void(int)> body) {
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
  std::unique_ptr<portals::Machine> portals_;
  std::unique_ptr<World> world_;
};

inline std::string by(const std::string& transport) {
  return "shmem.transport=" + transport;
}

/// What a run of `body` on so many PEs fails with, or "".
inline std::string failure(std::uint32_t pes, const std::function<void(int)>& body,
                           const std::vector<std::string>& sets = {}) {
  Bed bed(pes, sets);
  try {
    bed.run(body);
  } catch (const RunError& error) {
    return error.what();
  }
  return bed.job().abort().problem;
}

/// Each test of a family runs on both transports, and on numbers of PEs from 1 to 33.
class OnPes : public ::testing::TestWithParam<const char*> {
 protected:
  /// Every PE runs `body(pe, number of PEs)`.
  void run(const std::function<void(int, int)>& body) {
    for (const int pes : {1, 2, 3, 5, 8, 16, 33}) {
      SCOPED_TRACE(std::to_string(pes) + " PEs");
      Bed bed(static_cast<std::uint32_t>(pes), {by(GetParam())});
      bed.run([&](int me) { body(me, pes); });
      EXPECT_EQ(bed.job().abort().problem, "");
    }
  }
};
#define HEDDLE_ON_BOTH_TRANSPORTS(SUITE)                                    \
  class SUITE : public OnPes {};                                            \
  INSTANTIATE_TEST_SUITE_P(, SUITE, ::testing::Values("hybrid", "portals"), \
                           [](const auto& values) { return std::string(values.param); })

inline Time now() {
  return host::current_rank()->now();
}
inline void sleep_us(std::int64_t us) {
  host::current_rank()->sleep(Time::us(us));
}
template <class T>
T* allocate(std::size_t count) {
  T* memory = static_cast<T*>(pshmem_malloc(count * sizeof(T)));
  std::fill_n(memory, count, T{});
  pshmem_barrier_all();
  return memory;
}

}  // namespace heddle::shmem
