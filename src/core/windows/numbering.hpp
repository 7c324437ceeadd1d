// The order of events that were served in parts, as one queue would have served them.
#pragma once

#include "core/windows/event_log.hpp"

namespace heddle {

/// What events of a part's log, from `first` to before `end`, have caused is numbered from `number`
/// on, `each` for one event.
struct Numbered {
  std::uint64_t first;
  std::uint64_t end;
  std::uint64_t number;
  std::uint64_t each;

  bool has(std::size_t event) const { return event >= first && event < end; }
  std::uint64_t of(std::size_t event) const { return number + (event - first) * each; }
};

/// The stretch that an event belongs to.
const Numbered& stretch_with(std::span<const Numbered> stretches, std::size_t event);

/// The numbers of a whole log.
class Numbers {
 public:
  void clear() {
    lists_.clear();
    by_event_.clear();
    last_ = &kNothing;
  }
  /// Lists follow each other.
  void add(std::span<const Numbered> list) {
    if (!list.empty()) lists_.push_back(list);
  }
  /// All lists are there.
  void close();
  /// The number that a sequence stands for.
  std::uint64_t resolve(std::uint64_t sequence) {
    if (!Sequences::provisional(sequence)) return sequence;
    const std::size_t event = Sequences::event_of(sequence);
    const std::uint64_t offset = Sequences::offset_of(sequence);
    if (!by_event_.empty()) return by_event_[event] + offset;
    if (!last_->has(event)) seek(event);
    return last_->of(event) + offset;
  }

 private:
  static constexpr Numbered kNothing{};
  void seek(std::size_t event);

  std::vector<std::span<const Numbered>> lists_;
  std::vector<std::uint64_t> by_event_;  ///< If stretches are short.
  const Numbered* last_ = &kNothing;     ///< Events are mostly asked for one after another.
};

/// Joins the logs of all parts for one window.
class Numbering {
 public:
  using Place = std::vector<std::size_t>;  ///< By part: an event of its log.

  explicit Numbering(std::vector<std::span<const EventRun>> logs) : logs_(std::move(logs)) {}

  /// Of all logs together.
  std::size_t runs() const;
  /// Where share `share` of `shares` begins: shares follow each other, and are about as large.
  Place cut(std::size_t share, std::size_t shares) const;
  /// What all events before `place` have caused.
  std::uint64_t caused_before(const Place& place) const;
  /// What all events have caused.
  std::uint64_t caused() const;
  /// Numbers what the events from `from` to `to` have caused from `first` on; by part.
  void number(const Place& from, const Place& to, std::uint64_t first,
              std::span<std::vector<Numbered>> numbers) const;

 private:
  struct Event {
    std::size_t part;
    std::size_t event;
    Time time;
    std::uint64_t sequence;
  };
  /// Where the joining of logs is in one of them.
  struct Cursor {
    std::size_t part;
    const EventRun* run;
    std::size_t event;
    std::size_t to;
  };

  std::size_t events(std::size_t part) const { return logs_[part].back().first; }
  Event at(std::size_t part, std::size_t event) const;
  static Event at(const Cursor& cursor, std::size_t event) {
    return {cursor.part, event, cursor.run->time, cursor.run->sequence_of(event)};
  }
  /// Whether an event of one part comes before one of another. Of what caused them, from `from` on,
  /// that of one at least is numbered already, if `numbers` is not empty.
  bool before(const Event& a, const Event& b, const Place& from,
              std::span<const std::vector<Numbered>> numbers) const {
    if (a.time != b.time) return a.time < b.time;
    if (Sequences::comparable(a.sequence, b.sequence)) return a.sequence < b.sequence;
    return before_by_cause(a, b, from, numbers);
  }
  /// The same of two events that were caused in this window.
  bool before_by_cause(Event a, Event b, const Place& from,
                       std::span<const std::vector<Numbered>> numbers) const;
  /// Of the run that comes first: how far it goes before `rival`.
  std::size_t end_before(const Cursor& cursor, const Event& rival, const Place& from,
                         std::span<const std::vector<Numbered>> numbers) const;

  std::vector<std::span<const EventRun>> logs_;
};

}  // namespace heddle
