#include "portals/region.hpp"

#include <algorithm>
#include <cstdint>

namespace heddle::portals {
namespace {

/// Calls `move(piece of the region, bytes done so far)` piece by piece until one answers false.
template <class Move>
bool for_each_piece(const Place& place, ptl_size_t size, Move move) {
  for (ptl_size_t done = 0; done < size;) {
    Region::Piece piece = place.region->piece_at(place.offset + done);
    piece.length = std::min(piece.length, size - done);
    if (piece.length == 0 || !move(piece, done)) return false;
    done += piece.length;
  }
  return true;
}

/// Of memory that may begin at null, where all of it is meant.
std::byte* address_at(std::byte* start, ptl_size_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(start) + offset);
}

}  // namespace

Region::Region(const ptl_iovec_t* pieces, ptl_size_t count)
    : parts_(std::make_unique<std::vector<Part>>()) {
  for (ptl_size_t i = 0; i < count; ++i) {
    if (pieces[i].iov_len == 0) continue;
    parts_->push_back({static_cast<std::byte*>(pieces[i].iov_base), length_});
    length_ += pieces[i].iov_len;
  }
}

Region::Piece Region::piece_at(ptl_size_t offset) const {
  if (!parts_) return {address_at(start_, offset), length_ - offset};
  const auto after =
      std::upper_bound(parts_->begin(), parts_->end(), offset,
                       [](ptl_size_t o, const Part& part) { return o < part.offset; });
  if (after == parts_->begin()) return {};
  const Part& part = *std::prev(after);
  const ptl_size_t end = after == parts_->end() ? length_ : after->offset;
  return {part.start + (offset - part.offset), end - offset};
}

bool read(const Place& from, void* to, ptl_size_t size) {
  return for_each_piece(from, size, [&](const Region::Piece& piece, ptl_size_t done) {
    return from.space->read(static_cast<std::byte*>(to) + done, piece.start, piece.length);
  });
}

bool write(const Place& to, const void* from, ptl_size_t size) {
  return for_each_piece(to, size, [&](const Region::Piece& piece, ptl_size_t done) {
    return to.space->write(piece.start, static_cast<const std::byte*>(from) + done, piece.length);
  });
}

bool copy(const Place& to, const Place& from, ptl_size_t size) {
  return for_each_piece(to, size, [&](const Region::Piece& piece, ptl_size_t done) {
    const Place source{from.space, from.region, from.offset + done};
    return for_each_piece(source, piece.length, [&](const Region::Piece& part, ptl_size_t moved) {
      return heddle::copy(*to.space, piece.start + moved, *from.space, part.start, part.length);
    });
  });
}

}  // namespace heddle::portals
