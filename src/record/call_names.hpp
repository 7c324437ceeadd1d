// The names of calls, as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::record {

/// Numbers names in the order in which they are first met.
class CallNames {
 public:
  /// The number of a name, which must live as long as this. Equal names have the same one, wherever
  /// they stand.
  std::uint16_t number(const char* name) { return name == last_ ? last_number_ : find(name); }
  /// Whether groups make such calls together.
  bool is_together(std::uint16_t number) const { return together_[number]; }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::uint16_t find(const char* name);

  std::vector<std::string> names_;
  std::vector<bool> together_;  ///< By number.
  std::unordered_map<const char*, std::uint16_t> numbers_;
  const char* last_ = nullptr;
  std::uint16_t last_number_ = 0;
};

}  // namespace heddle::record
