// Dynamic processes: programs that processes start, and processes that find each other by ports.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

/// One program that MPI_Comm_spawn names.
struct SpawnCommand {
  std::string program;
  std::vector<std::string> arguments = {};  ///< Without its name.
  std::uint32_t processes = 1;
  std::string search = {};  ///< Folders to look for it in, with colons between them.
  std::string folder = {};  ///< Where its processes start; empty: where the simulator did.
};

/// Who runs a job, and can give it further ranks.
class Spawner {
 public:
  /// As many ranks as the commands say, after those that the job has. From the event loop. Throws
  /// InputError, and starts none, if a program cannot be loaded or the ranks find no place.
  virtual void spawn(const std::vector<SpawnCommand>& commands) = 0;

 protected:
  ~Spawner() = default;
};

/// Part of the world: who can start further processes. Without anybody there are none.
class Spawning final : public Part {
 public:
  explicit Spawning(World& world) : world_(world) {}
  /// Must outlive the world.
  void set_spawner(Spawner& spawner) { spawner_ = &spawner; }
  /// The processes of commands join the job. From the event loop; throws InputError.
  void spawn(const std::vector<SpawnCommand>& commands);

 private:
  World& world_;
  Spawner* spawner_ = nullptr;
};

/// Starts the processes of `commands`, which count at `root` alone; collective. Answers the
/// intercommunicator with them. Throws MPI_ERR_SPAWN, at all, if there are none.
int spawn(Communicator& local, int root, const std::vector<SpawnCommand>& commands);
/// In MPI_Init: meets those that have started this process, if any have.
void join_parents(Process& process);

/// Part of the world: where processes that were not started together find each other, ports and the
/// names that they are published under.
class Ports final : public Part {
 public:
  explicit Ports(World&) {}
  std::string open();
  /// Throws MPI_ERR_PORT if there is no such port.
  void close(const std::string& name);

  /// Throws MPI_ERR_SERVICE if there is one of this name.
  void publish(const std::string& service, const std::string& port);
  /// Throws MPI_ERR_SERVICE if there is none.
  void unpublish(const std::string& service);
  /// Throws MPI_ERR_NAME if there is none.
  const std::string& look_up(const std::string& service) const;

  enum class Side : std::uint8_t { accepts, connects };
  /// The leader of a group that waits at a port for one of the other side.
  struct Caller {
    Process& process;
    GroupRef group;
    GroupRef other = nullptr;  ///< Once they have met.
    std::uint32_t other_leader = 0;
    std::uint32_t number = 0;  ///< Of the communicator that they make.
  };
  /// The first two of both sides meet. The caller must live until then. Throws
  /// MPI_ERR_PORT if there is no such port.
  void call(const std::string& name, Side side, Caller& caller);

 private:
  struct Port {
    std::deque<Caller*> callers[2];  ///< By side.
  };
  std::map<std::string, Port> ports_;
  std::map<std::string, std::string> services_;
  std::uint32_t opened_ = 0;
};

/// Makes an intercommunicator with those who call from the other side of a port, which counts at
/// `root` alone; collective.
int meet_at_port(Communicator& local, int root, const std::string& port, Ports::Side side);

}  // namespace heddle::mpi
