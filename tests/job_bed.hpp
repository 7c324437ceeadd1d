// A job on a small machine whose ranks are functions of a test.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/rank/job.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"

namespace heddle {

/// Functions of a test as a program, whose memory may be another than the simulator's own.
class TestProgram final : public host::Program {
 public:
  explicit TestProgram(AddressSpace* memory) : memory_(memory) {}
  int run(host::Rank& rank) override { return own_.run(rank); }
  AddressSpace& memory(host::Rank& rank) override {
    return memory_ != nullptr ? *memory_ : own_.memory(rank);
  }
  /// What every rank runs.
  std::function<void(int)> body;

 private:
  AddressSpace* memory_;
  host::FunctionProgram own_{[this](host::Rank& rank) {
    body(static_cast<int>(rank.id()));
    return 0;
  }};
};

/// Ranks on nodes of one switch. What stands on the job is its heirs'.
class JobBed {
 public:
  /// All but the topology, as in a machine's file.
  static constexpr const char* kPlainMachine =
      "link: {bandwidth: 12.5GBps, latency: 1us}\nswitch: {latency: 0ns}\n";
  static constexpr const char* kMachineWithPcie =
      "link: {bandwidth: 10GBps, latency: 500ns}\nswitch: {latency: 0ns}\n"
      "node: {pcie_bandwidth: 10GBps, pcie_latency: 250ns, loopback_latency: 100ns}\n";
  struct Plan {
    std::uint32_t ranks = 2;
    std::uint32_t ranks_per_node = 1;
    const char* machine = kPlainMachine;
    const char* network = "queue";
    AddressSpace* memory = nullptr;
  };

  JobBed(const JobBed&) = delete;
  JobBed& operator=(const JobBed&) = delete;

  /// Every rank runs `body(rank)`; returns when nothing is left to happen. Throws RunError if ranks
  /// wait for ever.
  void run_plain(std::function<void(int)> body) {
    program_.body = std::move(body);
    fibers_.run();
  }
  host::Job& job() { return *job_; }

  Simulation simulation;

 protected:
  /// `sets` are assignments such as "mpi.preset=smpi" to the machine's parameters and `sections`.
  JobBed(const Plan& plan, std::initializer_list<const ParamSection*> sections,
         const std::vector<std::string>& sets)
      : settings_(network::fabric_sections(sections)), program_(plan.memory) {
    for (const std::string& set : sets) settings_.assign(set, {"test"});
    const std::uint32_t nodes = (plan.ranks + plan.ranks_per_node - 1) / plan.ranks_per_node;
    const auto machine = platform::read_machine_text(
        "topology: {kind: single-switch, nodes: " + std::to_string(nodes) + "}\n" + plan.machine,
        "test", settings_);
    platform_ = platform::build_platform(machine, settings_);
    network_ = network::make_network(plan.network, simulation, *platform_, settings_);
    job_ = std::make_unique<host::Job>(fibers_, *platform_, program_,
                                       host::JobConfig{plan.ranks, plan.ranks_per_node});
  }
  ~JobBed() = default;

  Settings& settings() { return settings_; }
  network::Network& network() { return *network_; }
  /// Ranks that have not ended are unwound: for heirs, while all is there that ranks use.
  void unwind() { fibers_.end(); }

 private:
  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<network::Network> network_;
  TestProgram program_;
  FiberScheduler fibers_{simulation, {Bytes(256 * 1024), 1024}};
  std::unique_ptr<host::Job> job_;
};

/// What a run of `body` on a bed fails with, or "".
template <class Bed>
std::string failure_of(Bed& bed, const std::function<void(int)>& body) {
  try {
    bed.run(body);
  } catch (const RunError& error) {
    return error.what();
  }
  return bed.job().ends().abort().problem;
}

}  // namespace heddle
