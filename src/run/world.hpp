// The programs of a run that share one world, with all that carries them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "host/program/hosted_program.hpp"
#include "host/rank/job.hpp"
#include "mpi/setup/mpi.hpp"
#include "network/network.hpp"
#include "nic/adapters.hpp"
#include "platform/platform.hpp"
#include "portals/machine.hpp"
#include "processes/process_program.hpp"
#include "run/schedule_player.hpp"
#include "run/trace_player.hpp"
#include "run/trace_recorder.hpp"
#include "shmem/setup.hpp"

namespace heddle::run {

/// Where ranks run.
enum class Hosting : std::uint8_t {
  inside,     ///< The simulator, which loads the program; built with heddlecc.
  processes,  ///< Processes of their own, whatever the program is.
};

/// One of the programs of a run.
struct ProgramPart {
  std::string path;
  std::vector<std::string> arguments = {};  ///< Without its name.
  std::uint32_t ranks = 2;
  Hosting hosting = Hosting::inside;
};

/// What processes of ranks have besides.
struct ProcessSettings {
  std::vector<std::string> environment = {};  ///< "NAME=VALUE".
  std::uint32_t parallel = 1;                 ///< How many may run at a time.
  Time max_step = {};                         ///< As of the run.
  bool counts = false;                        ///< Libraries read the processor's counter.
};

/// Where the ranks of a program can run: inside of the simulator, or else as processes.
Hosting hosting_of(const std::string& path);

/// The nodes of so many ranks; throws InputError if they find no place.
using Placing = std::function<std::vector<NodeId>(std::uint32_t ranks)>;

/// Those programs of a run whose ranks have numbers in one row and can send to each other.
struct WorldConfig {
  std::span<const ProgramPart> parts;
  std::vector<std::string> private_libraries;  ///< Of the system's, for each rank.
  std::vector<NodeId> nodes;                   ///< By rank.
  Placing place = {};                          ///< If null, more ranks begin again at the first's.
  std::uint32_t number = 0;                    ///< Among the worlds of a run, from 1; 0: it is one.
  host::Job* beside = nullptr;                 ///< Of a world before it, if there is one.
  /// Instead of the program: what the ranks do, one for each of the trace; must outlive the world.
  const traces::Trace* played = nullptr;
  /// The same as a schedule.
  const goal::Schedule* schedule = nullptr;
  /// The same as functions of the caller's, whose messages carry no data.
  host::Program* functions = nullptr;
  /// What to record of the calls of MPI, if anything.
  std::optional<Recorded> recorded = {};
  /// Depths of simulation that messages of MPI take, if it is not one for all.
  mpi::FidelityPlan fidelity = {};
  ProcessSettings processes = {};
  bool own_threads = false;  ///< Of ranks inside of the simulator, as of ProgramConfig.
};

/// What the worlds of a run share. All must outlive them.
struct Surroundings {
  const platform::Platform& platform;
  const Settings& settings;
  FiberScheduler& fibers;
  network::Network& network;
  std::string network_model;  ///< The name of that.
  const nic::Faults& faults;
  nic::Observer* observer;  ///< May be null.
  host::CallPatches patches = {};
};

/// A world.
class World final : private mpi::Spawner {
 public:
  /// Loads the programs. Throws InputError.
  World(const Surroundings& around, const WorldConfig& config);
  /// Ends the fibers of all worlds, which may be in the middle of calls.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Among the worlds of a run, from 1; 0 where it is the only one.
  std::uint32_t number() const { return job_.number(); }
  host::Job& job() { return job_; }
  portals::Machine& portals() { return portals_; }
  mpi::Mpi& mpi() { return mpi_; }
  shmem::World& shmem() { return shmem_.world(); }
  /// What was recorded, if that was wanted; once.
  TraceRecorder& recorder() { return *calls_; }
  /// Those that run inside of the simulator.
  const std::vector<std::unique_ptr<host::HostedProgram>>& programs() const { return programs_; }
  /// Whether there are ranks that are processes.
  bool has_processes() const { return !processes_.empty(); }
  /// Stops for a debugger before the main function of a rank.
  void stop_before_main(host::RankId rank);

  /// When its last rank ended.
  Time end();
  /// The status of the first rank, by its number, that did not end with zero; else zero.
  int status();
  /// On how many nodes it is.
  std::uint32_t nodes() const;
  /// What all its adapters together have done.
  nic::AdapterStatistics traffic();

 private:
  host::Program& load(const Surroundings& around, const WorldConfig& config);
  std::vector<NodeId> places_for(std::uint32_t more) const;
  /// Ranks that programs start go where they would be if the run had had them from its beginning;
  /// if the machine is full, they begin again at the first node.
  void spawn(const std::vector<mpi::SpawnCommand>& commands) override;
  void make_levels(const Surroundings& around, const mpi::FidelityPlan& plan);

  FiberScheduler& fibers_;
  host::HostParams params_;
  std::vector<std::string> private_libraries_;
  host::CallPatches patches_;
  std::vector<NodeId> nodes_;  ///< Of the ranks at the beginning.
  Placing place_;
  /// Of the parts, in their order.
  std::vector<host::Program*> all_programs_;
  std::vector<std::unique_ptr<host::HostedProgram>> programs_;  ///< Inside of the simulator.
  std::vector<std::unique_ptr<processes::ProcessProgram>> processes_;
  std::unique_ptr<host::Program> player_;  ///< Instead of all programs, or null.
  host::Job job_;
  portals::Machine portals_;
  /// Of levels whose network is not that of the surroundings, by model.
  std::map<std::string, std::unique_ptr<network::Network>> networks_;
  std::unique_ptr<TraceRecorder> calls_;  ///< Or null.
  mpi::Mpi mpi_;
  shmem::Setup shmem_;
};

}  // namespace heddle::run
