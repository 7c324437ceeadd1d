// Things that files call by their names.
#pragma once

#include <bit>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace heddle::traces {

/// Finds those of a table by their member `name` in one step or few, as every line of a trace asks
/// for one. The table must outlive it; no two have the same name.
template <class Named>
class NameTable {
 public:
  template <class Table>
  explicit NameTable(const Table& table) : places_(std::bit_ceil(4 * std::size(table))) {
    for (const Named& one : table) {
      std::size_t place = place_of(one.name);
      while (places_[place] != nullptr) place = behind(place);
      places_[place] = &one;
    }
  }
  /// Null if there is none.
  const Named* find(std::string_view name) const {
    std::size_t place = place_of(name);
    while (places_[place] != nullptr && places_[place]->name != name) place = behind(place);
    return places_[place];
  }

 private:
  std::size_t behind(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  /// By length, and by letters that differ among short names.
  std::size_t place_of(std::string_view name) const {
    if (name.empty()) return 0;
    const auto letter = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(name[i]));
    };
    const std::size_t sum =
        name.size() + 7 * letter(0) + 31 * letter(name.size() / 2) + 11 * letter(name.size() - 1);
    return sum & (places_.size() - 1);
  }

  std::vector<const Named*> places_;  ///< A quarter of them taken.
};

}  // namespace heddle::traces
