#include "replay/engine/programs.hpp"

#include <algorithm>

namespace heddle::replay {

Programs::Programs(const goal::Schedule& schedule, std::uint32_t first, std::uint32_t last)
    : schedule_(schedule) {
  const goal::PackedOp* end = nullptr;
  const std::uint8_t* predecessors = nullptr;  // Of the first operation.
  for (std::uint32_t r = first; r < last; ++r) {
    const goal::RankView rank = schedule_.rank(r);
    if (rank.size() == 0) continue;
    ops_ += rank.size();
    if (first_op_ == nullptr || rank.data() < first_op_) {
      first_op_ = rank.data();
      predecessors = rank.predecessors();
    }
    end = std::max(end, rank.data() + rank.size());
  }
  numbers_ = static_cast<std::size_t>(end - first_op_);
  count_predecessors(first, last, predecessors);
}

void Programs::count_predecessors(std::uint32_t first, std::uint32_t last,
                                  const std::uint8_t* predecessors) {
  waiting_for_.reset({predecessors, numbers_});
  if (!waiting_for_.any_waits_for_many()) return;
  for (std::uint32_t r = first; r < last; ++r) {
    const goal::RankView rank = schedule_.rank(r);
    const std::vector<std::uint32_t> degrees = rank.in_degrees();
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (degrees[i] > WaitingCounts::kMany) {
        waiting_for_.add(first_of(r) + i, degrees[i] - WaitingCounts::kMany);
      }
    }
  }
}

std::uint64_t Programs::first_of(std::uint32_t rank) const {
  const goal::RankView view = schedule_.rank(rank);
  return view.size() == 0 ? 0 : static_cast<std::uint64_t>(view.data() - first_op_);
}

void Programs::find_roots(std::uint32_t rank, const RankState& state,
                          std::vector<std::uint32_t>& roots) const {
  roots.clear();
  const std::size_t begin = number_of(state, 0);
  const std::size_t end = begin + schedule_.rank(rank).size();
  for (std::size_t i = waiting_for_.find_free(begin, end); i != end;
       i = waiting_for_.find_free(i + 1, end)) {
    roots.push_back(static_cast<std::uint32_t>(i - begin));
  }
}

void Programs::add_waiting(std::uint32_t rank, const RankState& state,
                           std::vector<goal::OpRef>& waiting) const {
  if (ended_ == ops_) return;
  for (std::uint32_t i = 0; i < schedule_.rank(rank).size(); ++i) {
    if (waiting_for_.waits(number_of(state, i))) waiting.push_back({rank, i});
  }
}

}  // namespace heddle::replay
