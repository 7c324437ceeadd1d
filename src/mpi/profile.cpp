#include "mpi/profile.hpp"

namespace heddle::mpi {

CallProfile& Profile::search(const char* name) {
  std::size_t place = 0;
  while (place < calls_.size() && calls_[place].name != name) ++place;
  if (place == calls_.size()) calls_.push_back({name});
  if (place <= UINT8_MAX) recent_[slot_of(name)] = static_cast<std::uint8_t>(place);
  return calls_[place];
}

}  // namespace heddle::mpi
