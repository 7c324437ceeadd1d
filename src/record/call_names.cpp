#include "record/call_names.hpp"

#include <algorithm>

#include "record/groups.hpp"

namespace heddle::record {

std::uint16_t CallNames::find(const char* name) {
  const auto [known, is_new] = numbers_.try_emplace(name, 0);
  if (is_new) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    known->second = static_cast<std::uint16_t>(found - names_.begin());
    if (found == names_.end()) {
      names_.emplace_back(name);
      together_.push_back(is_collective(name));
    }
  }
  last_ = name;
  last_number_ = known->second;
  return last_number_;
}

}  // namespace heddle::record
