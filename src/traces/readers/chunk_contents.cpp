#include "traces/readers/chunk_contents.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace heddle::traces {
namespace {

constexpr std::size_t kFirstPlaces = 64;
constexpr ChunkContents::Id kFree = UINT32_MAX;

std::size_t hash_of(std::span<const ChunkPart> parts) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = parts.size();
  for (const ChunkPart& part : parts) {
    hash = (hash ^ (std::uint64_t{part.gpu} << 32 | part.chunk)) * kFactor;
    hash = (hash ^ hash >> 29 ^ part.times) * kFactor;
  }
  return hash ^ hash >> 32;
}

}  // namespace

std::string text_of(std::span<const ChunkPart> parts) {
  constexpr std::size_t kShown = 4;
  if (parts.empty()) return "nothing";
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == kShown) return text + fmt::format(" and {} more", parts.size() - kShown);
    const auto& [gpu, chunk, times] = parts[i];
    text += fmt::format("{}{}chunk {} of GPU {}", i > 0 ? " + " : "",
                        times > 1 ? fmt::format("{} x ", times) : "", chunk, gpu);
  }
  return text;
}

ChunkContents::ChunkContents() : begins_{0}, places_(kFirstPlaces, kFree) {
  of({});
}

/// Where it is, or where it would be.
std::size_t ChunkContents::place_of(std::span<const ChunkPart> parts) const {
  std::size_t place = hash_of(parts) & (places_.size() - 1);
  while (places_[place] != kFree && !std::ranges::equal(this->parts(places_[place]), parts)) {
    place = (place + 1) & (places_.size() - 1);
  }
  return place;
}

ChunkContents::Id ChunkContents::of(std::span<const ChunkPart> parts) {
  const std::size_t place = place_of(parts);
  if (places_[place] != kFree) return places_[place];
  const auto id = static_cast<Id>(size());
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  begins_.push_back(parts_.size());
  places_[place] = id;
  if (2 * size() > places_.size()) grow();
  return id;
}

void ChunkContents::grow() {
  places_.assign(2 * places_.size(), kFree);
  for (Id id = 0; id < size(); ++id) places_[place_of(parts(id))] = id;
}

ChunkContents::Id ChunkContents::sum(Id a, Id b) {
  added_.clear();
  auto first = parts(a);
  auto second = parts(b);
  const auto key = [](const ChunkPart& part) { return std::pair(part.gpu, part.chunk); };
  while (!first.empty() || !second.empty()) {
    const bool of_first =
        second.empty() || (!first.empty() && key(first.front()) <= key(second.front()));
    auto& from = of_first ? first : second;
    if (!added_.empty() && key(added_.back()) == key(from.front())) {
      added_.back().times += from.front().times;
    } else {
      added_.push_back(from.front());
    }
    from = from.subspan(1);
  }
  return of(added_);
}

}  // namespace heddle::traces
