#include "core/bucket_queue.hpp"

#include <bit>
#include <span>
#include <utility>

namespace heddle {
namespace {

bool earlier(const BucketQueue::Entry& a, const BucketQueue::Entry& b) {
  return a.before(b);
}

unsigned logarithm(std::int64_t length) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(length))) - 1;
}

constexpr std::size_t kChildren = 4;  ///< Of a node of a heap.
constexpr std::size_t kFewest = 8;

/// At most kFewest. Each is put behind those that come before it: what a comparison says does not
/// decide what is done next, for the processor would guess that and be wrong half of the time.
void sort_few(std::span<const BucketQueue::Entry> entries, BucketQueue::Entry* sorted) {
  std::array<std::size_t, kFewest> places{};
  const std::size_t n = entries.size();
  for (std::size_t i = 1; i < n; ++i) {
    const BucketQueue::Entry& mine = entries[i];
    std::size_t place = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const BucketQueue::Entry& other = entries[j];
      const std::size_t first = static_cast<std::size_t>(mine.time < other.time) |
                                (static_cast<std::size_t>(mine.time == other.time) &
                                 static_cast<std::size_t>(mine.sequence < other.sequence));
      places[j] += first;
      place += 1 - first;
    }
    places[i] = place;
  }
  for (std::size_t i = 0; i < n; ++i) sorted[places[i]] = entries[i];
}

/// For entries that are nearly in order: false, and some are not, if that takes more than a move
/// for each.
bool insert_in_order(std::vector<BucketQueue::Entry>& entries) {
  std::size_t moves = entries.size();
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

/// Sorts the entries of a slice, which is 2^shift long. Each is thrown near its place, for times
/// are mostly spread evenly: no comparison is needed for that, half of which the processor would
/// guess wrongly. Where many fall together, each part is sorted by itself.
void sort_by_parts(std::vector<BucketQueue::Entry>& entries, unsigned shift,
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
  if (insert_in_order(entries)) return;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i <= mask; begin = places[i++])
    std::sort(entries.begin() + begin, entries.begin() + places[i], earlier);
}

}  // namespace

BucketQueue::BucketQueue(std::int64_t slice, std::int64_t longest)
    : shift_(logarithm(slice)), most_shift_(logarithm(longest)) {
  constexpr std::size_t kFew = 256;  // So that a small run has all the room it ever needs.
  ring_.fill(kNoChunk);
  chunks_.reserve(kFew);
  for (std::vector<Entry>* part : {&sorted_, &near_, &fresh_far_, &scratch_}) part->reserve(kFew);
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

/// Where there is one: not the next of the current slice.
const BucketQueue::Entry* BucketQueue::find_first() {
  if (!near_.empty()) return near_is_first() ? &near_.front() : &sorted_[head_];
  while (head_ == count_) open_next_slice(INT64_MAX);
  return &sorted_[head_];
}

/// Where there is no chunk with room for the entry.
[[gnu::noinline]] void BucketQueue::push_elsewhere(std::int64_t time, std::uint64_t sequence,
                                                   std::uint64_t what) {
  const std::int64_t slice = time >> shift_;
  if (slice <= current_) return push_heap(near_, {time, sequence, what});
  if (slice >= current_ + kSlices) {
    ++pushed_far_;
    return push_heap(fresh_far_, {time, sequence, what});
  }
  Chunk& chunk = add_chunk(slice);
  chunk.entries[chunk.size++] = {time, sequence, what};
}

BucketQueue::Chunk& BucketQueue::add_chunk(std::int64_t slice) {
  std::uint32_t number = free_chunk_;
  if (number == kNoChunk) {
    number = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  } else {
    free_chunk_ = chunks_[number].next;
  }
  Chunk& chunk = chunks_[number];
  chunk.size = 0;
  chunk.room = kChunk;
  if ((slice + 1) << shift_ > window_end_) fresh_chunks_.push_back(number);
  const auto slot = static_cast<std::size_t>(slice % kSlices);
  occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
  const std::uint32_t last = ring_[slot];
  chunk.next = last == kNoChunk ? number : std::exchange(chunks_[last].next, number);
  ring_[slot] = number;
  return chunk;
}

/// Adds the entries of a slice to `out`, as they were pushed: the last chunk leads to the first.
void BucketQueue::take_slot(std::size_t slot, std::vector<Entry>& out) {
  const std::uint32_t last = ring_[slot];
  if (last == kNoChunk) return;
  for (std::uint32_t number = chunks_[last].next;; number = chunks_[number].next) {
    const Chunk& chunk = chunks_[number];
    out.insert(out.end(), chunk.entries.begin(), chunk.entries.begin() + chunk.size);
    if (number == last) break;
  }
  give_back(slot);
}

/// Its chunks are free.
void BucketQueue::give_back(std::size_t slot) {
  const std::uint32_t last = std::exchange(ring_[slot], kNoChunk);
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

/// With nothing left of the current slice: the next with something in it, if it begins before
/// `limit`.
bool BucketQueue::open_next_slice(std::int64_t limit) {
  if (opened_ >= patience_ && size() > 0) adapt();
  const std::int64_t in_ring = next_occupied();
  std::int64_t far = INT64_MAX;
  for (const std::vector<Entry>* heap : {&far_, &fresh_far_}) {
    if (!heap->empty()) far = std::min(far, heap->front().time >> shift_);
  }
  const std::int64_t next = std::min(in_ring, far);
  if (next > (limit - 1) >> shift_) return false;
  ++opened_;
  current_ = next;
  size_ -= head_;
  served_ += head_;
  head_ = 0;
  const auto slot = static_cast<std::size_t>(next % kSlices);
  if (in_ring < far && is_small(slot)) {
    sort_slot(slot);
    return true;
  }
  sorted_.clear();
  if (in_ring == next) take_slot(slot, sorted_);
  bring_near(far_);
  bring_near(fresh_far_);
  sort_slice();
  count_ = sorted_.size();
  return true;
}

/// Whether sort_slot() is for it.
bool BucketQueue::is_small(std::size_t slot) const {
  const Chunk& last = chunks_[ring_[slot]];
  return last.next == ring_[slot] && last.size <= kFewest;
}

/// The same as take_slot() and sort_slice() for a slice with a few entries and nothing else.
void BucketQueue::sort_slot(std::size_t slot) {
  Chunk& chunk = chunks_[ring_[slot]];
  count_ = chunk.size;
  if (sorted_.size() < kFewest) sorted_.resize(kFewest);
  sort_few({chunk.entries.data(), chunk.size}, sorted_.data());
  give_back(slot);
}

/// Who pushes entries often does it in order: sorts the current slice if it consists of few runs
/// that are sorted. Whether it does.
bool BucketQueue::join_runs() {
  constexpr std::size_t kFew = 16;
  std::array<std::ptrdiff_t, kFew + 1> ends{};
  std::size_t runs = 0;
  for (auto run = sorted_.begin(); run != sorted_.end();) {
    if (runs == kFew) return false;
    run = std::is_sorted_until(run, sorted_.end(), earlier);
    ends[++runs] = run - sorted_.begin();
  }
  for (std::size_t r = 2; r <= runs; ++r) {
    scratch_.resize(static_cast<std::size_t>(ends[r]));
    const auto begin = sorted_.begin();
    std::merge(begin, begin + ends[r - 1], begin + ends[r - 1], begin + ends[r], scratch_.begin(),
               earlier);
    if (r == runs) {
      sorted_.swap(scratch_);
    } else {
      std::copy(scratch_.begin(), scratch_.end(), begin);
    }
  }
  return true;
}

void BucketQueue::sort_slice() {
  constexpr std::size_t kMany = 48;
  // Sorting takes the same for each of twice as many, and those at the beginning of a slice are
  // not asked for ahead of their turn.
  constexpr std::size_t kCrowd = 192;
  if (sorted_.size() <= kFewest) {
    std::array<Entry, kFewest> copies;
    std::copy(sorted_.begin(), sorted_.end(), copies.begin());
    return sort_few({copies.data(), sorted_.size()}, sorted_.data());
  }
  const bool many = sorted_.size() > kMany;
  if (!(many ? join_runs() : std::is_sorted(sorted_.begin(), sorted_.end(), earlier))) {
    sort_by_parts(sorted_, shift_, scratch_);
  }
  const std::size_t quarter = sorted_.size() / 4;
  crowded_ += sorted_.size() > kCrowd && sorted_[quarter].time != sorted_[3 * quarter].time;
}

void BucketQueue::bring_near(std::vector<Entry>& far) {
  while (!far.empty() && far.front().time >> shift_ <= current_) sorted_.push_back(pop_heap(far));
}

std::int64_t BucketQueue::soonest() const {
  std::int64_t time = head_ < count_ ? sorted_[head_].time : INT64_MAX;
  for (const std::vector<Entry>* heap : {&near_, &far_, &fresh_far_}) {
    if (!heap->empty()) time = std::min(time, heap->front().time);
  }
  const std::int64_t slice = next_occupied();
  if (slice == INT64_MAX || slice > time >> shift_) return time;
  const std::uint32_t last = ring_[static_cast<std::size_t>(slice % kSlices)];
  for (std::uint32_t number = chunks_[last].next;; number = chunks_[number].next) {
    const Chunk& chunk = chunks_[number];
    for (std::uint32_t i = 0; i < chunk.size; ++i) time = std::min(time, chunk.entries[i].time);
    if (number == last) return time;
  }
}

/// Empties the queue; `out` is what it held, in no order.
void BucketQueue::take_all(std::vector<Entry>& out) {
  out.assign(sorted_.begin() + static_cast<std::ptrdiff_t>(head_),
             sorted_.begin() + static_cast<std::ptrdiff_t>(count_));
  for (std::vector<Entry>* part : {&near_, &far_, &fresh_far_}) {
    out.insert(out.end(), part->begin(), part->end());
    part->clear();
  }
  for (std::size_t slot = 0; slot < ring_.size(); ++slot) take_slot(slot, out);
  served_ += size_ - std::exchange(held_, 0);
  sorted_.clear();
  head_ = count_ = 0;
  size_ = 0;
}

/// Makes slices shorter if many are crowded, and longer if much falls beyond the ring. The next
/// look is later each time, so that all of them together cost little.
void BucketQueue::adapt() {
  constexpr unsigned kStep = 2;  // Of the logarithm.
  const std::uint64_t pushed = served_ + size_ - held_;
  const bool shorter = crowded_ * 4 > opened_ && shift_ >= kStep && pushed_far_ * 16 < pushed;
  const bool longer = !shorter && pushed_far_ * 4 > pushed && crowded_ * 4 < opened_ &&
                      shift_ + kStep <= most_shift_;
  opened_ = crowded_ = pushed_far_ = 0;
  served_ = 0;
  held_ = size_;
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
