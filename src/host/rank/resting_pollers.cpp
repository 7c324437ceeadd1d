#include "host/rank/resting_pollers.hpp"

namespace heddle::host {

void RestingPollers::add(const Poller& poller) {
  resting_.push_back(poller);
  poller.memory->look_begins();
}

void RestingPollers::remove(const Fiber& fiber) {
  std::erase_if(resting_, [&](const Poller& poller) {
    if (poller.fiber != &fiber) return false;
    poller.memory->look_ends();
    return true;
  });
}

void RestingPollers::written(const AddressSpace& memory) {
  for (const Poller& poller : resting_) {
    if (poller.memory == &memory) poller.fiber->wake();
  }
}

void RestingPollers::ran(const Fiber& fiber, const Rank& rank) {
  for (const Poller& poller : resting_) {
    if (poller.fiber != &fiber && poller.rank == &rank) poller.fiber->wake();
  }
}

}  // namespace heddle::host
