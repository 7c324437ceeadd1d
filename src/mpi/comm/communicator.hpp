// Communicators: what all members share, and what each has for itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/ref.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/objects/attributes.hpp"
#include "mpi/objects/error_handler.hpp"
#include "mpi/objects/group.hpp"
#include "mpi/objects/info.hpp"

namespace heddle::mpi {

/// A virtual topology; `topology/` derives from it.
class Topology {
 public:
  virtual ~Topology() = default;
};

/// What the members of a communicator have in common; never changes.
struct CommunicatorData {
  std::uint32_t number = 0;  ///< Differs between communicators.
  GroupRef group;
  /// Of an intercommunicator, else null. Both sides share a number; `group` is each one's own.
  GroupRef remote = nullptr;
};
using CommunicatorDataRef = std::shared_ptr<const CommunicatorData>;

class Communicator;
/// Keeps a communicator beyond MPI_Comm_free, as operations under way do.
using CommunicatorRef = Ref<Communicator>;

/// A communicator as one of its members has it.
class Communicator {
 public:
  Communicator(Process& process, int handle, CommunicatorDataRef data);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  // For CommunicatorRef.
  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) delete this;
  }

  Process& process() const { return process_; }
  int handle() const { return handle_; }
  void set_handle(int handle) { handle_ = handle; }
  int rank() const { return correspondent_.rank; }
  int size() const { return data_->group->size(); }
  bool inter() const { return data_->remote != nullptr; }
  const Group& group() const { return *data_->group; }
  /// Whom messages go to: the remote group of an intercommunicator, else the group.
  const Group& peers() const { return *correspondent_.peers; }
  const CommunicatorDataRef& data() const { return data_; }
  /// Or null. Some topologies are known to each member in part only.
  const Topology* topology() const { return topology_.get(); }
  const std::shared_ptr<const Topology>& shared_topology() const { return topology_; }
  void set_topology(std::shared_ptr<const Topology> topology) { topology_ = std::move(topology); }
  Channel channel(Traffic traffic) const {
    return {&correspondent_, data_->number * kTraffics + static_cast<std::uint32_t>(traffic)};
  }
  /// "MPI_COMM_WORLD", or what the program has called it, for messages.
  std::string label() const;
  /// Counts the collective calls on it, so that all members give the same call the same number.
  std::uint32_t next_collective() { return collectives_++; }
  /// The same for the windows and files that its members make together.
  std::uint32_t next_object() { return objects_++; }

  std::string name;
  ErrorHandlerRef error_handler;  ///< Null: MPI_ERRORS_ARE_FATAL.
  Attributes attributes;
  InfoRef info;                       ///< Or null.
  std::unique_ptr<Part> collectives;  ///< What `coll` keeps for it.

 private:
  Process& process_;
  CommunicatorDataRef data_;
  std::shared_ptr<const Topology> topology_;
  Correspondent correspondent_;
  int handle_;
  std::uint32_t references_ = 0;
  std::uint32_t collectives_ = 0;
  std::uint32_t objects_ = 0;
};

/// The communicator of a handle; throws MPI_ERR_COMM for argument `argument`.
Communicator& communicator(Process& process, int handle, const char* argument = "comm");
/// The same, or null.
Communicator* find_communicator(Process& process, int handle);

}  // namespace heddle::mpi
