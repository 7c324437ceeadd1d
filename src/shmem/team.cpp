#include "shmem/team.hpp"

#include <algorithm>

namespace heddle::shmem {

int Members::number(int pe) const {
  if (!list_.empty()) {
    const auto found = std::ranges::lower_bound(list_, pe);
    return found != list_.end() && *found == pe ? static_cast<int>(found - list_.begin()) : -1;
  }
  const int away = pe - start_;
  if (stride_ == 0) return away == 0 && size_ > 0 ? 0 : -1;
  if (away % stride_ != 0) return -1;
  const int number = away / stride_;
  return number >= 0 && number < size_ ? number : -1;
}

Members Members::part(int start, int stride, int size) const {
  if (list_.empty()) return Members(pe(start), stride * stride_, size);
  std::vector<int> list;
  for (int i = 0; i < size; ++i) list.push_back(pe(start + i * stride));
  if (stride < 0) return size > 1 ? Members(list[0], list[1] - list[0], size) : Members(list);
  return Members(std::move(list));
}

FirstSaid Team::came(std::uint32_t meeting, Time now, const FirstSaid& says) {
  while (meeting >= begin_ + meetings_.size()) meetings_.push_back({now, 0, {}});
  Meeting& one = meetings_[meeting - begin_];
  if (one.came++ == 0) {
    one.first = now;
    one.said = says;
  }
  const FirstSaid said = one.said;
  if (one.came < members.size()) return said;
  const Time apart = now - one.first;
  ++imbalance.meetings;
  imbalance.total += apart;
  imbalance.worst = std::max(imbalance.worst, apart);
  while (!meetings_.empty() && meetings_.front().came == members.size()) {
    meetings_.pop_front();
    ++begin_;
  }
  return said;
}

}  // namespace heddle::shmem
