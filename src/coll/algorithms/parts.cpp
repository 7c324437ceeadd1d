#include "coll/algorithms/parts.hpp"

#include <algorithm>
#include <utility>

namespace heddle::coll {

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
  if (own != 0) {
    steps.receive_now(parts.range(own, std::min(bit, size - own)), place.absolute(own & ~bit));
  }
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

void hand_on(Steps& steps, const TreePlace& place, int group, int have, const Buffer& data) {
  const int own = place.relative();
  for (int half = group / 2; half > 0; half /= 2) {
    const int other = own ^ half;
    const int last = (own & ~(2 * half - 1)) + have;
    if (own < last && other >= last) steps.send_now(data, place.absolute(other));
    if (other < last && own >= last) steps.receive_now(data, place.absolute(other));
  }
}

void doubling_allgather(Steps& steps, const Blocks& parts, int root) {
  const TreePlace place(steps, root);
  const int own = place.relative();
  const int size = steps.size();
  for (int bit = 1; bit < size; bit <<= 1) {
    const auto group = [&](int first) { return parts.range(first, std::min(bit, size - first)); };
    const int first = own & ~(bit - 1);
    const int first_in = first ^ bit;
    const int peer = place.absolute(own ^ bit);
    if ((own ^ bit) < size) steps.exchange(group(first), peer, group(first_in), peer);
    // Where the other group is not complete, some of this one had no partner.
    if (first_in < size && first_in + bit > size) {
      hand_on(steps, place, bit, size - first_in, group(first_in));
    }
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

}  // namespace heddle::coll
