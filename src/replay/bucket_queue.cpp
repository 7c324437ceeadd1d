#include "replay/bucket_queue.hpp"

#include <algorithm>
#include <bit>

namespace heddle::replay {
namespace {

/// For the standard heaps, which serve the largest first.
bool later(const BucketQueue::Entry& a, const BucketQueue::Entry& b) {
  return b.before(a);
}

}  // namespace

BucketQueue::BucketQueue(std::int64_t slice) {
  while (std::int64_t{2} << shift_ <= slice) ++shift_;
}

void BucketQueue::push_heap(std::vector<Entry>& heap, const Entry& entry) {
  heap.push_back(entry);
  std::push_heap(heap.begin(), heap.end(), later);
}

BucketQueue::Entry BucketQueue::pop_heap(std::vector<Entry>& heap) {
  std::pop_heap(heap.begin(), heap.end(), later);
  const Entry entry = heap.back();
  heap.pop_back();
  return entry;
}

void BucketQueue::begin_slot(std::size_t slot) {
  ring_[slot].clear();
  if (spare_.empty()) return;
  ring_[slot] = std::move(spare_.back());
  spare_.pop_back();
}

std::int64_t BucketQueue::next_occupied() const {
  // Slots are visited in the order of their slices, from the one after the current.
  for (std::int64_t step = 1; step < kSlices;) {
    const auto slot = static_cast<std::size_t>((current_ + step) % kSlices);
    const std::uint64_t word = occupied_[slot / 64] >> slot % 64;
    if (word != 0) {
      const int skip = std::countr_zero(word);
      return current_ + step + skip;
    }
    step += static_cast<std::int64_t>(64 - slot % 64);
  }
  return INT64_MAX;
}

bool BucketQueue::open_next_slice() {
  const std::int64_t in_ring = next_occupied();
  const std::int64_t in_far = far_.empty() ? INT64_MAX : far_.front().time >> shift_;
  const std::int64_t next = std::min(in_ring, in_far);
  if (next == INT64_MAX) return false;
  current_ = next;
  sorted_.clear();
  spare_.push_back(std::move(sorted_));
  sorted_.clear();
  head_ = 0;
  if (in_ring == next) {
    const auto slot = static_cast<std::size_t>(next % kSlices);
    sorted_ = std::move(ring_[slot]);
    occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  }
  bring_near();
  const auto ordered = [](const Entry& a, const Entry& b) { return a.before(b); };
  if (!std::is_sorted(sorted_.begin(), sorted_.end(), ordered))
    std::sort(sorted_.begin(), sorted_.end(), ordered);
  return true;
}

void BucketQueue::bring_near() {
  while (!far_.empty() && far_.front().time >> shift_ <= current_)
    sorted_.push_back(pop_heap(far_));
}

}  // namespace heddle::replay
