#include "core/bucket_queue.hpp"

#include <bit>
#include <span>
#include <utility>

namespace heddle {
namespace {

/// No function, which sorting would call by its address.
constexpr auto earlier = [](const BucketQueue::Entry& a, const BucketQueue::Entry& b) {
  return a.before(b);
};

unsigned logarithm(std::int64_t length) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(length))) - 1;
}

/// Time and sequence as one number, as processors compare such in two steps without a branch.
__extension__ using Key = __int128;
Key key_of(const BucketQueue::Entry& entry) {
  return static_cast<Key>(entry.time) << 64 | entry.sequence;
}

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

/// Who pushes entries often does it in order: sorts the current slice if it consists of few runs
/// that are sorted. Whether it does.
bool join_runs(std::vector<BucketQueue::Entry>& sorted, std::vector<BucketQueue::Entry>& scratch) {
  constexpr std::size_t kFew = 16;
  std::array<std::ptrdiff_t, kFew + 1> ends{};
  std::size_t runs = 0;
  for (auto run = sorted.begin(); run != sorted.end();) {
    if (runs == kFew) return false;
    run = std::is_sorted_until(run, sorted.end(), earlier);
    ends[++runs] = run - sorted.begin();
  }
  for (std::size_t r = 2; r <= runs; ++r) {
    scratch.resize(static_cast<std::size_t>(ends[r]));
    const auto begin = sorted.begin();
    std::merge(begin, begin + ends[r - 1], begin + ends[r - 1], begin + ends[r], scratch.begin(),
               earlier);
    if (r == runs) {
      sorted.swap(scratch);
    } else {
      std::copy(scratch.begin(), scratch.end(), begin);
    }
  }
  return true;
}

/// The slice is 2^shift long.
void sort_slice(std::vector<BucketQueue::Entry>& entries, unsigned shift,
                std::vector<BucketQueue::Entry>& scratch) {
  constexpr std::size_t kMany = 48;
  if (entries.size() <= kFewest) {
    std::array<BucketQueue::Entry, kFewest> copies;
    std::copy(entries.begin(), entries.end(), copies.begin());
    return sort_few({copies.data(), entries.size()}, entries.data());
  }
  const bool in_order = entries.size() > kMany
                            ? join_runs(entries, scratch)
                            : std::is_sorted(entries.begin(), entries.end(), earlier);
  if (!in_order) sort_by_parts(entries, shift, scratch);
}

/// Sorting takes the same for each of twice as many, and those at the beginning of a slice are not
/// asked for ahead of their turn.
bool is_crowd(const std::vector<BucketQueue::Entry>& sorted) {
  constexpr std::size_t kCrowd = 192;
  const std::size_t quarter = sorted.size() / 4;
  return sorted.size() > kCrowd && sorted[quarter].time != sorted[3 * quarter].time;
}

}  // namespace

BucketQueue::BucketQueue(std::int64_t slice, std::int64_t longest)
    : shift_(logarithm(slice)), most_shift_(logarithm(longest)) {
  constexpr std::size_t kFew = 256;  // So that a small run has all the room it ever needs.
  sorted_.reserve(kFew);
  scratch_.reserve(kFew);
  near_.reserve(kFew);
  fresh_far_.reserve(kFew);
}

/// Where there is one: not the next of the current slice.
const BucketQueue::Entry* BucketQueue::find_first() {
  if (!near_.empty()) return near_is_first() ? &near_.top() : &sorted_[head_];
  if (head_ == count_) open_next_slice(INT64_MAX);
  return &sorted_[head_];
}

/// What does not fall into the ring.
[[gnu::noinline]] void BucketQueue::push_elsewhere(std::int64_t time, std::uint64_t sequence,
                                                   std::uint64_t what) {
  if (time >> shift_ <= current_) return near_.push({time, sequence, what});
  ++pushed_far_;
  fresh_far_.push({time, sequence, what});
}

/// Where the last chunk of a slice has no room, or there is none.
[[gnu::noinline]] void BucketQueue::push_to_chunk(std::int64_t slice, std::int64_t time,
                                                  std::uint64_t sequence, std::uint64_t what) {
  const std::uint32_t number = ring_.push_to_new(SliceRing::slot(slice), {time, sequence, what});
  if ((slice + 1) << shift_ > window_end_) fresh_chunks_.push_back(number);
}

inline std::int64_t BucketQueue::next_occupied() const {
  const std::int64_t step = ring_.next_occupied(current_);
  return step < SliceRing::kSlices ? current_ + step : INT64_MAX;
}

/// With nothing left of the current slice: the next with something in it, if it begins before
/// `limit`.
bool BucketQueue::open_next_slice(std::int64_t limit) {
  if (limit == INT64_MIN) return false;  // Nothing is before all times.
  if (opened_ >= patience_ && size() > 0) adapt();
  const std::int64_t in_ring = next_occupied();
  std::int64_t far = INT64_MAX;
  if (!far_.empty()) far = far_.top().time >> shift_;
  if (!fresh_far_.empty()) far = std::min(far, fresh_far_.top().time >> shift_);
  const std::int64_t next = std::min(in_ring, far);
  if (next > (limit - 1) >> shift_) return false;
  ++opened_;
  current_ = next;
  size_ -= head_;
  served_ += head_;
  head_ = 0;
  const auto slot = SliceRing::slot(next);
  if (in_ring >= far || !open_small(slot)) open_large(slot, in_ring == next);
  return true;
}

/// The entries of a slice are those of the ring, if it has some there, and some beyond it.
void BucketQueue::open_large(std::size_t slot, bool in_ring) {
  sorted_.clear();
  if (in_ring) ring_.take(slot, sorted_);
  bring_near(far_);
  bring_near(fresh_far_);
  sort_slice(sorted_, shift_, scratch_);
  crowded_ += is_crowd(sorted_);
  count_ = sorted_.size();
}

/// The same for a slice with a few entries in the ring, and none beyond it; false: it has more.
inline bool BucketQueue::open_small(std::size_t slot) {
  const std::span<const Entry> entries = ring_.lone_chunk(slot);
  if (entries.empty() || entries.size() > kFewest) return false;
  count_ = entries.size();
  if (sorted_.size() < kFewest) sorted_.resize(kFewest);
  sort_few(entries, sorted_.data());
  ring_.give_back(slot);
  return true;
}

void BucketQueue::bring_near(EntryHeap& far) {
  while (!far.empty() && far.top().time >> shift_ <= current_) sorted_.push_back(far.pop());
}

std::int64_t BucketQueue::soonest() const {
  std::int64_t time = head_ < count_ ? sorted_[head_].time : INT64_MAX;
  for (const EntryHeap* heap : {&near_, &far_, &fresh_far_}) {
    if (!heap->empty()) time = std::min(time, heap->top().time);
  }
  const std::int64_t slice = next_occupied();
  if (slice == INT64_MAX || slice > time >> shift_) return time;
  return std::min(time, ring_.soonest(SliceRing::slot(slice)));
}

/// Empties the queue; `out` is what it held, in no order.
void BucketQueue::take_all(std::vector<Entry>& out) {
  out.assign(sorted_.begin() + static_cast<std::ptrdiff_t>(head_),
             sorted_.begin() + static_cast<std::ptrdiff_t>(count_));
  for (EntryHeap* heap : {&near_, &far_, &fresh_far_}) {
    out.insert(out.end(), heap->entries().begin(), heap->entries().end());
    heap->clear();
  }
  for (std::size_t slot = 0; slot < SliceRing::kSlices; ++slot) ring_.take(slot, out);
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
