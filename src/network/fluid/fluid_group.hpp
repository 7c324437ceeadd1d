// Groups of equal messages of the fluid model, and the table that finds them by their ends.
#pragma once

#include <memory>
#include <vector>

#include "core/containers/short_list.hpp"
#include "network/fluid/max_min_solver.hpp"
#include "network/network.hpp"

namespace heddle::network {

struct FluidMessage;

/// Messages with the same ends, route and cap. What the end of a lone message or a change of the
/// clock needs comes first, in one cache line, then what the beginning of a message needs; behind
/// these are lists, of which short ones are in the group itself.
struct alignas(64) FluidGroup {
  /// A message that is through when the service has reached `mark`; numbers order equal marks.
  struct Entry {
    double mark;
    std::uint64_t number;
    FluidMessage* message;
    /// For a heap with the least mark on top.
    bool operator<(const Entry& other) const {
      return mark != other.mark ? mark > other.mark : number > other.number;
    }
  };

  /// One more message uses bandwidth.
  void add(const Entry& entry) {
    if (users++ == 0) {
      first = entry;
    } else {
      add_other(entry);
    }
  }
  /// Takes `first` out.
  void remove_first() {
    if (--users > 0) take_next();
  }

  /// Starts to read what the end of a message needs of the second line and behind.
  void foresee_end() const {
    prefetch(&bytes);
    if (!kept) prefetch(&route);
  }

  /// By how much its clock has to advance, from when the group joined it, for `first`.
  double need() const { return (first.mark - service) / factor; }

  double service = 0;                   ///< Bytes each message had got when it joined its clock.
  double factor = 1;                    ///< Bytes it gets while its clock advances by 1.
  Entry first{};                        ///< The message with the least mark, if `users` is not 0.
  std::uint32_t users = 0;              ///< Messages that use bandwidth.
  std::uint32_t number = 0;             ///< Of this record.
  MaxMinSolver::Variable variable = 0;  ///< If `users` is not 0.
  std::uint32_t messages = 0;           ///< All of the group, those not using bandwidth included.
  std::uint32_t hash = 0;               ///< Of its ends, cap and route.
  bool known = false;                   ///< What follows from the route is known.
  bool kept = false;                    ///< It stays in the table without messages.
  bool spare = false;                   ///< Its record may be taken while it has no messages.
  bool unlimited = false;               ///< Nothing holds its messages back.

  platform::Endpoint source;
  platform::Endpoint destination;
  Bandwidth cap;
  std::uint64_t start = 0;  ///< Messages of another number are of another group.
  Time latency;             ///< Of the route, without factor.
  double weight = 1;
  double bound = 0;
  std::int64_t bytes = 0;  ///< Of messages that are through, not yet counted at the links.

  ShortList<MaxMinSolver::Element, 6> elements;  ///< Of its variable, ...
  std::uint32_t ahead = 0;                       ///< ... so many of which are of its route.
  double last_mark = 0;  ///< Of the message that came last, if `users` is not 0.
  ShortList<LinkId, 8> route;
  double start_bound = 0;      ///< What bounds its messages from their start, in bytes per ps.
  ShortList<Entry, 3> others;  ///< A heap of the users but `first`.

 private:
  void add_other(Entry entry);
  void take_next();
};

/// Which groups stay when they have no messages left.
enum class KeptGroups : std::uint8_t {
  none,
  first,  ///< The first there are.
  /// Those that are found again before others need their records: most programs send along the same
  /// ways again and again, but of a million pairs that meet once each there would be nothing but a
  /// large table.
  repeated
};

/// Finds a group by ends and cap, and by route unless that follows from the ends; hands out and
/// takes back the records. The table has the hashes, so that a search reads no record but the one
/// it finds.
class FluidGroups {
 public:
  FluidGroups(bool fixed_routes, KeptGroups keeping)
      : fixed_routes_(fixed_routes), keeping_(keeping) {}

  /// The group of that description. If it is not known, its members other than the ends and the cap
  /// have no meaning yet.
  FluidGroup& find(const Transfer& transfer, const std::vector<LinkId>& route, std::uint64_t start);
  /// The group, which is not kept, has no messages any more: it is forgotten, or may be found again
  /// for as long as nobody needs its record.
  void erase(FluidGroup& group);
  FluidGroup& operator[](std::size_t number) { return chunks_[number / kChunk][number % kChunk]; }
  const FluidGroup& operator[](std::size_t number) const {
    return chunks_[number / kChunk][number % kChunk];
  }
  /// One past the largest number of a group; those without messages are included.
  std::size_t size() const { return records_; }

 private:
  static constexpr std::size_t kMostKept = 1 << 14;
  static constexpr std::size_t kFew = 1 << 12;  ///< Records besides those kept.
  static constexpr std::size_t kChunk = 64;     ///< Records that lie side by side.
  struct Cell {
    std::uint32_t hash = 0;
    std::uint32_t group = 0;  ///< 1 + its number; 0: none.
  };

  std::uint32_t hash_of(const Transfer& transfer, const std::vector<LinkId>& route) const;
  bool is_described(const FluidGroup& group, const Transfer& transfer,
                    const std::vector<LinkId>& route) const;
  FluidGroup& make(const Transfer& transfer, std::uint32_t hash, std::uint64_t start);
  bool keep_more();
  void note_return(FluidGroup& group);
  FluidGroup& take();
  void remove(const FluidGroup& group);
  FluidGroup& new_record();
  void insert(const FluidGroup& group);
  void grow();
  std::size_t home(std::uint32_t hash) const { return hash & (cells_.size() - 1); }
  std::size_t next(std::size_t cell) const { return (cell + 1) & (cells_.size() - 1); }

  bool fixed_routes_;
  KeptGroups keeping_;
  std::size_t kept_ = 0;
  std::size_t records_ = 0;
  std::vector<std::unique_ptr<FluidGroup[]>> chunks_;
  std::vector<FluidGroup*> free_;  ///< Some of which have messages again, perhaps.
  std::vector<Cell> cells_ = std::vector<Cell>(128);  ///< Open addressing; at least half are free.
};

}  // namespace heddle::network
