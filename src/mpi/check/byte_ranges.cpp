#include "mpi/check/byte_ranges.hpp"

#include <algorithm>

#include "core/address_space.hpp"

namespace heddle::mpi {

ByteRanges::ByteRanges(const Buffer& buffer) {
  constexpr std::size_t kMostPieces = 4096;
  if (buffer.type == nullptr || bytes(buffer) == 0) return;
  const auto base = reinterpret_cast<std::intptr_t>(buffer.address);
  bool few = true;
  auto visit = [&](const Runs& runs) {
    for (std::int64_t i = 0; i < runs.count && few; ++i) {
      const auto begin = static_cast<std::uintptr_t>(base + runs.offset + i * runs.stride);
      ranges_.push_back({begin, begin + static_cast<std::uintptr_t>(runs.length)});
      few = ranges_.size() <= kMostPieces;
    }
  };
  LayoutWalk walk(buffer.type->layout(), visit);
  walk.repeated(buffer.count, buffer.type->extent(), 0, bytes(buffer));
  if (!few) ranges_.clear();
  merge();
}

void ByteRanges::merge() {
  std::ranges::sort(ranges_, {}, &ByteRange::begin);
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges_) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  ranges_ = std::move(merged);
}

bool ByteRanges::overlaps(const ByteRanges& other) const {
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    if (a->begin < b->end && b->begin < a->end) return true;
    ++(a->end <= b->end ? a : b);
  }
  return false;
}

std::uint64_t ByteRanges::size() const {
  std::uint64_t sum = 0;
  for (const ByteRange& range : ranges_) sum += range.end - range.begin;
  return sum;
}

void ByteRanges::add(const ByteRanges& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  merge();
}

void ByteRanges::remove(const ByteRanges& other) {
  std::vector<ByteRange> left;
  for (ByteRange range : ranges_) {
    for (const ByteRange& gone : other.ranges_) {
      if (gone.end <= range.begin || gone.begin >= range.end) continue;
      if (gone.begin > range.begin) left.push_back({range.begin, gone.begin});
      range.begin = std::min(gone.end, range.end);
    }
    if (range.begin < range.end) left.push_back(range);
  }
  ranges_ = std::move(left);
}

std::optional<std::uint64_t> contents(const AddressSpace& memory, const ByteRanges& bytes) {
  constexpr std::uint64_t kMost = 4U << 20;
  std::uint64_t left = kMost;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  std::vector<unsigned char> copy;
  for (const ByteRange& range : bytes.list()) {
    copy.resize(std::min<std::uint64_t>(left, range.end - range.begin));
    left -= copy.size();
    if (!memory.read(copy.data(), reinterpret_cast<const void*>(range.begin), copy.size())) {
      return std::nullopt;
    }
    for (const unsigned char byte : copy) hash = (hash ^ byte) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace heddle::mpi
