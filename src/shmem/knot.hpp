// The place of one member in the trees of its team's collectives.
#pragma once

#include <portals4.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::shmem {

/// What a member asks for: all contributions combined on the way up, where there is one, and what
/// the root has then spread on the way down. All members ask for the same.
struct TreeWork {
  int root = 0;
  bool up = false;
  std::size_t bytes = 0;         ///< Of a contribution; 0 where members just meet.
  void* dest = nullptr;          ///< Of what comes down; null: the member wants none of it.
  const void* source = nullptr;  ///< Of a contribution, or of what the root spreads.
  ptl_op_t operation{};          ///< Combines contributions.
  ptl_datatype_t type{};
};

/// The member's adapter has it for one call after another: what it waits for, and what that
/// triggers.
struct Knot {
  TreeWork work;
  std::uint32_t number = 0;     ///< Of the team's collective calls.
  int below = 0;                ///< Members that report to this one,
  int missing = 0;              ///< and those of them that have not.
  bool armed = false;           ///< The member has come, and its adapter knows what to do.
  bool complete = false;        ///< The adapter has done it,
  bool visible = false;         ///< and the member can see that.
  std::uint32_t early = 0;      ///< Messages in the mailbox, for calls that were not armed.
  std::vector<std::byte> data;  ///< Combined so far.
};

}  // namespace heddle::shmem
