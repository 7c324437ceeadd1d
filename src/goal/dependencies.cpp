#include "goal/dependencies.hpp"

namespace heddle::goal {

Dependencies::Dependencies(const Schedule& schedule, bool keep_times)
    : schedule_(&schedule), waiting_(schedule.ops(), 0) {
  if (keep_times) ready_.assign(schedule.ops(), 0);
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const RankView rank = schedule.rank(r);
    std::uint32_t* waiting = waiting_.data() + schedule.first_op(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      for (const Edge edge : rank.successors(i)) ++waiting[edge.target];
    }
  }
}

void Dependencies::roots(std::uint32_t rank, std::vector<std::uint32_t>& freed) const {
  const std::uint32_t* waiting = waiting_.data() + schedule_->first_op(rank);
  for (std::uint32_t i = 0; i < schedule_->rank(rank).size(); ++i) {
    if (waiting[i] == 0) freed.push_back(i);
  }
}

void Dependencies::sort_by_kind(std::uint32_t rank, std::vector<std::uint32_t>& freed) const {
  if (freed.size() < 2) return;
  const RankView view = schedule_->rank(rank);
  const auto before = [&view](std::uint32_t a, std::uint32_t b) {
    return view.packed(a).kind() < view.packed(b).kind();
  };
  constexpr std::size_t kFew = 24;
  if (freed.size() > kFew) return std::stable_sort(freed.begin(), freed.end(), before);
  // Insertion keeps the order and, unlike the library's sort, needs no memory.
  for (auto it = freed.begin() + 1; it != freed.end(); ++it) {
    std::rotate(std::upper_bound(freed.begin(), it, *it, before), it, it + 1);
  }
}

}  // namespace heddle::goal
