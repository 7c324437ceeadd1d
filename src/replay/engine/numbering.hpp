// The order of events that were replayed in parts, as one queue would have served them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::replay {

/// Sequences order simultaneous events: what was caused first has the lower one. Within a window of
/// time each part of a replay gives those of its own kind, which name the event that caused
/// something by its place in the part's log; they come after all that were given before. When the
/// window is over they become the numbers that one queue would have given.
///
/// Where messages cross links, what happens there comes before what ranks do in the same instant:
/// the sequences of ranks are marked as those behind.
struct Sequences {
  static constexpr std::uint64_t kProvisional = std::uint64_t{1} << 59;
  static constexpr std::uint64_t kBehind = std::uint64_t{1} << 60;
  static constexpr unsigned kOffsetBits = 28;  ///< Of what one event causes.

  static bool provisional(std::uint64_t sequence) { return sequence & kProvisional; }
  static std::uint64_t first_of(std::size_t event) {
    return kProvisional | static_cast<std::uint64_t>(event) << kOffsetBits;
  }
  /// The event that caused it.
  static std::size_t event_of(std::uint64_t sequence) {
    return static_cast<std::size_t>((sequence & ~(kProvisional | kBehind)) >> kOffsetBits);
  }
  static std::uint64_t offset_of(std::uint64_t sequence) {
    return sequence & ((std::uint64_t{1} << kOffsetBits) - 1);
  }
  /// The order of two of one instant is that of their numbers, not that of their causes.
  static bool comparable(std::uint64_t a, std::uint64_t b) {
    return !provisional(a) || !provisional(b) || ((a ^ b) & kBehind) != 0;
  }
  static std::uint64_t resolve(std::uint64_t sequence, std::span<const std::uint64_t> numbers) {
    return provisional(sequence) ? numbers[event_of(sequence)] + offset_of(sequence) : sequence;
  }
};

/// An event that caused others. A log ends with one that happens never.
struct Executed {
  std::int64_t time;
  std::uint64_t sequence;
  std::uint64_t caused_before;  ///< By the events before it in its log.
};

/// Joins the logs of all parts for one window.
class Numbering {
 public:
  using Place = std::vector<std::size_t>;  ///< By part: an index of its log.

  explicit Numbering(std::vector<std::span<const Executed>> logs) : logs_(std::move(logs)) {}

  /// Where share `share` of `shares` begins: shares follow each other, and are about as large.
  Place cut(std::size_t share, std::size_t shares) const;
  /// What all events before `place` have caused.
  std::uint64_t caused_before(const Place& place) const;
  /// Numbers what the events from `from` to `to` have caused from `first` on: writes the number of
  /// the first thing that an event caused to its place in `numbers`, by part.
  void number(const Place& from, const Place& to, std::uint64_t first,
              std::span<std::vector<std::uint64_t>> numbers) const;

 private:
  struct Ref {
    std::size_t part;
    std::size_t event;
  };
  const Executed& at(Ref ref) const { return logs_[ref.part][ref.event]; }
  /// Whether an event of one part comes before one of another. Those from `from` on that caused
  /// one of the two are numbered already, if `numbers` is not empty.
  bool before(Ref a, Ref b, const Place& from,
              std::span<std::vector<std::uint64_t>> numbers) const {
    const Executed& x = at(a);
    const Executed& y = at(b);
    if (x.time != y.time) return x.time < y.time;
    if (Sequences::comparable(x.sequence, y.sequence)) return x.sequence < y.sequence;
    return before_by_cause(a, b, from, numbers);
  }
  /// The same of two events that were caused in this window.
  bool before_by_cause(Ref a, Ref b, const Place& from,
                       std::span<std::vector<std::uint64_t>> numbers) const;

  std::vector<std::span<const Executed>> logs_;
};

}  // namespace heddle::replay
