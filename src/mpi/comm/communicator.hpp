// Communicators: what all members share, and what each has for itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "mpi/comm/group.hpp"
#include "mpi/p2p/engine.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

class Topology;

/// What the members of a communicator have in common; never changes.
struct CommunicatorData {
  std::uint32_t number = 0;  ///< Differs between communicators.
  std::shared_ptr<const Group> group;
  /// Of an intercommunicator, else null. Both sides share a number; `group` is each one's own.
  std::shared_ptr<const Group> remote;
  std::shared_ptr<const Topology> topology = {};  ///< Or null.
};

/// A communicator as one of its members has it.
class Communicator {
 public:
  Communicator(Process& process, int handle, std::shared_ptr<const CommunicatorData> data);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  Process& process() const { return process_; }
  int handle() const { return handle_; }
  int rank() const { return rank_; }
  int size() const { return data_->group->size(); }
  bool inter() const { return data_->remote != nullptr; }
  const Group& group() const { return *data_->group; }
  /// Whom messages go to: the remote group of an intercommunicator, else the group.
  const Group& peers() const { return data_->remote ? *data_->remote : *data_->group; }
  const std::shared_ptr<const CommunicatorData>& data() const { return data_; }
  const Topology* topology() const { return data_->topology.get(); }
  Channel channel(Traffic traffic) const {
    return {this, data_->number * 4 + static_cast<std::uint32_t>(traffic)};
  }
  /// "MPI_COMM_WORLD", or what the program has called it, for messages.
  std::string label() const;
  /// Counts the collective calls on it, so that all members give the same call the same number.
  std::uint32_t next_collective() { return collectives_++; }

  std::string name;
  std::unique_ptr<Part> collectives;  ///< What `coll` keeps for it.

 private:
  Process& process_;
  std::shared_ptr<const CommunicatorData> data_;
  int handle_;
  int rank_;
  std::uint32_t collectives_ = 0;
};

/// The communicator of a handle; throws MPI_ERR_COMM for argument `argument`.
Communicator& communicator(Process& process, int handle, const char* argument = "comm");

/// A new communicator of the members of `group`, all of which are in `parent`; collective over
/// `parent`, and costs what agreeing costs. Answers MPI_COMM_NULL where the process is no member.
int create_communicator(Communicator& parent, std::shared_ptr<const Group> group,
                        std::shared_ptr<const Topology> topology = nullptr);

}  // namespace heddle::mpi
