#include "replay/engine/parts.hpp"

#include "network/parts/row.hpp"

namespace heddle::replay {
namespace {

/// The ends of messages of more than `rendezvous` bytes stay together.
void join_ends(const goal::Schedule& schedule, Bytes rendezvous, network::Row& ranks) {
  const auto largest_eager = static_cast<std::uint64_t>(rendezvous.count());
  if (schedule.largest_message() <= largest_eager) return;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const goal::PackedOp& op = rank.packed(i);
      if (op.kind() != goal::OpKind::send || rank.value(i) <= largest_eager) continue;
      ranks.join(std::min(r, op.peer), std::max(r, op.peer));
    }
  }
}

}  // namespace

UnitPairs UnitPairs::of(const goal::Schedule& schedule, unsigned cpus, unsigned nics) {
  UnitPairs pairs{cpus, nics, std::vector<std::uint64_t>(std::size_t{cpus} * nics, 0)};
  pairs.used[0] = 1;
  if (cpus == 1 && nics == 1) return pairs;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      pairs.used[std::size_t{rank.packed(i).cpu} * nics + rank.packed(i).nic] = 1;
    }
  }
  return pairs;
}

std::vector<Units> UnitPairs::list() const {
  std::vector<Units> units;
  for (std::size_t pair = 0; pair < used.size(); ++pair) {
    if (used[pair] == 0) continue;
    units.push_back({CpuId{static_cast<std::uint8_t>(pair / nics)},
                     NicId{static_cast<std::uint8_t>(pair % nics)}});
  }
  return units;
}

Parts cut_into_parts(const goal::Schedule& schedule, std::size_t parts, Bytes rendezvous,
                     std::span<const JoinedRanks> more) {
  network::Row row(schedule.ranks());
  for (const JoinedRanks& ranks : more) row.join(index(ranks.first), index(ranks.last));
  join_ends(schedule, rendezvous, row);
  std::vector<RankId> begins;
  for (const std::uint32_t begin : row.cut(parts, [&](std::size_t r) {
         return schedule.rank(static_cast<std::uint32_t>(r)).size();
       })) {
    begins.push_back(RankId{begin});
  }
  return Parts(std::move(begins));
}

}  // namespace heddle::replay
