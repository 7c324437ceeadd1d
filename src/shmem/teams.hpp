// The teams of a job.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>

#include "core/ids.hpp"
#include "host/rank/job.hpp"
#include "shmem/team.hpp"

namespace heddle::shmem {

/// Makes teams when their first member asks for them. They stay where they are.
class Teams {
 public:
  explicit Teams(host::Job& job);
  /// Of all PEs that the job has had from its beginning.
  Team& world() { return teams_.front(); }
  /// The PEs of a node.
  Team& shared(NodeId node);
  /// What the members of `parent` make of their collective call number `call`, the `part`-th of it.
  Team& split(const Team& parent, std::uint32_t call, int part, const Members& members);
  Team& active_set(int start, int log_stride, int size);
  const std::deque<Team>& all() const { return teams_; }

 private:
  Team& make(std::string label, Members members);

  host::Job& job_;
  std::deque<Team> teams_;
  std::map<NodeId, Team*> shared_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, int>, Team*> splits_;
  std::map<std::array<int, 3>, Team*> sets_;
};

}  // namespace heddle::shmem
