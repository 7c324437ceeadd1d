#include "replay/engine/programs.hpp"

#include <algorithm>

namespace heddle::replay {

Programs::Programs(const goal::Schedule& schedule, RankId first, RankId last)
    : schedule_(schedule) {
  const goal::PackedOp* end = nullptr;
  const std::uint8_t* predecessors = nullptr;  // Of the first operation.
  for (RankId r = first; r < last; ++r) {
    const goal::RankView rank = schedule_.rank(raw(r));
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

void Programs::count_predecessors(RankId first, RankId last, const std::uint8_t* predecessors) {
  waiting_for_.reset({predecessors, numbers_});
  if (!waiting_for_.any_waits_for_many()) return;
  for (RankId r = first; r < last; ++r) {
    const goal::RankView rank = schedule_.rank(raw(r));
    const std::vector<std::uint32_t> degrees = rank.in_degrees();
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (degrees[i] > WaitingCounts::kMany) {
        waiting_for_.add(first_of(r) + OpId{i}, degrees[i] - WaitingCounts::kMany);
      }
    }
  }
}

OpNumber Programs::first_of(RankId rank) const {
  const goal::RankView view = schedule_.rank(raw(rank));
  return OpNumber{view.size() == 0 ? 0 : static_cast<std::uint64_t>(view.data() - first_op_)};
}

void Programs::find_roots(RankId rank, const RankState& state, std::vector<OpId>& roots) const {
  roots.clear();
  const OpNumber begin = number_of(state, OpId{0});
  const OpNumber end = number_of(state, OpId{schedule_.rank(raw(rank)).size()});
  for (OpNumber i = waiting_for_.find_free(begin, end); i != end;
       i = waiting_for_.find_free(i + OpId{1}, end)) {
    roots.push_back(OpId{static_cast<std::uint32_t>(raw(i) - raw(begin))});
  }
}

void Programs::add_waiting(RankId rank, const RankState& state,
                           std::vector<goal::OpRef>& waiting) const {
  if (ended_ == ops_) return;
  for (std::uint32_t i = 0; i < schedule_.rank(raw(rank)).size(); ++i) {
    if (waiting_for_.waits(number_of(state, OpId{i}))) waiting.push_back({raw(rank), i});
  }
}

}  // namespace heddle::replay
