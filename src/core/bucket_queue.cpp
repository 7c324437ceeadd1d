#include "core/bucket_queue.hpp"

#include <bit>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kChildren = 4;  ///< Of a node of a heap.
constexpr std::size_t kFewest = 8;

/// At most kFewest. Each is put behind those that come before it: what a comparison says does not
/// decide what is done next, for the processor would guess that and be wrong half of the time.
void sort_few(std::vector<BucketQueue::Entry>& entries) {
  std::array<std::size_t, kFewest> places{};
  std::array<BucketQueue::Entry, kFewest> copies;
  const std::size_t n = entries.size();
  for (std::size_t i = 0; i < n; ++i) {
    const BucketQueue::Entry mine = copies[i] = entries[i];
    for (std::size_t j = 0; j < i; ++j) {
      const BucketQueue::Entry& other = copies[j];
      const std::size_t first = static_cast<std::size_t>(mine.time < other.time) |
                                (static_cast<std::size_t>(mine.time == other.time) &
                                 static_cast<std::size_t>(mine.sequence < other.sequence));
      places[j] += first;
      places[i] += 1 - first;
    }
  }
  for (std::size_t i = 0; i < n; ++i) entries[places[i]] = copies[i];
}

/// Throws each entry of a slice, which is 2^shift long, near its place, for times are mostly spread
/// evenly: no comparison is needed for that, half of which the processor would guess wrongly.
void spread(std::vector<BucketQueue::Entry>& entries, unsigned shift,
            std::vector<BucketQueue::Entry>& scratch) {
  constexpr unsigned kMostBits = 10;
  const unsigned bits =
      std::min({static_cast<unsigned>(std::bit_width(entries.size())), shift, kMostBits});
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const auto part = [drop = shift - bits, mask](const BucketQueue::Entry& entry) {
    return static_cast<std::uint64_t>(entry.time) >> drop & mask;
  };
  std::array<std::uint32_t, (1U << kMostBits) + 1> places;
  std::fill_n(places.begin(), mask + 2, 0U);
  for (const BucketQueue::Entry& entry : entries) ++places[part(entry) + 1];
  for (std::size_t i = 1; i <= mask; ++i) places[i] += places[i - 1];
  scratch.resize(entries.size());
  for (const BucketQueue::Entry& entry : entries) scratch[places[part(entry)]++] = entry;
  entries.swap(scratch);
}

/// For entries that are nearly in order: false, and some are not, if that takes more than a few
/// moves for each.
bool insert_in_order(std::vector<BucketQueue::Entry>& entries) {
  constexpr std::size_t kFewMoves = 4;
  std::size_t moves = kFewMoves * entries.size();
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (!entries[i].before(entries[i - 1])) continue;
    const BucketQueue::Entry mine = entries[i];
    std::size_t place = i;
    do {
      entries[place] = entries[place - 1];
      --place;
    } while (place > 0 && mine.before(entries[place - 1]));
    entries[place] = mine;
    if (i - place > moves) return false;
    moves -= i - place;
  }
  return true;
}

}  // namespace

BucketQueue::BucketQueue(std::int64_t slice) {
  constexpr std::size_t kFew = 256;  // So that a small run has all the room it ever needs.
  ring_.fill(kNoChunk);
  chunks_.reserve(kFew);
  for (std::vector<Entry>* part : {&sorted_, &near_, &far_, &scratch_}) part->reserve(kFew);
  while (std::int64_t{2} << shift_ <= slice) ++shift_;
}

// Heaps whose nodes have four children each: half as deep as with two, and those of one node lie in
// two lines of the cache.

void BucketQueue::push_heap(std::vector<Entry>& heap, const Entry& entry) {
  std::size_t place = heap.size();
  heap.push_back(entry);
  while (place > 0) {
    const std::size_t parent = (place - 1) / kChildren;
    if (!entry.before(heap[parent])) break;
    heap[place] = heap[parent];
    place = parent;
  }
  heap[place] = entry;
}

BucketQueue::Entry BucketQueue::pop_heap(std::vector<Entry>& heap) {
  const Entry popped = heap.front();
  const Entry last = heap.back();
  heap.pop_back();
  const std::size_t size = heap.size();
  if (size == 0) return popped;
  std::size_t place = 0;
  while (true) {
    const std::size_t child = place * kChildren + 1;
    if (child >= size) break;
    std::size_t first = child;
    const std::size_t end = std::min(child + kChildren, size);
    for (std::size_t i = child + 1; i < end; ++i) first = heap[i].before(heap[first]) ? i : first;
    if (!heap[first].before(last)) break;
    heap[place] = heap[first];
    place = first;
  }
  heap[place] = last;
  return popped;
}

BucketQueue::Chunk& BucketQueue::add_chunk(std::size_t slot) {
  std::uint32_t number = free_chunk_;
  if (number == kNoChunk) {
    number = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  } else {
    free_chunk_ = chunks_[number].next;
  }
  Chunk& chunk = chunks_[number];
  chunk.size = 0;
  const std::uint32_t last = ring_[slot];
  chunk.next = last == kNoChunk ? number : std::exchange(chunks_[last].next, number);
  ring_[slot] = number;
  return chunk;
}

/// Adds the entries of a slice to `out`, as they were pushed: the last chunk leads to the first.
void BucketQueue::take_slot(std::size_t slot, std::vector<Entry>& out) {
  const std::uint32_t last = std::exchange(ring_[slot], kNoChunk);
  if (last == kNoChunk) return;
  for (std::uint32_t number = chunks_[last].next;; number = chunks_[number].next) {
    const Chunk& chunk = chunks_[number];
    out.insert(out.end(), chunk.entries.begin(), chunk.entries.begin() + chunk.size);
    if (number == last) break;
  }
  std::swap(chunks_[last].next, free_chunk_);
  occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
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

/// With nothing left of the current slice, and something in the others.
void BucketQueue::open_next_slice() {
  if (++opened_ == patience_) adapt();
  const std::int64_t in_ring = next_occupied();
  const std::int64_t in_far = far_.empty() ? INT64_MAX : far_.front().time >> shift_;
  const std::int64_t next = std::min(in_ring, in_far);
  current_ = next;
  sorted_.clear();
  head_ = 0;
  if (in_ring == next) take_slot(static_cast<std::size_t>(next % kSlices), sorted_);
  bring_near();
  sort_slice();
  count_ = sorted_.size();
}

void BucketQueue::sort_slice() {
  constexpr std::size_t kMany = 48;
  const auto ordered = [](const Entry& a, const Entry& b) { return a.before(b); };
  if (sorted_.size() <= kFewest) return sort_few(sorted_);
  if (!std::is_sorted(sorted_.begin(), sorted_.end(), ordered)) {
    spread(sorted_, shift_, scratch_);
    if (!insert_in_order(sorted_)) std::sort(sorted_.begin(), sorted_.end(), ordered);
  }
  crowded_ += sorted_.size() > kMany &&
              sorted_[sorted_.size() / 4].time != sorted_[sorted_.size() * 3 / 4].time;
}

void BucketQueue::bring_near() {
  while (!far_.empty() && far_.front().time >> shift_ <= current_)
    sorted_.push_back(pop_heap(far_));
}

/// Empties the queue; `out` is what it held, in no order.
void BucketQueue::take_all(std::vector<Entry>& out) {
  out.assign(sorted_.begin() + static_cast<std::ptrdiff_t>(head_), sorted_.end());
  for (std::vector<Entry>* part : {&near_, &far_}) {
    out.insert(out.end(), part->begin(), part->end());
    part->clear();
  }
  for (std::size_t slot = 0; slot < ring_.size(); ++slot) take_slot(slot, out);
  sorted_.clear();
  head_ = count_ = 0;
  size_ = 0;
}

/// Makes slices shorter if many are crowded, and longer if much falls beyond the ring. The next
/// look is later each time, so that all of them together cost little.
void BucketQueue::adapt() {
  constexpr unsigned kStep = 2;  // Of the logarithm.
  const bool shorter = crowded_ * 4 > opened_ && shift_ >= kStep && pushed_far_ * 16 < pushed_;
  const bool longer =
      !shorter && pushed_far_ * 4 > pushed_ && crowded_ * 4 < opened_ && shift_ < 40;
  opened_ = crowded_ = pushed_ = pushed_far_ = 0;
  if (!shorter && !longer) return;
  patience_ *= 2;
  take_all(scratch_);
  shift_ = shorter ? shift_ - kStep : shift_ + kStep;
  std::int64_t soonest = INT64_MAX;
  for (const Entry& entry : scratch_) soonest = std::min(soonest, entry.time);
  current_ = (soonest >> shift_) - 1;
  for (const Entry& entry : scratch_) push(entry);
}

}  // namespace heddle
