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

#include "mpi/coll/operation.hpp"
#include "mpi/coll/places.hpp"
#include "mpi/coll/selector.hpp"
#include "mpi/coll/workspace.hpp"
#include "mpi/comm/communicator.hpp"

namespace heddle::mpi::coll {

/// Who has entered the collective calls of a communicator, as long as not all have.
class Attendance {
 public:
  /// Both groups of an intercommunicator count.
  explicit Attendance(std::uint32_t members) : members_(members) {}

  /// A member makes its call with this number. Answers what another member has called as its call
  /// with this number, if that is another operation.
  struct Clash {
    Collective operation;
    std::uint32_t member;
  };
  std::optional<Clash> enter(std::uint32_t number, std::uint32_t member, Collective operation);
  /// Whether all members have made the call with this number.
  bool complete(std::uint32_t number) const;
  /// Members that have not made the call with this number.
  std::vector<std::uint32_t> missing(std::uint32_t number) const;

 private:
  struct Call {
    Collective operation{};
    std::uint32_t first = 0;  ///< Who made it first.
    std::uint32_t entered = 0;
    std::vector<bool> present;
  };
  std::uint32_t members_;
  std::uint32_t begin_ = 0;  ///< The number of the first call of the list.
  std::deque<Call> calls_;
};

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

/// Of a world: what communicators share, and memory for the calls under way.
class Collectives {
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

/// What one member keeps for a communicator's collectives.
struct Membership final : Part {
  explicit Membership(std::shared_ptr<Common> shared) : common(std::move(shared)) {}
  std::shared_ptr<Common> common;
  CommunicatorRef local;  ///< For messages within this group of an intercommunicator.
};
Membership& membership(Communicator& communicator);

}  // namespace heddle::mpi::coll
