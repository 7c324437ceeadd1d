// Making communicators. All is collective, over the parent unless something else is said, and
// costs what agreeing costs. What is made inherits the parent's error handler.
#pragma once

#include <memory>

#include "mpi/comm/communicator.hpp"
#include "mpi/comm/meeting.hpp"

namespace heddle::mpi {

/// A communicator of the members of `group`, all of which are in `parent`; other members of the
/// parent name another group, or one that they are not in. Answers MPI_COMM_NULL where the process
/// is no member.
int create_communicator(Communicator& parent, const GroupRef& group,
                        std::shared_ptr<const Topology> topology = nullptr);
/// The same, collective over `group` alone; `tag` tells calls apart.
int create_from_group(Communicator& parent, const GroupRef& group, int tag);
/// With the same groups and topology.
int duplicate(Communicator& parent);
/// Of those that give the same colour, in the order of their keys; none for MPI_UNDEFINED.
int split(Communicator& parent, int colour, int key);
/// Of two groups; collective over both local communicators.
int create_intercommunicator(Communicator& local, int local_leader, Communicator& peer,
                             int remote_leader, int tag);
/// The local side of an intercommunicator whose number and other group only the leader knows;
/// collective over the local one. Answers MPI_COMM_NULL if the leader names no group.
int create_with_known(Communicator& local, int local_leader, const Contribution& known);
/// Of both groups of an intercommunicator, that with `high` last.
int merge(Communicator& inter, bool high);
/// Starts duplicating; the handle holds when the request is complete. Answers the request.
int start_duplicate(Communicator& parent, int* handle, InfoRef info, bool with_info);

/// Waits for what is under way among all members, and frees the handle.
void disconnect(Communicator& communicator);
/// All members, of both sides of an intercommunicator, in an order that is the same for all.
GroupRef everybody(const CommunicatorData& data);

/// A communicator of this process; attributes are not copied.
Communicator& adopt(Communicator& parent, CommunicatorDataRef data);
/// The handle goes; what is under way on it goes on.
void free_communicator(Communicator& communicator);

}  // namespace heddle::mpi
