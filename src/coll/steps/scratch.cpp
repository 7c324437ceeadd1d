#include "coll/steps/scratch.hpp"

#include <algorithm>

namespace heddle::coll {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLeast = 1024;
/// The largest chunk that is kept between collectives: many ranks may keep one.
constexpr std::size_t kKept = 4096;

}  // namespace

Buffer Scratch::get(std::int64_t count, const Datatype& type) {
  if (count <= 0) return {nullptr, 0, &type};
  const std::int64_t last = (count - 1) * type.extent();
  const std::int64_t low = std::min<std::int64_t>(0, last) + type.true_bounds().lower;
  const std::int64_t high = std::max<std::int64_t>(0, last) + type.true_bounds().upper;
  return {bytes(static_cast<std::size_t>(high - low)) - low, count, &type};
}

std::byte* Scratch::bytes(std::size_t size) {
  size = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (chunks_.empty() || used_ + size > chunks_.back().size) {
    const std::size_t wanted = std::max(size, kLeast);
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted), wanted});
    used_ = 0;
  }
  std::byte* place = chunks_.back().memory.get() + used_;
  used_ += size;
  return place;
}

bool Scratch::owns(const void* address) const {
  return std::ranges::any_of(chunks_, [&](const Chunk& chunk) {
    const std::byte* const begin = chunk.memory.get();
    return address >= begin && address < begin + chunk.size;
  });
}

void Scratch::clear() {
  if (chunks_.size() > 1) chunks_.resize(1);
  if (!chunks_.empty() && chunks_[0].size > kKept) chunks_.clear();
  used_ = 0;
}

}  // namespace heddle::coll
