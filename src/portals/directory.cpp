#include "portals/directory.hpp"

#include <memory>
#include <span>
#include <utility>

namespace heddle::portals {
namespace {

std::uint64_t key(NodeId node, ptl_pid_t pid) {
  return (std::uint64_t{static_cast<std::uint32_t>(node)} << 32) | pid;
}

}  // namespace

void Directory::add(Machine& machine, host::Rank& rank) {
  const auto pid = static_cast<ptl_pid_t>(first_pid_ + rank.local());
  auto process = std::make_unique<Process>(machine, rank, pid);
  const auto number = static_cast<std::size_t>(rank.id());
  if (number >= addresses_.size()) addresses_.resize(number + 1);
  addresses_[number] = process->id();
  processes_.resize(addresses_.size());
  processes_[number] = process.get();
  rank.extensions().at(Process::slot) = std::move(process);
}

ptl_process_t Directory::physical(std::uint32_t rank) const {
  const nic::ProcessId& address = addresses_[rank];
  ptl_process_t id;
  id.phys = {static_cast<ptl_nid_t>(address.node), address.pid};
  return id;
}

Process* Directory::process_at(const nic::ProcessId& id) const {
  std::uint32_t rank = kNone;
  if (const auto it = chosen_.find(key(id.node, id.pid)); it != chosen_.end()) {
    rank = it->second;
  } else {
    const std::span<const host::RankId> ranks = job_.ranks_on(id.node);
    const std::int64_t local = std::int64_t{id.pid} - first_pid_;
    if (local < 0 || static_cast<std::size_t>(local) >= ranks.size()) return nullptr;
    rank = static_cast<std::uint32_t>(ranks[static_cast<std::size_t>(local)]);
  }
  Process* process = processes_[rank];
  return process && process->id() == id ? process : nullptr;
}

int Directory::claim(Process& process, ptl_pid_t pid) {
  const nic::ProcessId wanted{process.id().node, pid};
  if (pid == PTL_PID_ANY || wanted == process.id()) return PTL_OK;
  if (process.has_interface() || process_at(wanted)) return PTL_PID_IN_USE;
  chosen_.erase(key(wanted.node, process.id().pid));
  chosen_[key(wanted.node, pid)] = static_cast<std::uint32_t>(process.rank().id());
  process.take_pid(pid);
  addresses_[static_cast<std::size_t>(process.rank().id())] = process.id();
  return PTL_OK;
}

}  // namespace heddle::portals
