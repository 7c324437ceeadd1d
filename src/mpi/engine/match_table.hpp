// Messages or receives by their keys, oldest first.
#pragma once

#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"
#include "mpi/engine/message.hpp"

namespace heddle::mpi {

/// A hash table of lists. Under a key either messages wait or receives do, never both.
class MatchTable {
 public:
  using Kind = Waiting::Kind;

  MatchTable();
  /// The oldest of that kind with this key, or null.
  Waiting* first(const MatchKey& key, Kind kind) const;
  /// Where a look for a key has ended; until the table changes.
  class Place {
    friend class MatchTable;
    static constexpr std::size_t kUnknown = SIZE_MAX;
    std::size_t slot_ = kUnknown;
  };
  /// Takes the oldest of that kind out, or answers null and notes the place.
  Waiting* take(const MatchKey& key, Kind kind, Place& place);
  /// By the item's key and kind; at the place of its key, if that is known.
  void append(Waiting& item, const Place& place);
  void remove(Waiting& item);
  /// A look for this key is near: fetches what is in its place, whatever it is, from memory. The
  /// places themselves are few enough to be there.
  void foresee_first(const MatchKey& key) const { prefetch_lines(slots_[home(key)].first, 2); }
  /// Calls `f(item)` for everything in it, in no order.
  template <class F>
  void for_each(F f) const {
    for (const Slot& slot : slots_) {
      for (Waiting* w = slot.first; w != nullptr; w = w->next) f(*w);
    }
  }

 private:
  struct alignas(32) Slot {
    MatchKey key;
    Waiting* first = nullptr;  ///< Null: the slot is free.
    Waiting* last = nullptr;
  };
  static std::uint64_t hash(const MatchKey& key) {
    const std::uint64_t place = (std::uint64_t{key.receiver} << 32) | key.context;
    const std::uint64_t what =
        (static_cast<std::uint64_t>(key.source) << 32) | static_cast<std::uint32_t>(key.tag);
    std::uint64_t h = place * 0x9e3779b97f4a7c15ULL ^ (what + 0x2545f4914f6cdd1dULL);
    h *= 0xd6e8feb86659fd93ULL;
    return h ^ (h >> 32);
  }
  std::size_t home(const MatchKey& key) const { return hash(key) & mask_; }
  /// The slot of a key, or the free one where it would be.
  std::size_t find(const MatchKey& key) const;
  void unlink(std::size_t slot, Waiting& item);
  void erase(std::size_t slot);
  void grow();

  std::vector<Slot> slots_;  ///< Their number is a power of two, ...
  std::size_t mask_;         ///< ... and this one less.
  std::size_t used_ = 0;
};

}  // namespace heddle::mpi
