// Who is in which communicator: the names that the ranks give to communicators, brought together.
//
// A trace names a communicator by a handle that means something to its rank only, with the rank and
// the size. The communicator of all ranks whose ranks are those of the traces is the world. Calls
// that make communicators happen in the same order on every member of the one they start from, so
// the i-th such calls belong together. A dup has the members of its parent; those of a split follow
// from colours and keys. On each rank a handle that was not seen before is taken to be the earliest
// communicator made before its first use that has the right rank and size. Where the trace does not
// say who is in (MPI_Comm_create, MPI_Cart_sub, or a handle whose making is not in the trace) the
// i-th of all ranks that are number 0 in such a communicator is taken to be together with the i-th
// of those that are number 1, and so on: right for rows, columns and blocks of ranks.
// None of this is needed where all members have agreed on a handle.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/trace.hpp"

namespace heddle::traces {

class Communicators {
 public:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  /// Throws InputError where traces contradict each other.
  explicit Communicators(const Trace& trace);

  /// The communicator that `rank` names by `comm`, an index into its RankTrace::comms.
  std::uint32_t id(std::uint32_t rank, std::uint32_t comm) const { return ids_[rank][comm]; }
  /// The ranks in it; kUnknown for those that never name it. Number 0 is the world.
  const std::vector<std::uint32_t>& members(std::uint32_t id) const { return members_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  /// How many of them calls are about: a rank has names of others, too, such as its own.
  std::size_t used() const;
  bool complete(std::uint32_t id) const;
  /// How many rest on the order of ranks alone.
  std::uint64_t guessed() const { return guessed_; }

 private:
  /// A name that is still without a communicator.
  struct Instance {
    std::uint32_t rank;
    std::uint32_t comm;
  };
  /// A communicator that a rank made and has not named yet.
  struct Pending {
    std::uint32_t call;
    std::int32_t rank;  ///< -1 if it is not known.
    std::int32_t size;
    std::uint32_t group;  ///< Its number, or that of the open event.
  };

  void take_agreed_handles();
  void find_first_uses();
  void find_world();
  void process(std::uint32_t id);
  std::vector<std::uint32_t> making_calls(std::uint32_t id, std::uint32_t rank) const;
  CallKind agreed_kind(const std::vector<std::uint32_t>& members,
                       const std::vector<std::uint32_t>& calls) const;
  void make(std::uint32_t id, const std::vector<std::uint32_t>& members,
            const std::vector<std::uint32_t>& calls);
  void create_groups(std::uint32_t id);
  void split(const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& calls);
  void duplicate(std::uint32_t id, const std::vector<std::uint32_t>& calls);
  bool bind(std::uint32_t rank);
  void form_groups(const std::vector<Instance>& instances);
  void form_leftovers();
  std::uint32_t add(std::vector<std::uint32_t> members);
  [[noreturn]] void contradiction(std::uint32_t rank, std::uint32_t call, std::uint32_t other,
                                  std::uint32_t other_call) const;

  const Trace& trace_;
  std::vector<std::vector<std::uint32_t>> ids_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::vector<std::uint32_t>> first_use_;  ///< By rank and name: index of a call.
  std::vector<std::vector<Pending>> pending_;          ///< By rank.
  std::vector<std::vector<Instance>> open_;            ///< By open event: the names bound to it.
  std::uint64_t guessed_ = 0;
};

/// Whether the call names a communicator.
constexpr bool has_communicator(CallKind k) {
  return k <= CallKind::sendrecv || is_collective(k) || creates_communicator(k);
}

}  // namespace heddle::traces
