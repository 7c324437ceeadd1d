#include "goal/formats/label_table.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::goal {
namespace {

std::uint64_t hash_of(std::string_view label) {
  std::uint64_t hash = label.size();
  while (!label.empty()) {
    std::uint64_t word = 0;
    const std::size_t length = std::min(label.size(), sizeof word);
    std::memcpy(&word, label.data(), length);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
    label.remove_prefix(length);
  }
  return hash;
}

}  // namespace

void LabelTable::clear() {
  numbered_.clear();
  if (others_ != 0) slots_.assign(slots_.size(), {});
  others_ = 0;
  size_ = 0;
}

bool LabelTable::add(std::string_view label, std::uint32_t op) {
  if (find(label) != kAbsent) return false;
  ++size_;
  const std::size_t number = number_of(label);
  // No hole of many numbers costs more memory than the labels that are there.
  if (number != kNoNumber && number < 4 * size_ + 1024) {
    if (number >= numbered_.size()) numbered_.resize(number + 1, kAbsent);
    numbered_[number] = op;
    return true;
  }
  if (2 * ++others_ > slots_.size()) grow();
  slots_[slot_of(label)] = {label, op};
  return true;
}

std::size_t LabelTable::slot_of(std::string_view label) const {
  std::size_t slot = hash_of(label) & (slots_.size() - 1);
  while (slots_[slot].op != kAbsent && slots_[slot].label != label) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void LabelTable::grow() {
  std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()));
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.op != kAbsent) slots_[slot_of(slot.label)] = slot;
  }
}

}  // namespace heddle::goal
