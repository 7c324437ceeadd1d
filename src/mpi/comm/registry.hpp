// The communicators of a job: what their members share.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/comm/meeting.hpp"

namespace heddle::mpi {

class Process;

/// Processes that were started together: those of the run's beginning, or of one MPI_Comm_spawn.
struct Launch {
  std::uint32_t first = 0;    ///< The first of its processes.
  CommunicatorDataRef world;  ///< Their MPI_COMM_WORLD.
  /// Their intercommunicator with those that started them, as they have it; or null.
  CommunicatorDataRef parent = nullptr;
  std::vector<std::uint32_t> applications = {};  ///< The first process of each program.

  /// The number of a process's program among those that were started together.
  int application(std::uint32_t process) const;
};

/// Part of the world: numbers communicators, and keeps what is common to all ranks.
class Registry final : public Part {
 public:
  explicit Registry(World& world);
  std::uint32_t new_number() { return next_++; }
  /// That a process belongs to.
  const Launch& launch_of(std::uint32_t process) const;
  /// Those of the run's beginning are of several programs, whose first processes these are.
  void set_applications(std::vector<std::uint32_t> first) {
    launches_.front().applications = std::move(first);
  }
  /// `size` is that of the job now, which `parents` have started the last processes of.
  const Launch& add_launch(std::vector<std::uint32_t> applications, std::uint32_t size,
                           const GroupRef& parents);
  /// Of MPI_COMM_SELF: a new one.
  CommunicatorDataRef self(const Process& process);
  const GroupRef& empty_group() const { return empty_; }
  Meetings& meetings() { return meetings_; }

 private:
  std::uint32_t next_ = 1;
  Meetings meetings_;
  GroupRef empty_;
  std::deque<Launch> launches_;
};

}  // namespace heddle::mpi
