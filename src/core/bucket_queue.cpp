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

/// Time and sequence as one number, as processors compare such in two steps without a branch.
__extension__ using Key = __int128;
Key key_of(const BucketQueue::Entry& entry) {
  return static_cast<Key>(entry.time) << 64 | entry.sequence;
}

constexpr std::size_t kChildren = 4;  ///< Of a node of a heap.
constexpr std::size_t kFewest = 8;

/// Each entry is put behind those that come before it: what a comparison says does not decide what
/// is done next, for the processor would guess that and be wrong half of the time. Nor does their
/// number, which is known here.
template <std::size_t... Is>
void sort_exactly(const BucketQueue::Entry* entries, BucketQueue::Entry* sorted,
                  std::index_sequence<Is...>) {
  constexpr std::size_t n = sizeof...(Is);
  const std::array<Key, n> keys{key_of(entries[Is])...};
  std::array<std::size_t, n> places{Is...};
#pragma GCC unroll 8
  for (std::size_t i = 1; i < n; ++i) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < i; ++j) {
      const std::size_t first = keys[i] < keys[j];
      places[j] += first;
      places[i] -= first;
    }
  }
  ((sorted[places[Is]] = entries[Is]), ...);
}

/// One of sort_exactly() per number of entries, from 1 on.
template <std::size_t... Ns>
constexpr auto sorts_of(std::index_sequence<Ns...>) {
  return std::array{+[](const BucketQueue::Entry* entries, BucketQueue::Entry* sorted) {
    sort_exactly(entries, sorted, std::make_index_sequence<Ns + 1>{});
  }...};
}

/// At least one, at most kFewest.
void sort_few(std::span<const BucketQueue::Entry> entries, BucketQueue::Entry* sorted) {
  static constexpr auto kSorts = sorts_of(std::make_index_sequence<kFewest>{});
  kSorts[entries.size() - 1](entries.data(), sorted);
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
  for (std::size_t i = 0; i <= mask; begin = places[i++]) {
    std::sort(entries.begin() + begin, entries.begin() + places[i], earlier);
  }
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
  if (head_ == count_) open_next_slice(INT64_MAX);
  return &sorted_[head_];
}

/// What does not fall into the ring.
[[gnu::noinline]] void BucketQueue::push_elsewhere(std::int64_t time, std::uint64_t sequence,
                                                   std::uint64_t what) {
  if (time >> shift_ <= current_) return push_heap(near_, {time, sequence, what});
  ++pushed_far_;
  push_heap(fresh_far_, {time, sequence, what});
}

/// Where the last chunk of a slice has no room, or there is none.
[[gnu::noinline]] void BucketQueue::push_to_chunk(std::int64_t slice, std::uint32_t last,
                                                  std::int64_t time, std::uint64_t sequence,
                                                  std::uint64_t what) {
  const std::uint32_t number = free_chunk_ == kNoChunk ? make_chunk() : free_chunk_;
  Chunk& chunk = chunks_[number];
  free_chunk_ = chunk.next;
  chunk.size = 1;
  chunk.room = kChunk;
  chunk.entries[0] = {time, sequence, what};
  const auto slot = static_cast<std::uint64_t>(slice) % kSlices;
  ring_[slot] = number;
  occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
  chunk.next = last == kNoChunk ? number : std::exchange(chunks_[last].next, number);
  if ((slice + 1) << shift_ > window_end_) fresh_chunks_.push_back(number);
}

/// A free one.
[[gnu::noinline]] std::uint32_t BucketQueue::make_chunk() {
  chunks_.emplace_back();
  return static_cast<std::uint32_t>(chunks_.size() - 1);
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
  if (limit == INT64_MIN) return false;  // Nothing is before all times.
  if (opened_ >= patience_ && size() > 0) adapt();
  const std::int64_t in_ring = next_occupied();
  const std::int64_t far = far_slice();
  const std::int64_t next = std::min(in_ring, far);
  if (next > (limit - 1) >> shift_) return false;
  ++opened_;
  current_ = next;
  size_ -= head_;
  served_ += head_;
  head_ = 0;
  const auto slot = static_cast<std::uint64_t>(next) % kSlices;
  if (in_ring >= far || !open_small(slot)) open_large(slot, in_ring == next);
  return true;
}

/// The slice of what is next beyond the ring.
inline std::int64_t BucketQueue::far_slice() const {
  std::int64_t far = INT64_MAX;
  if (!far_.empty()) far = far_.front().time;
  if (!fresh_far_.empty()) far = std::min(far, fresh_far_.front().time);
  return far == INT64_MAX ? far : far >> shift_;
}

/// The entries of a slice are those of the ring, if it has some there, and some beyond it.
void BucketQueue::open_large(std::size_t slot, bool in_ring) {
  sorted_.clear();
  if (in_ring) take_slot(slot, sorted_);
  bring_near(far_);
  bring_near(fresh_far_);
  sort_slice();
  count_ = sorted_.size();
}

/// The same for a slice with a few entries in the ring, and none beyond it; false: it has more.
inline bool BucketQueue::open_small(std::size_t slot) {
  const std::uint32_t number = ring_[slot];
  Chunk& chunk = chunks_[number];
  if (chunk.next != number || chunk.size > kFewest) return false;
  count_ = chunk.size;
  if (sorted_.size() < kFewest) sorted_.resize(kFewest);
  sort_few({chunk.entries.data(), chunk.size}, sorted_.data());
  chunk.next = std::exchange(free_chunk_, number);
  ring_[slot] = kNoChunk;
  occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  return true;
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
