// What the collective operations of a job share.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coll/rules/attendance.hpp"
#include "coll/rules/selector.hpp"
#include "coll/steps/places.hpp"
#include "mpi/collectives/workspace.hpp"
#include "mpi/comm/communicator.hpp"

namespace heddle::mpi::collectives {

using namespace coll;  // What collectives are made of.

/// What the members of a communicator have in common for its collectives.
struct Common {
  Common(std::uint32_t members, Places where) : attendance(members), places(std::move(where)) {}
  Attendance attendance;
  Places places;
  /// For messages within the groups of an intercommunicator, by side.
  CommunicatorDataRef local[2];
  /// Graphs that not all members have told their edges of, by the number of the call.
  std::map<std::uint32_t, std::shared_ptr<Topology>> graphs;
};

/// Part of the world: what communicators share, and memory for the calls under way.
class Collectives final : public Part {
 public:
  explicit Collectives(World& world);
  const Selector& selector() const { return selector_; }

  /// Of the communicator; made when the first member asks.
  std::shared_ptr<Common> common(const Communicator& communicator);
  std::unique_ptr<Workspace> take_workspace();
  /// One whose messages are not complete, after an error, is kept: they write to it.
  void give_back(std::unique_ptr<Workspace> workspace);

 private:
  Places places_of(const Communicator& communicator) const;

  World& world_;
  Selector selector_;
  std::unordered_map<std::uint32_t, std::weak_ptr<Common>> common_;  ///< By number.
  std::vector<std::unique_ptr<Workspace>> unused_;
  std::vector<std::unique_ptr<Workspace>> abandoned_;
};

/// That of a process's world.
inline Collectives& collectives_of(const Process& process) {
  return process.world().part<Collectives>();
}

/// What one member keeps for a communicator's collectives.
struct Membership final : Part {
  explicit Membership(std::shared_ptr<Common> shared) : common(std::move(shared)) {}
  std::shared_ptr<Common> common;
  CommunicatorRef local;  ///< For messages within this group of an intercommunicator.
};
Membership& membership(Communicator& communicator);

}  // namespace heddle::mpi::collectives
