#include "mpi/coll/parts.hpp"

#include <algorithm>
#include <utility>

namespace heddle::mpi::coll {

Buffer nothing() {
  return {nullptr, 0, &byte_type()};
}

LedGroup::LedGroup(const Steps& steps, const Grouping& grouping, int root) {
  const int group = grouping.group_of(steps.rank());
  const std::span<const int> all = grouping.members(group);
  members_.assign(all.begin(), all.end());
  if (grouping.group_of(root) == group) {
    const auto place = std::find(members_.begin(), members_.end(), root);
    std::rotate(members_.begin(), place, place + 1);
  }
  rank_ = static_cast<int>(std::find(members_.begin(), members_.end(), steps.rank()) -
                           members_.begin());
}

Leaders::Leaders(const Steps& steps, const Grouping& grouping, int root)
    : members_(grouping.leaders().begin(), grouping.leaders().end()),
      rank_(grouping.group_of(steps.rank())),
      root_(grouping.group_of(root)) {
  members_[static_cast<std::size_t>(root_)] = root;
}

void scatter_parts(Steps& steps, const Blocks& parts, int root) {
  const TreePlace place(steps, root);
  const int own = place.relative();
  const int size = steps.size();
  int bit = 1;
  while (bit < size && (own & bit) == 0) bit <<= 1;
  if (own != 0)
    steps.receive_now(parts.range(own, std::min(bit, size - own)), place.absolute(own & ~bit));
  for (bit >>= 1; bit > 0; bit >>= 1) {
    if (own + bit < size) {
      const int count = std::min(bit, size - own - bit);
      steps.send(parts.range(own + bit, count), place.absolute(own + bit));
    }
  }
  steps.wait();
}

void ring_allgather(Steps& steps, const Blocks& parts, int root) {
  const TreePlace place(steps, root);
  const int size = steps.size();
  const int own = place.relative();
  const int left = place.absolute((own + size - 1) % size);
  const int right = place.absolute((own + 1) % size);
  for (int i = 0; i + 1 < size; ++i) {
    const int out = (own - i + size) % size;
    const int in = (own - i - 1 + size) % size;
    steps.exchange(parts[out], right, parts[in], left);
  }
}

void doubling_allgather(Steps& steps, const Blocks& parts, int root) {
  const TreePlace place(steps, root);
  const int own = place.relative();
  for (int bit = 1; bit < steps.size(); bit <<= 1) {
    const int partner = own ^ bit;
    const int first = own & ~(bit - 1);
    const int first_in = partner & ~(bit - 1);
    const int peer = place.absolute(partner);
    steps.exchange(parts.range(first, bit), peer, parts.range(first_in, bit), peer);
  }
}

void reduce_in_order(DataSteps& steps, bool in_front, Buffer& sum, Buffer& other) {
  if (in_front) {
    steps.reduce(other, sum);
  } else {
    steps.reduce(sum, other);
    std::swap(sum, other);
  }
}

}  // namespace heddle::mpi::coll
