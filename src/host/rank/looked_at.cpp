#include "host/rank/looked_at.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/address_space.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/rank/direct_word.hpp"

namespace heddle::host {
namespace {

bool are_same(const std::byte* a, const std::byte* b, std::size_t size) {
  // A place that has no neighbours: an instruction then.
  if (size == sizeof(std::uint64_t)) return word_at(a, size) == word_at(b, size);
  return std::memcmp(a, b, size) == 0;
}

}  // namespace

bool LookedAt::add(std::uint64_t address, std::uint64_t value, std::size_t size) {
  if (count_ == kMost) return false;
  ++count_;
  const bool goes_on =
      !stretches_.empty() && stretches_.back().address + stretches_.back().size == address;
  if (goes_on) {
    stretches_.back().size += size;
  } else {
    stretches_.push_back({address, size});
  }
  lowest_ = std::min(lowest_, address);
  highest_ = std::max(highest_, address + size);
  values_.resize(values_.size() + size);
  put(values_.size() - size, value, size);
  return true;
}

void LookedAt::put(std::size_t at, std::uint64_t value, std::size_t size) {
  std::memcpy(values_.data() + at, &value, size);
}

std::uint64_t LookedAt::value(std::size_t at, std::size_t size) const {
  return word_at(values_.data() + at, size);
}

void LookedAt::clear() {
  stretches_.clear();
  values_.clear();
  lowest_ = ~std::uint64_t{0};
  highest_ = count_ = 0;
}

const std::byte* LookedAt::all_in(const AddressSpace& memory) const {
  if (!known()) return nullptr;
  return memory.direct(reinterpret_cast<const void*>(lowest_), highest_ - lowest_);
}

const std::byte* LookedAt::place_of(const Stretch& stretch, const std::byte* all,
                                    const AddressSpace& memory) const {
  if (all != nullptr) return all + (stretch.address - lowest_);
  return memory.direct(reinterpret_cast<const void*>(stretch.address), stretch.size);
}

std::size_t LookedAt::first_change(std::size_t at, std::size_t end, const std::byte* there) const {
  const std::byte* const expected = values_.data();
  for (; end - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    const std::uint64_t other = word_at(expected + at, sizeof other) ^ word_at(there, sizeof other);
    if (other != 0) return at + static_cast<std::size_t>(std::countr_zero(other)) / 8;
    there += sizeof other;
  }
  while (at < end && expected[at] == *there) ++at, ++there;
  return at;
}

LookedAt::Answer LookedAt::compared_directly(const AddressSpace& memory) const {
  const std::byte* const all = all_in(memory);
  const std::byte* expected = values_.data();
  for (const Stretch& stretch : stretches_) {
    const std::byte* const here = place_of(stretch, all, memory);
    if (here == nullptr) return Answer::out_of_reach;
    if (!are_same(here, expected, stretch.size)) return Answer::another;
    expected += stretch.size;
  }
  return Answer::same;
}

bool LookedAt::same_in(const AddressSpace& memory) const {
  struct Question {
    const LookedAt& looked_at;
    const AddressSpace& memory;
    Answer answer = Answer::another;
  };
  Question question{*this, memory};
  const auto ask = [](void* which) {
    auto& asked = *static_cast<Question*>(which);
    asked.answer = asked.looked_at.compared_directly(asked.memory);
  };
  if (!guarded_call(ask, &question)) return false;
  return question.answer == Answer::out_of_reach ? same_by_reading(memory)
                                                 : question.answer == Answer::same;
}

bool LookedAt::same_by_reading(const AddressSpace& memory) const {
  std::array<std::byte, 256> there;
  const std::byte* expected = values_.data();
  return std::ranges::all_of(stretches_, [&](const Stretch& stretch) {
    for (std::size_t done = 0; done < stretch.size;) {
      const std::size_t piece = std::min(stretch.size - done, there.size());
      if (!memory.read(there.data(), reinterpret_cast<const void*>(stretch.address + done),
                       piece) ||
          std::memcmp(there.data(), expected, piece) != 0) {
        return false;
      }
      expected += piece;
      done += piece;
    }
    return true;
  });
}

}  // namespace heddle::host
