#include "run/one_sided_box.hpp"

namespace heddle::run {

bool OneSidedBox::expect(std::uint32_t source, std::uint32_t tag, std::uint32_t op) {
  Pair& pair = pairs_[{source, tag}];
  if (pair.there > 0) {
    --pair.there;
    return true;
  }
  pair.waiting.push_back(op);
  return false;
}

std::uint32_t OneSidedBox::arrived(std::uint32_t source, std::uint32_t tag) {
  Pair& pair = pairs_[{source, tag}];
  if (pair.waiting.empty()) {
    ++pair.there;
    return kNobody;
  }
  const std::uint32_t op = pair.waiting.front();
  pair.waiting.pop_front();
  return op;
}

}  // namespace heddle::run
