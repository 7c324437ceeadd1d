// Counting and comparing basic elements.
#include <algorithm>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

std::int64_t elements(const Datatype& type, std::int64_t size) {
  return signature(type, size).elements;
}

Signature signature(const Datatype& type, std::int64_t size) {
  if (type.size() == 0) return {};
  const std::int64_t whole = size / type.size();
  Signature result = type.signature().repeated(whole);
  auto add = [&](const Runs& runs) {
    const Signature one = Datatype::predefined(runs.basic->handle)->signature();
    const std::int64_t number = runs.count * runs.length / runs.basic->size;
    result = result.followed_by(one.repeated(number));
  };
  LayoutWalk<decltype(add)>(type.typed_layout(), add).repeated(1, 0, 0, size % type.size());
  return result;
}

std::int64_t bytes_of_elements(const Datatype& type, std::int64_t count) {
  if (type.signature().elements == 0) return 0;
  std::int64_t bytes = count / type.signature().elements * type.size();
  std::int64_t left = count % type.signature().elements;
  auto add = [&](const Runs& runs) {
    const std::int64_t taken = std::min(left, runs.count * runs.length / runs.basic->size);
    bytes += taken * runs.basic->size;
    left -= taken;
  };
  LayoutWalk<decltype(add)>(type.typed_layout(), add).repeated(1, 0, 0, type.size());
  return bytes;
}

}  // namespace heddle::coll
