// Groups of ranks that make calls together: communicators and teams.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::record {

/// Which one it is among all of a run.
struct GroupKey {
  enum class Of : std::uint8_t { communicators, teams };
  std::uint32_t program = 0;  ///< Of those that have worlds of their own, from 1; 0: there is one.
  Of of = Of::communicators;
  std::uint32_t number = 0;

  auto operator<=>(const GroupKey&) const = default;
};

struct Group {
  GroupKey key;
  std::uint32_t first = 0;  ///< What the recording calls rank 0 of its program.
  std::uint32_t members = 0;
  std::string label;  ///< "MPI_COMM_WORLD".
};

/// The groups of a run, numbered in the order in which they first made a call.
class Groups {
 public:
  /// The number of a group; `describe()` answers a Group where it is new.
  template <class Describe>
  std::uint32_t number(const GroupKey& key, Describe describe) {
    const auto [known, is_new] =
        numbers_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
    if (is_new) groups_.push_back(describe());
    return known->second;
  }
  const Group& at(std::uint32_t number) const { return groups_[number]; }

 private:
  std::map<GroupKey, std::uint32_t> numbers_;
  std::vector<Group> groups_;
};

/// Whether a call is a collective operation, by its name: all members of a group make it.
bool is_collective(const std::string& name);

}  // namespace heddle::record
