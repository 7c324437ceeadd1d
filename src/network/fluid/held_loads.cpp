#include "network/fluid/held_loads.hpp"

#include <algorithm>
#include <bit>

namespace heddle::network {

void HeldLoads::add(Constraint constraint, double load, bool asleep) {
  const Found found = find(constraint);
  if (found.place == sums_.size()) return append({load, constraint, 1}, asleep, found.cell);
  sums_[found.place].load += load;
  ++sums_[found.place].variables;
}

void HeldLoads::remove(Constraint constraint, double load) {
  const Found found = find(constraint);
  if (--sums_[found.place].variables == 0) return erase(found);
  sums_[found.place].load -= load;
}

void HeldLoads::set_asleep(Constraint constraint, bool asleep) {
  const std::size_t place = find(constraint).place;
  if (asleep == (place >= awake_)) return;
  if (asleep) {
    swap(place, --awake_);
  } else {
    swap(place, awake_++);
  }
}

void HeldLoads::clear() {
  awake_ = 0;
  sums_.clear();
  cells_.clear();
  std::fill(table_.begin(), table_.end(), 0);
}

HeldLoads::Found HeldLoads::find(Constraint constraint) const {
  if (has_table()) {
    const std::size_t cell = cell_of(constraint);
    const std::uint32_t entry = table_[cell];
    return {entry == 0 ? sums_.size() : entry - 1, cell};
  }
  std::size_t place = 0;
  while (place < sums_.size() && sums_[place].constraint != constraint) ++place;
  return {place};
}

/// The cell that names the constraint's sum, or the empty one where that would be.
std::size_t HeldLoads::cell_of(Constraint constraint) const {
  std::size_t cell = home(constraint);
  while (table_[cell] != 0 && sums_[table_[cell] - 1].constraint != constraint) cell = next(cell);
  return cell;
}

/// A sum that is not there yet; its cell, if there is a table, is free.
void HeldLoads::append(const Sum& sum, bool asleep, std::size_t cell) {
  const std::size_t place = sums_.size();
  sums_.push_back(sum);
  if (has_table() && 2 * sums_.size() <= table_.size()) {
    cells_.emplace_back();
    occupy(cell, place);
  } else if (has_table() || place == kFew) {
    make_table();
  }
  if (!asleep) swap(awake_++, place);
}

void HeldLoads::make_table() {
  const std::size_t cells = std::bit_ceil(4 * sums_.size());
  table_.assign(cells, 0);
  cells_.resize(sums_.size());
  shift_ = 32 - static_cast<std::uint32_t>(std::bit_width(cells) - 1);
  for (std::size_t place = 0; place < sums_.size(); ++place) {
    occupy(cell_of(sums_[place].constraint), place);
  }
}

/// The last sum of its part takes the place.
void HeldLoads::erase(const Found& found) {
  if (has_table()) free_cell(found.cell);
  std::size_t place = found.place;
  if (place < awake_) {
    move(--awake_, place);
    place = awake_;
  }
  move(sums_.size() - 1, place);
  sums_.pop_back();
  if (has_table()) cells_.pop_back();
}

/// Over a sum that is no longer in the table.
void HeldLoads::move(std::size_t from, std::size_t to) {
  if (from == to) return;
  if (has_table()) occupy(cells_[from], to);
  sums_[to] = sums_[from];
}

void HeldLoads::swap(std::size_t a, std::size_t b) {
  if (a == b) return;
  if (has_table()) {
    const std::uint32_t cell = cells_[a];
    occupy(cells_[b], a);
    occupy(cell, b);
  }
  std::swap(sums_[a], sums_[b]);
}

/// Those after it that are not in their home move up, so that searches still find them.
void HeldLoads::free_cell(std::size_t cell) {
  for (std::size_t other = next(cell); table_[other] != 0; other = next(other)) {
    const std::size_t from = home(sums_[table_[other] - 1].constraint);
    const std::size_t way = (other - from) & (table_.size() - 1);
    if (way < ((other - cell) & (table_.size() - 1))) continue;
    occupy(cell, table_[other] - 1);
    cell = other;
  }
  table_[cell] = 0;
}

}  // namespace heddle::network
