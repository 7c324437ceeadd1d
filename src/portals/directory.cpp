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

void Directory::grow() {
  addresses_.reserve(ranks());
  while (addresses_.size() < ranks()) {
    const host::Rank& rank = this->rank(static_cast<std::uint32_t>(addresses_.size()));
    addresses_.push_back({rank.node(), static_cast<ptl_pid_t>(first_pid_ + rank.local())});
  }
  processes_.resize(ranks());
}

Process& Directory::make_process(Machine& machine, host::Rank& rank) {
  const auto number = static_cast<std::size_t>(rank.id());
  auto process = std::make_unique<Process>(machine, rank, addresses_[number].pid);
  Process& made = *process;
  processes_[number] = &made;
  rank.extensions().at(Process::slot) = std::move(process);
  return made;
}

ptl_process_t Directory::physical(std::uint32_t rank) const {
  const nic::ProcessId& address = addresses_[rank];
  ptl_process_t id;
  id.phys = {static_cast<ptl_nid_t>(address.node), address.pid};
  return id;
}

std::uint32_t Directory::rank_at(const nic::ProcessId& id) const {
  std::uint32_t rank = kNone;
  if (const auto it = chosen_.find(key(id.node, id.pid)); it != chosen_.end()) {
    rank = it->second;
  } else {
    const std::span<const host::RankId> ranks = job_.ranks_on(id.node);
    const std::int64_t local = std::int64_t{id.pid} - first_pid_;
    if (local < 0 || static_cast<std::size_t>(local) >= ranks.size()) return kNone;
    rank = static_cast<std::uint32_t>(ranks[static_cast<std::size_t>(local)]);
  }
  return addresses_[rank] == id ? rank : kNone;
}

Process* Directory::process_at(const nic::ProcessId& id) const {
  const std::uint32_t rank = rank_at(id);
  if (rank == kNone) return nullptr;
  Process* const made = processes_[rank];
  return made != nullptr ? made : Process::of(this->rank(rank));
}

int Directory::claim(Process& process, ptl_pid_t pid) {
  const nic::ProcessId wanted{process.id().node, pid};
  if (pid == PTL_PID_ANY || wanted == process.id()) return PTL_OK;
  if (process.has_interface() || rank_at(wanted) != kNone) return PTL_PID_IN_USE;
  chosen_.erase(key(wanted.node, process.id().pid));
  chosen_[key(wanted.node, pid)] = static_cast<std::uint32_t>(process.rank().id());
  process.take_pid(pid);
  addresses_[static_cast<std::size_t>(process.rank().id())] = process.id();
  return PTL_OK;
}

}  // namespace heddle::portals
