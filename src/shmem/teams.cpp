#include "shmem/teams.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heddle::shmem {

Teams::Teams(host::Job& job) : job_(job) {
  make("SHMEM_TEAM_WORLD", Members(0, 1, static_cast<int>(job.size())));
}

Team& Teams::make(std::string label, Members members) {
  const auto number = static_cast<std::uint32_t>(teams_.size());
  // Algorithms ask later, when the team has its place.
  const auto self = std::make_shared<Team*>(nullptr);
  const auto node_of = [this, self](int member) {
    const auto pe = static_cast<std::uint32_t>((*self)->members.pe(member));
    return std::uint64_t{static_cast<std::uint32_t>(job_.rank(host::RankId{pe}).node())};
  };
  const int size = members.size();
  Team& team = teams_.emplace_back(number, std::move(label), std::move(members),
                                   coll::Places(size, node_of, node_of));
  *self = &team;
  return team;
}

Team& Teams::shared(NodeId node) {
  Team*& team = shared_[node];
  if (team == nullptr) {
    std::vector<int> list;
    for (const host::RankId rank : job_.ranks_on(node)) list.push_back(static_cast<int>(rank));
    std::ranges::sort(list);
    team = &make("SHMEM_TEAM_SHARED", Members(std::move(list)));
  }
  return *team;
}

Team& Teams::split(const Team& parent, std::uint32_t call, int part, const Members& members) {
  Team*& team = splits_[{parent.number(), call, part}];
  if (team == nullptr) team = &make(fmt::format("team {}", teams_.size()), members);
  return *team;
}

Team& Teams::active_set(int start, int log_stride, int size) {
  Team*& team = sets_[{start, log_stride, size}];
  if (team == nullptr) {
    team = &make(fmt::format("the active set ({}, {}, {})", start, log_stride, size),
                 Members(start, 1 << log_stride, size));
  }
  return *team;
}

}  // namespace heddle::shmem
