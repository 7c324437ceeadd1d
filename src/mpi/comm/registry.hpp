// The communicators of a job: what their members share.
#pragma once

#include <cstdint>

#include "mpi/comm/communicator.hpp"
#include "mpi/comm/meeting.hpp"

namespace heddle::mpi {

class Process;

/// Numbers communicators, and keeps what is common to all ranks.
class Registry {
 public:
  explicit Registry(std::uint32_t ranks);
  std::uint32_t new_number() { return next_++; }
  const CommunicatorDataRef& world() const { return world_; }
  static CommunicatorDataRef self(const Process& process);
  const GroupRef& empty_group() const { return empty_; }
  Meetings& meetings() { return meetings_; }

 private:
  std::uint32_t next_ = 2;
  Meetings meetings_;
  GroupRef empty_;
  CommunicatorDataRef world_;
};

}  // namespace heddle::mpi
