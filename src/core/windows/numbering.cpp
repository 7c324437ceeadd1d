#include "core/windows/numbering.hpp"

#include <algorithm>

namespace heddle {
namespace {

/// Events that are alike are told of at once.
void append_stretch(std::vector<Numbered>& stretches, const Numbered& more) {
  if (!stretches.empty()) {
    Numbered& last = stretches.back();
    if (last.each == more.each && last.end == more.first && last.of(last.end) == more.number) {
      last.end = more.end;
      return;
    }
  }
  stretches.push_back(more);
}

std::uint64_t number_of(std::span<const Numbered> stretches, std::size_t event) {
  if (stretches.empty() || event >= stretches.back().end) return UINT64_MAX;
  return stretch_with(stretches, event).of(event);
}

}  // namespace

const Numbered& stretch_with(std::span<const Numbered> stretches, std::size_t event) {
  return *(
      std::upper_bound(stretches.begin(), stretches.end(), event,
                       [](std::size_t e, const Numbered& stretch) { return e < stretch.first; }) -
      1);
}

void Numbers::close() {
  constexpr std::size_t kShort = 16;
  std::size_t stretches = 0;
  for (const std::span<const Numbered> list : lists_) stretches += list.size();
  if (stretches == 0 || lists_.back().back().end > stretches * kShort) return;
  for (const std::span<const Numbered> list : lists_) {
    for (const Numbered& stretch : list) {
      for (std::size_t event = stretch.first; event < stretch.end; ++event) {
        by_event_.push_back(stretch.of(event));
      }
    }
  }
}

void Numbers::seek(std::size_t event) {
  auto list = lists_.begin();
  while (list->back().end <= event) ++list;
  last_ = &stretch_with(*list, event);
}

std::size_t Numbering::runs() const {
  std::size_t runs = 0;
  for (const std::span<const EventRun> log : logs_) runs += log.size();
  return runs;
}

Numbering::Event Numbering::at(std::size_t part, std::size_t event) const {
  const EventRun& run = run_with(logs_[part], event);
  return {part, event, run.time, run.sequence_of(event)};
}

bool Numbering::before_by_cause(Event a, Event b, const Place& from,
                                std::span<const std::vector<Numbered>> numbers) const {
  for (;;) {
    // The parts are different, so the causes are.
    a = at(a.part, Sequences::event_of(a.sequence));
    b = at(b.part, Sequences::event_of(b.sequence));
    if (!numbers.empty()) {
      const bool known = a.event >= from[a.part];
      if (known != (b.event >= from[b.part])) return !known;
      // What has no number yet comes after all that have.
      if (known) return number_of(numbers[a.part], a.event) < number_of(numbers[b.part], b.event);
    }
    if (a.time != b.time) return a.time < b.time;
    if (Sequences::comparable(a.sequence, b.sequence)) return a.sequence < b.sequence;
  }
}

Numbering::Place Numbering::cut(std::size_t share, std::size_t shares) const {
  Place place(logs_.size(), 0);
  if (share == 0) return place;
  std::size_t largest = 0;
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    place[p] = events(p);
    if (logs_[p].size() > logs_[largest].size()) largest = p;
  }
  if (share == shares) return place;
  // By runs, which are what takes time.
  const std::span<const EventRun> runs = logs_[largest];
  const Event pivot = at(largest, runs[(runs.size() - 1) * share / shares].first);
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    std::size_t low = 0;
    std::size_t high = events(p);
    while (low < high && p != largest) {
      const std::size_t middle = (low + high) / 2;
      if (before(at(p, middle), pivot, {}, {})) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    place[p] = p == largest ? pivot.event : low;
  }
  return place;
}

std::uint64_t Numbering::caused_before(const Place& place) const {
  std::uint64_t sum = 0;
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    sum += run_with(logs_[p], place[p]).caused_before_event(place[p]);
  }
  return sum;
}

std::uint64_t Numbering::caused() const {
  std::uint64_t sum = 0;
  for (const std::span<const EventRun> log : logs_) sum += log.back().caused_before;
  return sum;
}

std::size_t Numbering::end_before(const Cursor& cursor, const Event& rival, const Place& from,
                                  std::span<const std::vector<Numbered>> numbers) const {
  const std::size_t end = std::min<std::size_t>(cursor.run[1].first, cursor.to);
  if (cursor.run->time != rival.time) return end;
  const auto earlier = [&](std::size_t event) {
    return before(at(cursor, event), rival, from, numbers);
  };
  // Strides, then the gap between the last two.
  std::size_t low = cursor.event + 1;  // All before it come first.
  std::size_t stride = 1;
  while (low < end && earlier(std::min(low + stride, end) - 1)) {
    low = std::min(low + stride, end);
    stride *= 2;
  }
  for (std::size_t high = std::min(low + stride, end); low < high;) {
    const std::size_t middle = (low + high) / 2;
    if (earlier(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void Numbering::number(const Place& from, const Place& to, std::uint64_t first,
                       std::span<std::vector<Numbered>> numbers) const {
  std::vector<Cursor> open;  // Parts of which events are left.
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    if (from[p] < to[p]) open.push_back({p, &run_with(logs_[p], from[p]), from[p], to[p]});
  }
  const auto earlier = [&](const Cursor& a, const Cursor& b) {
    return before(at(a, a.event), at(b, b.event), from, numbers);
  };
  while (!open.empty()) {
    // The first two: of the first part as many events as come before the second's.
    std::swap(*std::min_element(open.begin(), open.end(), earlier), open.back());
    Cursor& mine = open.back();
    const auto rival = std::min_element(open.begin(), open.end() - 1, earlier);
    const std::size_t end = rival + 1 == open.end()
                                ? std::min<std::size_t>(mine.run[1].first, mine.to)
                                : end_before(mine, at(*rival, rival->event), from, numbers);
    append_stretch(numbers[mine.part], {mine.event, end, first, mine.run->caused_each});
    first += (end - mine.event) * mine.run->caused_each;
    mine.event = end;
    if (end == mine.run[1].first) ++mine.run;
    if (end == mine.to) open.pop_back();
  }
}

}  // namespace heddle
