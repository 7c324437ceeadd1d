#include "network/fluid/held_loads.hpp"

#include <algorithm>
#include <bit>

namespace heddle::network {

void HeldLoads::add(Constraint constraint, double load, bool asleep) {
  const std::size_t place = find(constraint);
  if (place == sums_.size()) return append(constraint, load, asleep);
  sums_[place].load += load;
  ++sums_[place].variables;
}

void HeldLoads::remove(Constraint constraint, double load) {
  const std::size_t place = find(constraint);
  if (--sums_[place].variables == 0) return erase(place);
  sums_[place].load -= load;
}

void HeldLoads::set_asleep(Constraint constraint, bool asleep) {
  const std::size_t place = find(constraint);
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

void HeldLoads::append(Constraint constraint, double load, bool asleep) {
  sums_.push_back({load, constraint, 1});
  if (has_table() && 2 * sums_.size() <= table_.size()) {
    enter(sums_.size() - 1);
  } else if (sums_.size() > kFew) {
    make_table();
  }
  if (!asleep) swap(awake_++, sums_.size() - 1);
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

/// The last sum of its part takes the place.
void HeldLoads::erase(std::size_t place) {
  if (has_table()) free_cell(cell_of(sums_[place].constraint));
  if (place < awake_) {
    move(--awake_, place);
    place = awake_;
  }
  move(sums_.size() - 1, place);
  sums_.pop_back();
}

/// Over a sum that is no longer in the table.
void HeldLoads::move(std::size_t from, std::size_t to) {
  if (from == to) return;
  if (has_table()) table_[cell_of(sums_[from].constraint)] = static_cast<std::uint32_t>(to + 1);
  sums_[to] = sums_[from];
}

void HeldLoads::swap(std::size_t a, std::size_t b) {
  if (a == b) return;
  if (has_table()) {
    std::swap(table_[cell_of(sums_[a].constraint)], table_[cell_of(sums_[b].constraint)]);
  }
  std::swap(sums_[a], sums_[b]);
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
