#include "shmem/heap.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace heddle::shmem {
namespace {

/// What every piece is aligned to, and a multiple of.
constexpr std::size_t kGrain = 64;

std::size_t rounded_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

std::optional<std::size_t> HeapMap::take(std::size_t size, std::size_t alignment) {
  // No heap begins at a multiple of more than that.
  if (size > size_ || alignment > std::bit_ceil(size_)) return std::nullopt;
  const std::size_t wanted = rounded_up(std::max<std::size_t>(size, 1), kGrain);
  const std::size_t grain = std::max(alignment, kGrain);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [offset, length] = *it;
    const std::size_t begin = rounded_up(offset, grain);
    if (begin + wanted > offset + length) continue;
    free_.erase(it);
    if (begin > offset) free_[offset] = begin - offset;
    if (begin + wanted < offset + length) free_[begin + wanted] = offset + length - begin - wanted;
    taken_[begin] = wanted;
    used_ += wanted;
    return begin;
  }
  return std::nullopt;
}

bool HeapMap::give_back(std::size_t offset) {
  const auto found = taken_.find(offset);
  if (found == taken_.end()) return false;
  std::size_t length = found->second;
  taken_.erase(found);
  used_ -= length;
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + length) {
    length += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += length;
      return true;
    }
  }
  free_[offset] = length;
  return true;
}

std::optional<std::size_t> HeapMap::size_at(std::size_t offset) const {
  const auto found = taken_.find(offset);
  return found == taken_.end() ? std::nullopt : std::optional(found->second);
}

std::string SharedHeap::Step::text() const {
  switch (action) {
    case Action::allocate:
      return alignment == 0 ? fmt::format("allocates {} bytes", size)
                            : fmt::format("allocates {} bytes aligned to {}", size, alignment);
    case Action::free:
      return fmt::format("frees what is at heap+{:#x}", offset);
    default:
      return fmt::format("resizes what is at heap+{:#x} to {} bytes", offset, size);
  }
}

SharedHeap::Result SharedHeap::perform(const Step& step) {
  Result result;
  if (step.action == Action::allocate) {
    result.offset = map_.take(step.size, step.alignment);
    return result;
  }
  result.before = map_.size_at(step.offset).value_or(0);
  if (step.action == Action::resize) result.offset = map_.take(step.size, 0);
  // Where nothing is left a resized piece stays as it is.
  if (step.action == Action::free || result.offset) map_.give_back(step.offset);
  return result;
}

SharedHeap::Result SharedHeap::next(std::uint32_t pe, const Step& step,
                                    std::optional<Difference>& difference) {
  const std::uint32_t number = done_[pe]++;
  if (number >= begin_ + steps_.size()) steps_.push_back({step, perform(step), pe, 0});
  Entry& entry = steps_[number - begin_];
  if (!(entry.step == step)) {
    difference = Difference{entry.first, entry.step, number + 1};
    return {};
  }
  const Result result = entry.result;
  if (++entry.came == pes_) {
    steps_.pop_front();
    ++begin_;
  }
  return result;
}

}  // namespace heddle::shmem
