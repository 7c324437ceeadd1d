#include "network/fluid/held_loads.hpp"

#include <algorithm>
#include <bit>

namespace heddle::network {

void HeldLoads::add(Constraint constraint, double load) {
  const std::size_t place = find(constraint);
  if (place == sums_.size()) return append(constraint, load);
  sums_[place].load += load;
  ++sums_[place].variables;
}

void HeldLoads::remove(Constraint constraint, double load) {
  const std::size_t place = find(constraint);
  if (--sums_[place].variables == 0) return erase(place);
  sums_[place].load -= load;
}

void HeldLoads::clear() {
  sums_.clear();
  std::fill(table_.begin(), table_.end(), 0);
}

/// Its place, or the number of sums if it has none.
std::size_t HeldLoads::find(Constraint constraint) const {
  if (has_table()) {
    const std::uint32_t entry = table_[cell_of(constraint)];
    return entry == 0 ? sums_.size() : entry - 1;
  }
  std::size_t place = 0;
  while (place < sums_.size() && sums_[place].constraint != constraint) ++place;
  return place;
}

/// The cell that names the constraint's sum, or the empty one where that would be.
std::size_t HeldLoads::cell_of(Constraint constraint) const {
  std::size_t cell = home(constraint);
  while (table_[cell] != 0 && sums_[table_[cell] - 1].constraint != constraint) cell = next(cell);
  return cell;
}

void HeldLoads::append(Constraint constraint, double load) {
  sums_.push_back({load, constraint, 1});
  if (has_table() && 2 * sums_.size() <= table_.size()) return enter(sums_.size() - 1);
  if (sums_.size() > kFew) make_table();
}

void HeldLoads::make_table() {
  const std::size_t cells = std::bit_ceil(4 * sums_.size());
  table_.assign(cells, 0);
  shift_ = 32 - static_cast<std::uint32_t>(std::bit_width(cells) - 1);
  for (std::size_t place = 0; place < sums_.size(); ++place) enter(place);
}

void HeldLoads::enter(std::size_t place) {
  table_[cell_of(sums_[place].constraint)] = static_cast<std::uint32_t>(place + 1);
}

/// The last sum takes the place.
void HeldLoads::erase(std::size_t place) {
  if (has_table()) {
    free_cell(cell_of(sums_[place].constraint));
    if (place + 1 < sums_.size()) {
      table_[cell_of(sums_.back().constraint)] = static_cast<std::uint32_t>(place + 1);
    }
  }
  sums_[place] = sums_.back();
  sums_.pop_back();
}

/// Those after it that are not in their home move up, so that searches still find them.
void HeldLoads::free_cell(std::size_t cell) {
  for (std::size_t other = next(cell); table_[other] != 0; other = next(other)) {
    const std::size_t from = home(sums_[table_[other] - 1].constraint);
    const std::size_t way = (other - from) & (table_.size() - 1);
    if (way < ((other - cell) & (table_.size() - 1))) continue;
    table_[cell] = table_[other];
    cell = other;
  }
  table_[cell] = 0;
}

}  // namespace heddle::network
