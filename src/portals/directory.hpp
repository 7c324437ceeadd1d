// Who is where: the processes of a job, by rank and by their ids on the fabric.
#pragma once

#include <portals4.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "host/rank/job.hpp"
#include "portals/process.hpp"
#include "portals/rank_maps.hpp"

namespace heddle::portals {

/// A process has the id that its place on its node gives it, or one that it has asked for.
class Directory {
 public:
  /// Ids of a node begin with `first_pid`. The job must outlive the directory.
  Directory(host::Job& job, std::int64_t first_pid) : job_(job), first_pid_(first_pid) {}

  /// Takes in the ranks that the job has got since the last time.
  void grow();
  /// Gives the rank its process, which belongs to the machine.
  Process& make_process(Machine& machine, host::Rank& rank);

  std::uint32_t ranks() const { return job_.size(); }
  std::uint32_t nodes() const { return job_.platform().nodes(); }
  host::Rank& rank(std::uint32_t rank) const { return job_.rank(host::RankId{rank}); }
  /// Node and process id of a rank, also of one that has ended.
  const nic::ProcessId& address(std::uint32_t rank) const { return addresses_[rank]; }
  ptl_process_t physical(std::uint32_t rank) const;
  /// Null if there is no such process.
  Process* process_at(const nic::ProcessId& id) const;
  /// Gives the process the id it asks for: PTL_OK, PTL_PID_IN_USE.
  int claim(Process& process, ptl_pid_t pid);
  /// What processes have set.
  RankMaps& maps() { return maps_; }

 private:
  /// The rank that has this id, or kNone.
  std::uint32_t rank_at(const nic::ProcessId& id) const;

  host::Job& job_;
  const std::int64_t first_pid_;
  std::unordered_map<std::uint64_t, std::uint32_t> chosen_;  ///< Ranks that asked for a process id.
  RankMaps maps_;
  std::vector<nic::ProcessId> addresses_;  ///< By rank.
  std::vector<Process*> processes_;        ///< By rank: null for those that nobody has asked for.
};

}  // namespace heddle::portals
