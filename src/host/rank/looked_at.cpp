#include "host/rank/looked_at.hpp"

#include <algorithm>

#include "core/address_space.hpp"

namespace heddle::host {

LookedAt& LookedAt::operator=(const LookedAt& other) {
  count_ = other.count_;
  std::copy_n(other.words_.begin(), count_, words_.begin());
  return *this;
}

bool LookedAt::add(std::uint64_t address, std::uint64_t value, std::size_t size) {
  if (count_ == kMost) return false;
  words_[count_++] = {address, value, size};
  return true;
}

bool LookedAt::same_in(const AddressSpace& memory) const {
  return std::all_of(words_.begin(), words_.begin() + count_, [&](const Word& word) {
    std::uint64_t value = 0;
    return memory.read(&value, reinterpret_cast<const void*>(word.address), word.size) &&
           value == word.value;
  });
}

}  // namespace heddle::host
