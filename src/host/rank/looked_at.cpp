#include "host/rank/looked_at.hpp"

#include <algorithm>

#include "core/address_space.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/rank/direct_word.hpp"

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
  // All at once: to read each place with care takes longer than to compare it.
  struct Question {
    const Word* begin;
    const Word* end;
    const AddressSpace& memory;
    bool reached = true;
    bool same = false;
  };
  Question question{words_.data(), words_.data() + count_, memory};
  const auto ask = [](void* which) {
    auto& asked = *static_cast<Question*>(which);
    asked.same = std::all_of(asked.begin, asked.end, [&](const Word& word) {
      std::uint64_t value = 0;
      asked.reached = read_directly(asked.memory, word.address, word.size, value);
      return asked.reached && value == word.value;
    });
  };
  const bool there = guarded_call(ask, &question);
  return question.reached ? there && question.same : same_by_reading(memory);
}

bool LookedAt::same_by_reading(const AddressSpace& memory) const {
  return std::all_of(words_.begin(), words_.begin() + count_, [&](const Word& word) {
    std::uint64_t value = 0;
    return memory.read(&value, reinterpret_cast<const void*>(word.address), word.size) &&
           value == word.value;
  });
}

}  // namespace heddle::host
