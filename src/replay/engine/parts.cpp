#include "replay/engine/parts.hpp"

namespace heddle::replay {
namespace {

/// By rank: whether a part may begin with it.
std::vector<bool> possible_begins(const goal::Schedule& schedule, Bytes rendezvous,
                                  std::span<const JoinedRanks> more) {
  std::vector<std::int64_t> joined(schedule.ranks() + std::size_t{1}, 0);
  const auto join = [&joined](RankId first, RankId last) {
    ++joined[index(first) + 1];
    --joined[index(last) + 1];
  };
  for (const JoinedRanks& ranks : more) join(ranks.first, ranks.last);
  const auto largest_eager = static_cast<std::uint64_t>(rendezvous.count());
  if (schedule.largest_message() > largest_eager) {
    for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
      const goal::RankView rank = schedule.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const goal::PackedOp& op = rank.packed(i);
        if (op.kind() != goal::OpKind::send || rank.value(i) <= largest_eager) continue;
        join(RankId{std::min(r, op.peer)}, RankId{std::max(r, op.peer)});
      }
    }
  }
  std::vector<bool> possible(schedule.ranks());
  std::int64_t over = 0;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    over += joined[r];
    possible[r] = over == 0;
  }
  return possible;
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
  const std::vector<bool> possible = possible_begins(schedule, rendezvous, more);
  std::vector<RankId> begins = {RankId{0}};
  std::uint64_t ops = 0;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const std::uint64_t size = schedule.rank(r).size();
    const bool enough = (2 * ops + size) * parts >= 2 * schedule.ops() * begins.size();
    if (RankId{r} > begins.back() && possible[r] && begins.size() < parts && enough) {
      begins.push_back(RankId{r});
    }
    ops += size;
  }
  begins.push_back(RankId{schedule.ranks()});
  return Parts(std::move(begins));
}

}  // namespace heddle::replay
