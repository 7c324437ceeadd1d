// Many records of one kind that stay where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/large_vector.hpp"

namespace heddle {

/// Records live until the store goes. Memory is taken in pieces, each for an eighth of the records
/// that there are and for `kFirst` at least: what very many records take lies in huge pages, and
/// little is taken in vain. Each `kFirst` records, counted from the first, lie in a row.
template <class T, std::size_t kFirst>
class RecordStore {
 public:
  RecordStore() = default;
  ~RecordStore() {
    for (const Piece& piece : pieces_) {
      std::destroy_n(piece.records, piece.used);
      LargeAllocator<T>().deallocate(piece.records, piece.room);
    }
  }
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  template <class... Args>
  T& add(Args&&... args) {
    if (pieces_.empty() || pieces_.back().used == pieces_.back().room) grow();
    Piece& piece = pieces_.back();
    T* const record = std::construct_at(piece.records + piece.used, std::forward<Args>(args)...);
    ++piece.used;
    ++size_;
    return *record;
  }
  std::size_t size() const { return size_; }
  /// Calls `visit` for every record, the oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Piece& piece : pieces_) std::for_each_n(piece.records, piece.used, visit);
  }

 private:
  struct Piece {
    T* records;
    std::size_t room;
    std::size_t used;
  };
  [[gnu::noinline]] void grow() {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    constexpr std::size_t kMost = std::max<std::size_t>(kMostBytes / sizeof(T) / kFirst, 1);
    const std::size_t room = std::clamp<std::size_t>(size_ / 8 / kFirst, 1, kMost) * kFirst;
    pieces_.reserve(pieces_.size() + 1);
    pieces_.push_back({LargeAllocator<T>().allocate(room), room, 0});
  }

  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
};

}  // namespace heddle
