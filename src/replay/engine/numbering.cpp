#include "replay/engine/numbering.hpp"

#include <algorithm>

namespace heddle::replay {

bool Numbering::before_by_cause(Ref a, Ref b, const Place& from,
                                std::span<std::vector<std::uint64_t>> numbers) const {
  for (;;) {
    // The parts are different, so the causes are.
    a.event = Sequences::event_of(at(a).sequence);
    b.event = Sequences::event_of(at(b).sequence);
    const Executed& x = at(a);
    const Executed& y = at(b);
    if (!numbers.empty()) {
      const bool known = a.event >= from[a.part];
      if (known != (b.event >= from[b.part])) return !known;
      if (known) return numbers[a.part][a.event] < numbers[b.part][b.event];
    }
    if (x.time != y.time) return x.time < y.time;
    if (Sequences::comparable(x.sequence, y.sequence)) return x.sequence < y.sequence;
  }
}

Numbering::Place Numbering::cut(std::size_t share, std::size_t shares) const {
  Place place(logs_.size(), 0);
  if (share == 0) return place;
  std::size_t largest = 0;
  for (std::size_t p = 1; p < logs_.size(); ++p) {
    if (logs_[p].size() > logs_[largest].size()) largest = p;
  }
  const std::size_t events = logs_[largest].size() - 1;
  const Ref pivot{largest, share == shares ? events : events * share / shares};
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    std::size_t low = 0;
    std::size_t high = logs_[p].size() - 1;
    while (low < high && p != largest) {
      const std::size_t middle = (low + high) / 2;
      if (share == shares || before({p, middle}, pivot, {}, {})) {
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
  for (std::size_t p = 0; p < logs_.size(); ++p) sum += at({p, place[p]}).caused_before;
  return sum;
}

void Numbering::number(const Place& from, const Place& to, std::uint64_t first,
                       std::span<std::vector<std::uint64_t>> numbers) const {
  Place next = from;
  std::vector<std::size_t> open;  // Parts of which events are left.
  for (std::size_t p = 0; p < logs_.size(); ++p) {
    if (from[p] < to[p]) open.push_back(p);
  }
  const auto earlier = [&](std::size_t p, std::size_t q) {
    return before({p, next[p]}, {q, next[q]}, from, numbers);
  };
  while (!open.empty()) {
    // The first two: of the first part as many events as come before the second's.
    std::size_t first_part = 0;
    for (std::size_t k = 1; k < open.size(); ++k) {
      if (earlier(open[k], open[first_part])) first_part = k;
    }
    std::swap(open[first_part], open.back());
    const std::size_t p = open.back();
    std::size_t rival = open.size() - 1;
    for (std::size_t k = 0; k + 1 < open.size(); ++k) {
      if (rival + 1 == open.size() || earlier(open[k], open[rival])) rival = k;
    }
    const bool alone = rival + 1 == open.size();
    do {
      const std::size_t event = next[p]++;
      numbers[p][event] = first;
      first += logs_[p][event + 1].caused_before - logs_[p][event].caused_before;
    } while (next[p] < to[p] && (alone || earlier(p, open[rival])));
    if (next[p] == to[p]) open.pop_back();
  }
}

}  // namespace heddle::replay
